// Package session keeps what an agent's session is at: its view of the task, its mode, its
// phrases, its start and its end.
package session

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// Sessions keeps what agents' sessions are at: their mode, their view, their end.
type Sessions struct {
	*change.Engine
	Claims *claim.Claims
}

// Sessions lists the sessions of this clone, the latest first.
func (s *Sessions) Sessions(ctx context.Context) ([]clone.Session, error) {
	tip, err := s.Clone.Ledger.Tip(ctx, s.Clone.Ref())
	if err != nil || tip.IsZero() {
		return nil, err
	}
	months, err := s.Clone.Ledger.Dir(ctx, tip, "sessions")
	if err != nil {
		return nil, err
	}
	var all []clone.Session
	for _, m := range months {
		if m.Mode != gitstore.ModeDir {
			continue
		}
		if err := clone.EachJSON(ctx, s.Clone.Ledger, tip, path.Join("sessions", m.Name),
			func(_ string, e clone.Session) { all = append(all, e) }); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b clone.Session) int {
		return cmp.Or(cmp.Compare(b.SeenAt, a.SeenAt), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

// SessionOf finds a session by its id or a unique beginning of it; empty: the
// caller's own, else the latest.
func (s *Sessions) SessionOf(ctx context.Context, arg string) (clone.Session, error) {
	all, err := s.Sessions(ctx)
	if err != nil {
		return clone.Session{}, err
	}
	if arg == "" {
		arg = s.Clone.Caller.Session
	}
	if arg == "" && len(all) > 0 {
		return all[0], nil
	}
	if arg == "" {
		return clone.Session{}, clone.NotFound("'git brew init' lets agents tell of theirs", "no session was seen yet")
	}
	var found []clone.Session
	for _, e := range all {
		if e.ID == arg || e.ID == task.SessionName(arg) {
			return e, nil
		}
		if strings.HasPrefix(e.ID, arg) {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 0:
		return clone.Session{}, noSession(arg)
	case 1:
		return found[0], nil
	}
	return clone.Session{}, clone.NotFound("type more of the id", "%d sessions begin with %q", len(found), arg)
}

// SetSession changes what can be said of a session by hand: its title, its
// task, its correlation. Empty fields stay.
func (s *Sessions) SetSession(ctx context.Context, id, title string, of task.ID,
	correlation string,
) (after clone.Session, err error) {
	found, err := s.SessionOf(ctx, id)
	if err != nil {
		return found, err
	}
	err = s.Clone.Update(ctx, "session "+task.ShortSession(found.ID)+": set by hand",
		func(ctx context.Context, c *clone.Change) error {
			e, known, err := c.Session(ctx, found.ID)
			if err == nil && !known {
				err = noSession(found.ID)
			}
			if err != nil {
				return err
			}
			e.Title, e.Task, e.Correlation = cmp.Or(title, e.Title), cmp.Or(of, e.Task), cmp.Or(correlation, e.Correlation)
			after = e
			return c.SetSession(ctx, e)
		})
	return after, err
}

func noSession(id string) error {
	return clone.NotFound("see 'git brew session list'", "no session %q", id)
}

// Adopt records the task of a work tree that has none of its own: an agent's
// own work tree, say, where the agent's shell does not tell where its session
// started.
func (s *Sessions) Adopt(ctx context.Context, id task.ID) error {
	if id == "" || s.Clone.Repo.WorkTree == "" {
		return nil
	}
	own, err := s.Place.HereIn(ctx, s.Clone.Repo)
	if err != nil || own != "" {
		return err
	}
	return s.Clone.Update(ctx, "work tree: "+string(id), func(ctx context.Context, c *clone.Change) error {
		w := c.Worktree(s.Clone.Repo)
		if w.Task == id || (w.Task != "" && s.Clone.Ledger.HasTask(ctx, string(w.Task))) {
			return nil
		}
		w.Task = id
		return c.SetWorkTree(ctx, s.Clone.Repo, w)
	})
}

// Correlate ties a session to a correlation of 8 hexadecimal digits, or to the
// one of another session.
func (s *Sessions) Correlate(ctx context.Context, id, with string) (clone.Session, error) {
	if len(with) != 8 || strings.Trim(with, "0123456789abcdef") != "" {
		to, err := s.SessionOf(ctx, with)
		if err != nil {
			return to, err
		}
		with = cmp.Or(to.Correlation, journal.CorrelationAnew(to.ID, to.Task))
	}
	return s.SetSession(ctx, id, "", "", with)
}
