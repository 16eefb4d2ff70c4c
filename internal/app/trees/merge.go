package trees

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
)

// Merge makes the commit that has both sides, without a work tree: tip itself where it
// leads on from onto. Where they conflict, it tells the files. A git that was killed is an
// error, and no conflict.
func (w Tree) Merge(ctx context.Context, tip, onto gitstore.OID, message string) (gitstore.OID, string, error) {
	base, err := w.Run(ctx, "merge-base", onto.String(), tip.String())
	switch {
	case err != nil:
		return gitstore.OID{}, "", err
	case base == onto.String():
		return tip, "", nil
	case base == tip.String():
		return onto, "", nil
	}
	out, err := w.Run(ctx, "merge-tree", "--write-tree", "--name-only", "--messages", onto.String(), tip.String())
	if failed, is := errors.AsType[*gitstore.CommandError](err); is && failed.Code == 1 && out != "" {
		_, named, _ := strings.Cut(out, "\n")
		return gitstore.OID{}, invisible.FirstLines(named, 40), nil
	}
	if err != nil {
		return gitstore.OID{}, "", err
	}
	merged, _, _ := strings.Cut(out, "\n")
	commit, err := bounded(ctx, w.git, []byte(message), "commit-tree", merged, "-p", onto.String(), "-p", tip.String(),
		"-F", "-")
	if err != nil {
		return gitstore.OID{}, "", err
	}
	oid, err := gitstore.ParseOID(strings.TrimSpace(string(commit)))
	return oid, "", err
}

// Advance moves the task's branch to a commit that leads on from where it was. A work tree
// that has the branch checked out goes along; changes there that are in the way keep it
// from moving. moved: the branch was elsewhere by now. A HookError says that it did move, and
// what git was ended in after that.
func (a *Trees) Advance(ctx context.Context, branch string, from, to gitstore.OID) (moved bool, err error) {
	if from == to {
		return false, nil
	}
	dir, err := a.checkedOut(ctx, branch)
	if err != nil {
		return false, err
	}
	for range lockTries {
		if dir != "" {
			if err := a.unlock(ctx, Tree{Dir: dir, git: a.gitIn(dir)}, from, to); err != nil {
				return false, err
			}
		}
		if err = a.move(ctx, dir, branch, from, to); !isLocked(err) {
			break
		}
		select {
		case <-ctx.Done():
		case <-time.After(lockPause):
		}
	}
	if err == nil {
		return false, nil
	}
	tip, terr := a.Repo.Refs.Get(context.WithoutCancel(ctx), gitstore.RefName("refs/heads/"+branch))
	why, failed := errors.AsType[*gitstore.CommandError](err)
	killed := !failed || why.Code < 0
	switch {
	case terr == nil && tip == to && !failed:
		return false, HookError{fmt.Errorf("%s is merged; a hook of git's did not end after that: %w", branch, err)}
	case terr == nil && tip != from:
		return tip != to, nil
	case dir == "":
		return false, err
	}
	if err := a.takenBack(ctx, branch, from, to, err, killed); err != nil {
		return false, err
	}
	return false, clone.Refuse("commit or move them, then 'git brew run' goes on",
		"changes in %s are in the way of what is merged: %v", dir, err)
}

// takenBack takes back what a git left that was killed, or refused by a hook in the end, and says so; nil
// where it left nothing.
func (a *Trees) takenBack(ctx context.Context, branch string, from, to gitstore.OID, failed error, killed bool) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), mendLimit)
	defer stop()
	switch dir, err := a.Mend(ctx, branch, from, to); {
	case err != nil:
		return fmt.Errorf("git was ended as it checked out what is merged, and the next run takes back what it left: "+
			"%w; %w", failed, err)
	case killed || dir != "":
		return fmt.Errorf("git did not come to its end as it checked out what is merged, and that is taken back: %w", failed)
	}
	return nil
}

// How often it is tried to move a branch that somebody has locked, or its work tree, and how long
// the next try waits: a git that tidies up, or shows what has changed, takes moments.
const (
	lockTries = 50
	lockPause = 200 * time.Millisecond
)

// isLocked reports that git found a lock of somebody else.
func isLocked(err error) bool {
	failed, is := errors.AsType[*gitstore.CommandError](err)
	return is && strings.Contains(failed.Stderr, ".lock': File exists")
}

// move moves a branch, with the work tree that has it checked out.
func (a *Trees) move(ctx context.Context, dir, branch string, from, to gitstore.OID) error {
	if dir == "" {
		_, err := bounded(ctx, a.Repo.Git, nil, "update-ref", "-m", "brew run", "refs/heads/"+branch, to.String(),
			from.String())
		return err
	}
	_, err := bounded(ctx, a.gitIn(dir), nil, "merge", "-q", "--ff-only", "--no-stat", "--no-autostash",
		"--end-of-options", to.String())
	return err
}

// Where says where a commit is, as seen from another one.
type Where int

const (
	Contained Where = iota // it leads to the other one
	Ahead                  // it goes on from the other one
	Elsewhere              // it is another line
	Missing                // it is not here
)

// Has says where a commit is, as seen from a tip.
func (a *Trees) Has(ctx context.Context, tip, commit gitstore.OID) (Where, error) {
	if there, err := a.Repo.Objects.Has(ctx, commit); err != nil || !there {
		return Missing, err
	}
	if is, err := a.IsAncestor(ctx, commit, tip); err != nil || is {
		return Contained, err
	}
	if is, err := a.IsAncestor(ctx, tip, commit); err != nil || is {
		return Ahead, err
	}
	return Elsewhere, nil
}

// Holds reports that a tip has what another line changed up to a commit, as after a rebase or a squash.
func (a *Trees) Holds(ctx context.Context, tip, commit gitstore.OID) (bool, error) {
	main := a.Main()
	merged, err := main.Run(ctx, "merge-tree", "--write-tree", tip.String(), commit.String())
	if failed, is := errors.AsType[*gitstore.CommandError](err); is && failed.Code > 0 {
		return false, nil // they conflict, or have no commit in common
	}
	if err != nil {
		return false, err
	}
	tree, err := main.Run(ctx, "rev-parse", "--verify", tip.String()+"^{tree}")
	return merged == tree, err
}

// IsAncestor reports whether a commit leads to another one, as they are stored.
func (a *Trees) IsAncestor(ctx context.Context, from, to gitstore.OID) (bool, error) {
	if from == to {
		return true, nil
	}
	_, err := bounded(ctx, a.git(), nil, "merge-base", "--is-ancestor", from.String(), to.String())
	if failed, is := errors.AsType[*gitstore.CommandError](err); is && failed.Code == 1 {
		return false, nil
	}
	return err == nil, err
}
