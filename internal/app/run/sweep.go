package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// remove takes away a tree, and its branch, where that is still at a commit and nobody else
// has it checked out: else somebody goes on with it.
func (a *trees) remove(ctx context.Context, w tree, at gitstore.OID) error {
	if tip, err := a.repo.Refs.Get(ctx, w.ref()); err != nil || tip != at {
		return errors.Join(err, fmt.Errorf("%s has moved since it was merged, and stays, with %s", w.branch, w.dir))
	}
	if why, is := a.locked(ctx, w); is {
		return fmt.Errorf("%s is locked%s, and stays, with %s; 'git worktree unlock %s' lets the next run take them away",
			w.dir, why, w.branch, w.dir)
	}
	if _, err := os.Stat(w.dir); err == nil {
		if _, err := a.git().Run(ctx, "worktree", "remove", "-f", w.dir); err != nil {
			return err
		}
	}
	if dir, err := a.checkedOut(ctx, w.branch); err != nil || dir != "" {
		return errors.Join(err, fmt.Errorf("%s is checked out in %s, and stays", w.branch, dir))
	}
	_ = os.Remove(w.prompt)            // there may be none
	_ = os.Remove(filepath.Dir(w.dir)) // where it was the last one of the task
	_ = os.Remove(filepath.Dir(filepath.Dir(w.dir)))
	return a.repo.Branches.Delete(ctx, w.branch, at)
}

// where says where a commit is, as seen from another one.
type where int

const (
	contained where = iota // it leads to the other one
	ahead                  // it goes on from the other one
	elsewhere              // it is another line
	missing                // it is not here
)

// has says where a commit is, as seen from a tip.
func (a *trees) has(ctx context.Context, tip, commit gitstore.OID) (where, error) {
	if there, err := a.repo.Objects.Has(ctx, commit); err != nil || !there {
		return missing, err
	}
	if is, err := a.isAncestor(ctx, commit, tip); err != nil || is {
		return contained, err
	}
	if is, err := a.isAncestor(ctx, tip, commit); err != nil || is {
		return ahead, err
	}
	return elsewhere, nil
}

// sweep takes away the trees and branches of phases that are completed, whose run was ended
// before it could. What stays is told, with why: it keeps nobody from working.
func (a *trees) sweep(ctx context.Context, tip gitstore.OID, note func(task.Phase, string), all ...task.Phase) error {
	for _, p := range all {
		if p.Status != task.PhaseCompleted || len(p.Turns) == 0 {
			continue
		}
		w := a.of(p)
		at, err := a.repo.Refs.Get(ctx, w.ref())
		if errors.Is(err, gitstore.ErrNotExist) {
			continue
		}
		merged := false
		if err == nil {
			merged, err = a.isAncestor(ctx, at, tip)
		}
		if err != nil {
			return err
		}
		if !merged {
			note(p, "it was completed elsewhere; what was begun here stays in "+w.dir)
		} else if err := a.remove(ctx, w, at); err != nil {
			note(p, err.Error())
		}
	}
	return nil
}

// checkedOut is the work tree that has a branch checked out, "" for none.
func (a *trees) checkedOut(ctx context.Context, branch string) (string, error) {
	out, err := a.git().Run(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return "", err
	}
	dir := ""
	for line := range bytes.SplitSeq(out, []byte{0}) {
		name, value, _ := strings.Cut(string(line), " ")
		switch {
		case name == "worktree":
			dir = value
		case name == "branch" && value == "refs/heads/"+branch:
			return dir, nil
		}
	}
	return "", nil
}

// locked reports whether somebody locked a tree, with the reason in brackets.
func (a *trees) locked(ctx context.Context, w tree) (why string, is bool) {
	out, err := a.git().Run(ctx, "worktree", "list", "--porcelain")
	if err != nil {
		return "", false
	}
	for entry := range strings.SplitSeq(string(out), "\n\n") {
		if !strings.HasPrefix(entry, "worktree "+filepath.ToSlash(w.dir)+"\n") {
			continue
		}
		for line := range strings.SplitSeq(entry, "\n") {
			if text, found := strings.CutPrefix(line, "locked"); found {
				if text = strings.TrimSpace(text); text != "" {
					text = " (" + text + ")"
				}
				return text, true
			}
		}
	}
	return "", false
}
