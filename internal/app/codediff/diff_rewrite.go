package codediff

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/notes"
	"github.com/git-brew/git-brew/internal/task"
)

// followRewrite finds what a rebase or an amend made of a range's commits, in
// the history of the task's branch.
func (s *Code) followRewrite(ctx context.Context, t task.Task, r DiffRange, open bool) (DiffRange, error) {
	tip, err := s.Clone.Repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+t.Branch))
	if errors.Is(err, gitstore.ErrNotExist) {
		return r, nil // the branch is gone: the kept commits still tell
	}
	if err != nil {
		return r, err
	}
	return s.followTo(ctx, t, r, open, tip)
}

// followTo is followRewrite in the history of tip. The range is open where its
// end is not recorded: then the commits that came in from the base branch since
// its start are left out.
func (s *Code) followTo(ctx context.Context, t task.Task, r DiffRange, open bool, tip gitstore.OID) (DiffRange, error) {
	from, err := s.successor(ctx, t, r.From, tip)
	if err != nil {
		return r, err
	}
	out := r
	if !open {
		if out.To, err = s.successor(ctx, t, r.To, tip); err != nil {
			return r, err
		}
		if out.To == "" || out.To == r.To && from == r.From {
			return r, nil // the commits as they were recorded belong together
		}
	}
	if from != "" && from != r.From {
		out.From, out.Moved = from, MovedStart
	} else if out.From, err = s.sinceBase(ctx, t, r.From, from != "", tip); err != nil || out.From == "" {
		return r, err
	} else {
		out.Moved = MovedBase
	}
	out.Rewritten = true
	return out, nil
}

// sinceBase is where the history of tip leaves the task's base branch, where
// that is behind start, or start is lost: what is between start and there is
// somebody else's. It is "" where the branch has made commits of that: then they
// were merged.
func (s *Code) sinceBase(ctx context.Context, t task.Task, start string, there bool, tip gitstore.OID) (string, error) {
	refs := []string{}
	if t.Base != "" {
		if base, err := s.Clone.Repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+t.Base)); err == nil {
			refs = append(refs, base.String())
		}
		if theirs, err := s.Clone.Repo.Branches.Remote(ctx, t.Base); err == nil {
			for _, ref := range theirs {
				refs = append(refs, ref.OID.String())
			}
		}
	}
	if len(refs) == 0 {
		return "", nil
	}
	out, err := s.Clone.Repo.Git.Run(ctx, append([]string{"merge-base", "--end-of-options", tip.String()}, refs...)...)
	at := strings.TrimSpace(string(out))
	if err != nil || at == "" || at == start || at == tip.String() {
		return "", nil //nolint:nilerr // histories without a common commit
	}
	if there {
		old, err := gitstore.ParseOID(start)
		if err != nil {
			return "", err
		}
		oid, err := gitstore.ParseOID(at)
		if err != nil {
			return "", err
		}
		if is, err := s.Clone.Repo.History.IsAncestor(ctx, old, oid); err != nil || !is {
			return "", err
		}
	}
	if s.hasBeen(ctx, t.Branch, at) && s.hasMade(ctx, t.Branch, start, at) {
		return "", nil
	}
	return at, nil
}

// hasMade reports whether a commit between two was made on a branch, and not only
// reached, as main is by 'git reset --soft main' for a squash, or by a fast-forward.
// Where git does not know, it was.
func (s *Code) hasMade(ctx context.Context, branch, from, to string) bool {
	between, err := s.Clone.Repo.Git.Run(ctx, "rev-list", "--end-of-options", to, "^"+from, "--")
	made, lerr := s.reflog(ctx, branch)
	if err != nil || lerr != nil {
		return true
	}
	commits := strings.Fields(string(between))
	return slices.ContainsFunc(made, func(line string) bool {
		commit, how, _ := strings.Cut(strings.ToLower(line), " ")
		reached := strings.HasPrefix(how, "reset: ") || strings.HasPrefix(how, "branch: ") ||
			strings.HasSuffix(how, "fast-forward") || strings.HasSuffix(how, " onto "+commit)
		return !reached && slices.Contains(commits, commit)
	})
}

