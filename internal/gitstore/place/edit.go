package place

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

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
	path := filepath.Join(dir, filepath.Base(name))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return nil, err
	}
	// git says which editor, and runs it as an alias: by a shell, and with its exit
	// status. An interrupt is for the editor to understand, as under git commit.
	ctx = context.WithoutCancel(ctx)
	editor, err := r.Git.Run(ctx, "var", "GIT_EDITOR")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEditor, err)
	}
	cmd := r.Git.Command(ctx, "-c", "alias.brew-edit=!"+strings.TrimSpace(string(editor)), "brew-edit", path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.In, s.Out, s.Err
	ended := cmd.Run()
	if ended != nil {
		ended = fmt.Errorf("%w: it ended with %w", ErrEditor, ended)
	}
	written, err := gitfile.ReadFile(path)
	return written, cmp.Or(ended, err)
}
