package main

import (
	"io"
	"testing"

	"github.com/git-brew/git-brew/internal/cli"
)

func TestStatusLine_inputThatNeverEnds(t *testing.T) {
	t.Parallel()
	e, out, _ := testEnv()
	in, open := io.Pipe()
	defer open.Close()
	e.In = in
	if code := run(t.Context(), []string{"statusline"}, e); code != cli.ExitDone || out.Len() > 0 {
		t.Errorf("exit %d, %q", code, out)
	}
}