// hasBeen reports whether a branch has stood at a commit in this clone. No reflog,
// as in a bare repository, tells nothing.
func (s *Code) hasBeen(ctx context.Context, branch, commit string) bool {
	been, _ := s.reflog(ctx, branch)
	return slices.ContainsFunc(been, func(line string) bool { return strings.HasPrefix(line, commit) })
}

// reflog is where a branch has stood in this clone, and how it came there.
func (s *Code) reflog(ctx context.Context, branch string) ([]string, error) {
	out, err := s.Clone.Repo.Git.Run(ctx, "log", "-g", "--no-show-signature", "--format=%H %gs", "--end-of-options",
		"refs/heads/"+branch, "--")
	return strings.Split(strings.TrimSpace(string(out)), "\n"), err
}

// emptyTree is what a history without commits is compared with.
func (s *Code) emptyTree(ctx context.Context) (string, error) {
	out, err := s.Clone.Repo.Git.Input(ctx, nil, "hash-object", "-t", "tree", "--stdin")
	return strings.TrimSpace(string(out)), err
}

// successor finds a recorded commit in the history of tip: itself, or what carries its
// note or makes its change; "" for none.
func (s *Code) successor(ctx context.Context, t task.Task, commit string, tip gitstore.OID) (string, error) {
	oid, err := gitstore.ParseOID(commit)
	if err != nil {
		return "", err
	}
	has, err := s.Clone.Repo.Objects.Has(ctx, oid)
	if err != nil {
		return "", err
	}
	if has {
		if is, err := s.Clone.Repo.History.IsAncestor(ctx, oid, tip); err != nil || is {
			return commit, err
		}
	}
	if lines, err := notes.Lines(ctx, s.Clone.Ledger.Reading(ctx), oid); err == nil && len(lines) > 0 {
		if next := s.noted(ctx, t, tip, lines); next != "" {
			return next, nil
		}
	}
	if !has {
		return "", nil
	}
	next, err := s.Clone.Repo.History.SamePatch(ctx, oid, commit+"^@", tip)
	if err != nil || next.IsZero() {
		return "", err
	}
	return next.String(), nil
}

// Starts are the successors of the start commits of a phase and of what it
// belongs to, where history was rewritten while they ran: a phase that ends at
// commit began before it (S-38).
func (s *Code) Starts(ctx context.Context, t task.Task, p task.Phase, commit string) map[task.UID]string {
	tip, err := gitstore.ParseOID(commit)
	if err != nil {
		return nil
	}
	var moved map[task.UID]string
	for ok := true; ok; p, ok = t.Phase(p.Parent) {
		if p.StartCommit == "" || p.StartCommit == commit {
			continue
		}
		r, err := s.followTo(ctx, t, DiffRange{From: p.StartCommit}, true, tip)
		if err != nil || !r.Rewritten {
			continue // it is told, no more: what can't be found stays as it was
		}
		if moved == nil {
			moved = map[task.UID]string{}
		}
		moved[p.UID] = r.From
	}
	return moved
}

// noted looks for the commit in the branch that carries one of the lines about
// this task that the replaced commit's note had.
func (s *Code) noted(ctx context.Context, t task.Task, tip gitstore.OID, lines []string) string {
	out, err := s.Clone.Repo.Git.Run(ctx, "-c", "core.notesRef="+string(ledger.NotesRef), "log", "-n", "1000", "--notes",
		"--no-show-signature", "--format=%x00%H%n%N", tip.String(), "--")
	if err != nil {
		return ""
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		commit, note, _ := strings.Cut(entry, "\n")
		have := strings.Split(note, "\n")
		if slices.ContainsFunc(lines, func(line string) bool {
			return strings.HasPrefix(line, string(t.ID)+":") && slices.Contains(have, line)
		}) {
			return commit
		}
	}
	return ""
}
