package setup

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// ErrNoWorkTree: the repository has no files to edit.
var ErrNoWorkTree = errors.New("there is no work tree here")

// Edit adds to a plan that a file of the work tree, named relative to its top,
// becomes what edit makes of it; nil stands for no file.
func (p *Plan) Edit(repo *gitstore.Repo, name string, edit func(before []byte) []byte) error {
	w := place{repo: repo, top: repo.WorkTree()}
	if w.top == "" {
		return ErrNoWorkTree
	}
	path := filepath.Join(w.top, filepath.FromSlash(name))
	before, err := w.read(path)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	p.add(Change{Path: path, Name: w.name(path), Before: before, After: edit(before)})
	return nil
}
