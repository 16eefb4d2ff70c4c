package gitstore_test

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

func TestEdit(t *testing.T) {
	for _, tc := range []struct {
		name, editor, want string
		fails              bool
	}{
		{"the editor's text counts", `printf 'more\n' >>"$1"`, "text\nmore\n", false},
		{"untouched", "true", "text\n", false},
		{
			"it ran git itself", `git version >/dev/null; git config --file "$1.cfg" a.b c; printf 'more\n' >>"$1"`,
			"text\nmore\n", false,
		},
		{"an editor that gives up fails, and what it wrote is told", `printf 'more\n' >>"$1"; exit 1`, "text\nmore\n", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := gitstoretest.New(t)
			script := filepath.Join(t.TempDir(), "my editor")
			gitstoretest.WriteProgram(t, script, "#!/bin/sh\n"+tc.editor+"\n")
			// Quotes and a blank, as in "C:/Program Files/...".
			f.Setenv("GIT_EDITOR", "'"+script+"'")
			got, err := f.Open().Edit(t.Context(), "plan.md", []byte("text\n"), quiet())
			if tc.fails != errors.Is(err, place.ErrEditor) || string(got) != tc.want {
				t.Errorf("Edit() = %q, %v; want %q, fails %t", got, err, tc.want, tc.fails)
			}
		})
	}
}

func TestEdit_noEditor(t *testing.T) {
	f := gitstoretest.New(t)
	f.Setenv("GIT_EDITOR", "no-such-editor")
	if _, err := f.Open().Edit(t.Context(), "plan.md", nil, quiet()); !errors.Is(err, place.ErrEditor) {
		t.Errorf("err = %v, want ErrEditor", err)
	}
}

func quiet() place.Streams {
	return place.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
}
