package place

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// ErrEditor says that the person's editor could not be run, or ended with an
// error: then what it wrote is not to be taken for what the person wants.
var ErrEditor = errors.New("the editor failed")

// Streams are the person's. An editor needs the terminal itself, not a copy.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Edit lets the person change text in the editor that git would use, run by git
// as it runs it. Name is what the file is called, so that the editor knows what
// it holds. After ErrEditor the text is what stands in the file all the same.
func (r *Place) Edit(ctx context.Context, name string, text []byte, s Streams) ([]byte, error) {
	dir, err := os.MkdirTemp("", r.name+"-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path, trace := filepath.Join(dir, filepath.Base(name)), filepath.Join(dir, ".trace")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return nil, err
	}
	// git config does not say how the editor ended: its trace does. An
	// interrupt is for the editor to understand, as under git commit.
	cmd := r.Git.Command(context.WithoutCancel(ctx), "config", "--file", path, "--edit")
	cmd.Env = gitcmd.Environ(cmd.Env).With("GIT_TRACE2_EVENT="+trace, "GIT_TRACE2_PARENT_SID=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.In, s.Out, s.Err
	ended := cmd.Run()
	if ended != nil {
		ended = fmt.Errorf("%w: %w", ErrEditor, ended)
	} else {
		ended = editorEnd(trace)
	}
	written, err := gitfile.ReadFile(path)
	return written, cmp.Or(ended, err)
}

// editorEnd reads from git's trace how the editor ended. What the editor ran,
// such as another git, may have left its own events there.
func editorEnd(trace string) error {
	file, err := gitfile.OpenRegular(trace)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrEditor, err)
	}
	defer func() { _ = file.Close() }()
	const editor = "editor"
	var child *traceEvent
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		var e traceEvent
		if json.Unmarshal(line, &e) == nil && !strings.Contains(e.SID, "/") {
			switch {
			case e.Event == "child_start" && e.Class == editor:
				child = &e
			case e.Event == "child_exit" && child != nil && e.Child == child.Child:
				if e.Code == 0 {
					return nil
				}
				return fmt.Errorf("%w: it ended with exit status %d", ErrEditor, e.Code)
			}
		}
		if err != nil {
			return fmt.Errorf("%w: git did not run it", ErrEditor)
		}
	}
}

// traceEvent is a line of git's trace (api-trace2). A process that another one
// started has a SID with a slash.
type traceEvent struct {
	Event string `json:"event"`
	SID   string `json:"sid"`
	Child int    `json:"child_id"`
	Class string `json:"child_class"`
	Code  int    `json:"code"`
}
