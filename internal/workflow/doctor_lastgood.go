package workflow

import (
	"context"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// lostGood finds the latest state of a task whose tip is no commit any more, so
// that nothing leads to what came before it: what a remote was last seen to
// have, or else among the commits that no ref leads to, which git keeps for
// weeks. It reads the whole repository, and is for the doctor alone.
func (s *Service) lostGood(ctx context.Context, ref gitstore.RefName) (found gitstore.OID, when string) {
	id, ok := ledger.TaskOf(ref)
	if !ok {
		return found, ""
	}
	var candidates []gitstore.OID
	seen, err := s.repo.Refs(ctx, ledger.AllTracking)
	if err != nil {
		return found, ""
	}
	for _, r := range seen {
		if of, ok := ledger.TrackedOnce(r.Name); ok && of == ref && r.Err == nil {
			candidates = append(candidates, r.OID)
		}
	}
	best := s.latest(ctx, task.ID(id), candidates)
	if best.oid.IsZero() {
		best = s.latest(ctx, task.ID(id), s.loose(ctx))
	}
	return best.oid, best.when
}

// stateAt is a task's state at a commit, shortly.
type stateAt struct {
	oid   gitstore.OID
	clock uint64
	when  string
}

// latest is the candidate with the highest clock at which the task can be read,
// every object of it.
func (s *Service) latest(ctx context.Context, id task.ID, candidates []gitstore.OID) stateAt {
	var best stateAt
	whole := map[gitstore.OID]bool{}
	for _, oid := range candidates {
		if ctx.Err() != nil {
			break
		}
		t, err := ledger.Load(ctx, s.ledger, taskLaw{}, oid)
		if err != nil || t.ID != id || t.Clock <= best.clock || s.ledger.Whole(ctx, oid, whole) != nil {
			continue
		}
		if c, err := s.repo.Commit(ctx, oid); err == nil {
			best = stateAt{oid, t.Clock, goodAt(c)}
		}
	}
	return best
}

// loose are the commits that are not among the code's, as far as refs tell: of
// all objects, for `git fsck --unreachable` gives up at the first damaged one.
func (s *Service) loose(ctx context.Context) []gitstore.OID {
	code := map[string]bool{}
	if out, err := s.repo.Git(ctx, "rev-list", "--branches", "--remotes", "--tags"); err == nil {
		for line := range strings.Lines(string(out)) {
			code[strings.TrimSpace(line)] = true
		}
	}
	out, err := s.repo.Git(ctx, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)", "--unordered")
	if err != nil {
		return nil
	}
	var commits []gitstore.OID
	for line := range strings.Lines(string(out)) {
		name, ok := strings.CutSuffix(strings.TrimSpace(line), " commit")
		if oid, err := gitstore.ParseOID(name); ok && err == nil && !code[name] {
			commits = append(commits, oid)
		}
	}
	return commits
}

// goodAt is when a good state was recorded, as the doctor tells it.
func goodAt(c gitstore.Commit) string { return c.Committer.When.UTC().Format("2006-01-02 15:04:05Z") }
