package session

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/transcript"
)

// StatusLine is what a status line shows of a work tree: an agent's view, and
// what git says of it as far as that is known at once.
type StatusLine struct {
	AgentView
	// Branch is what is checked out: a branch, one that is being rebased, or the
	// beginning of a commit's id.
	Branch string
	// Upstream is what the branch follows, "" for nothing. Ahead and Behind count
	// the commits that only one of them has, where Counted.
	Upstream      string
	Ahead, Behind int
	Counted       bool
	// Changes are tracked files that differ from HEAD, where Looked.
	Changes int
	Looked  bool
	// Services are those of the task here, and what is checked out in each.
	Services []worktree.ServiceState
}

// statusPatience is how long git may be asked what is not known yet.
const statusPatience = 300 * time.Millisecond

// uncounted is the memo of two commits that took too long to compare.
const uncounted = "uncounted"

// StatusLine reads it from snapshots and what was counted before. git is asked only
// about two commits that it was not asked about before, and about changed files once
// in a few seconds, neither longer than statusPatience.
func (s *Sessions) StatusLine(ctx context.Context) (StatusLine, error) {
	var out StatusLine
	var err error
	if out.AgentView, err = s.Agent(ctx); err != nil {
		return out, err
	}
	if t := out.Task; t != nil {
		out.Services = s.Place.ServiceStates(ctx, *t, false)
	}
	head, err := s.Clone.Repo.Refs.Head(ctx)
	if err != nil {
		return out, nil //nolint:nilerr // a line without a branch says more than none
	}
	out.Branch = cmp.Or(head.Branch, head.Rebasing)
	if out.Branch == "" && !head.OID.IsZero() {
		out.Branch = head.OID.Short()
	}
	s.compareUpstream(ctx, head, &out)
	out.Changes, out.Looked = s.Clone.Repo.Tree.Changes(ctx, head.OID)
	return out, nil
}

// compareUpstream counts how far a branch and its upstream are apart.
func (s *Sessions) compareUpstream(ctx context.Context, head gitstore.Head, out *StatusLine) {
	ref, err := s.Clone.Repo.Branches.Upstream(ctx, head.Branch)
	if err != nil || ref == "" || head.OID.IsZero() {
		return
	}
	theirs, err := s.Clone.Repo.Refs.Get(ctx, ref)
	if err != nil {
		return // it is gone, or was never fetched
	}
	out.Upstream = string(ref)
	if theirs == head.OID {
		out.Counted = true
		return
	}
	pair := head.OID.String() + " " + theirs.String()
	if data, err := gitfile.ReadFile(filepath.Join(s.Clone.Repo.CacheDir(), uncounted)); err == nil &&
		string(data) == pair {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, statusPatience)
	defer cancel()
	out.Ahead, out.Behind, err = s.Code.Apart(bounded, head.OID.String(), theirs.String())
	out.Counted = err == nil
	if err != nil && ctx.Err() == nil {
		_ = s.Clone.Repo.WriteCache(uncounted, []byte(pair)) // else it is tried again
	}
}

// Tell records that the caller's session is told what the marks stand for. It
// reports false where it was told all of it before, since its context began.
func (s *Sessions) Tell(ctx context.Context, marks ...string) (first bool, err error) {
	err = s.Clone.Update(ctx, "session "+task.ShortSession(s.Clone.Caller.Session)+": told "+strings.Join(marks, ", "),
		func(ctx context.Context, c *clone.Change) error {
			first = false
			e, err := s.own(ctx, c)
			if err != nil {
				return err
			}
			for _, mark := range marks {
				if !slices.Contains(e.Told, mark) {
					e.Told, first = append(e.Told, mark), true
				}
			}
			if !first {
				return nil
			}
			return c.SetSession(ctx, e)
		})
	return first, err
}

// ContextUse is how much of a model's context is used, in tokens; zero where nobody
// can tell.
type ContextUse struct{ Tokens, Window int64 }

// ContextUse reads it from the end of a transcript, whose path the client names.
// What is there is believed to be anything: this is a remark, and no file of ours.
func (s *Sessions) ContextUse(ctx context.Context, path string) ContextUse {
	if !filepath.IsAbs(path) {
		return ContextUse{}
	}
	file, err := gitfile.OpenRegular(path)
	if err != nil {
		return ContextUse{}
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return ContextUse{}
	}
	use, ok := transcript.LastUsage(file, info.Size())
	if !ok {
		return ContextUse{}
	}
	return ContextUse{Tokens: use.Tokens, Window: s.ContextWindow(ctx, use.Model, use.Tokens)}
}

// The sizes of models' contexts, in tokens.
const (
	usualWindow = 200_000
	largeWindow = 1_000_000
)

// windows is the memo of what the agent's client said of models' contexts, by model;
// maxWindows is how many are kept.
const (
	windows    = "context-windows"
	maxWindows = 20
)

// ContextWindow is the size of a model's context in tokens: what the settings
// say, else what the client said last, else what is usual; never less than what
// is used of it.
func (s *Sessions) ContextWindow(ctx context.Context, model string, used int64) int64 {
	if set, err := s.Config.Settings(ctx); err == nil && set.Text(config.KeyContextWindow) != "" {
		return int64(set.Count(config.KeyContextWindow))
	}
	if n := readWindows(s)[model]; n > 0 {
		return n
	}
	if strings.Contains(model, "[1m]") || used > usualWindow {
		return max(largeWindow, used)
	}
	return usualWindow
}

// NoteWindow keeps what the client says about a model's context.
func (s *Sessions) NoteWindow(model string, size int64) {
	all := readWindows(s)
	if model == "" || len(model) > 100 || size <= 0 || all[model] == size {
		return
	}
	if len(all) >= maxWindows {
		clear(all)
	}
	all[model] = size
	if data, err := json.Marshal(all); err == nil {
		_ = s.Clone.Repo.WriteCache(windows, data) // else the usual size is believed
	}
}

func readWindows(s *Sessions) map[string]int64 {
	all := map[string]int64{}
	data, err := gitfile.ReadFile(filepath.Join(s.Clone.Repo.CacheDir(), windows))
	if err != nil || json.Unmarshal(data, &all) != nil || all == nil {
		return map[string]int64{}
	}
	return all
}
