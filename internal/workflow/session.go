package workflow

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// Sessions lists the sessions of this clone, the latest first.
func (s *Sessions) Sessions(ctx context.Context) ([]Session, error) {
	tip, err := s.clone.ledger.Tip(ctx, s.clone.cloneRef())
	if err != nil || tip.IsZero() {
		return nil, err
	}
	months, err := s.clone.ledger.Dir(ctx, tip, "sessions")
	if err != nil {
		return nil, err
	}
	var all []Session
	for _, m := range months {
		if m.Mode != gitstore.ModeDir {
			continue
		}
		if err := eachJSON(ctx, s.clone.ledger, tip, path.Join("sessions", m.Name), func(_ string, e Session) { all = append(all, e) }); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b Session) int {
		return cmp.Or(cmp.Compare(b.SeenAt, a.SeenAt), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

// SessionOf finds a session by its id or a unique beginning of it; empty: the
// caller's own, else the latest.
func (s *Sessions) SessionOf(ctx context.Context, arg string) (Session, error) {
	all, err := s.Sessions(ctx)
	if err != nil {
		return Session{}, err
	}
	if arg == "" {
		arg = s.clone.caller.Session
	}
	if arg == "" && len(all) > 0 {
		return all[0], nil
	}
	if arg == "" {
		return Session{}, &NotFoundError{Kind: ErrNotFound, Msg: "no session was seen yet", Hint: "'git brew init' lets agents tell of theirs"}
	}
	var found []Session
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
		return Session{}, noSession(arg)
	case 1:
		return found[0], nil
	}
	return Session{}, &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("%d sessions begin with %q", len(found), arg), Hint: "type more of the id"}
}

// SetSession changes what can be said of a session by hand: its title, its
// task, its correlation. Empty fields stay.
func (s *Sessions) SetSession(ctx context.Context, id, title string, of task.ID, correlation string) (Session, error) {
	return s.editSession(ctx, id, func(_ context.Context, _ *cloneChange, e *Session) error {
		e.Title, e.Task, e.Correlation = cmp.Or(title, e.Title), cmp.Or(of, e.Task), cmp.Or(correlation, e.Correlation)
		return nil
	})
}

// editSession changes a session as it is when the change is made.
func (s *Sessions) editSession(ctx context.Context, id string, edit func(ctx context.Context, c *cloneChange, e *Session) error) (Session, error) {
	found, err := s.SessionOf(ctx, id)
	if err != nil {
		return found, err
	}
	var after Session
	err = s.clone.changeClone(ctx, "session "+task.ShortSession(found.ID)+": set by hand", func(ctx context.Context, c *cloneChange) error {
		e, known, err := c.session(ctx, found.ID)
		if err != nil {
			return err
		}
		if !known {
			return noSession(found.ID)
		}
		if err := edit(ctx, c, &e); err != nil {
			return err
		}
		after = e
		return c.setSession(ctx, e)
	})
	return after, err
}

func noSession(id string) error {
	return &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("no session %q", id), Hint: "see 'git brew session list'"}
}

// adopt records the task of a work tree that has none of its own: an agent's
// own work tree, say, where the agent's shell does not tell where its session
// started.
func (s *Sessions) adopt(ctx context.Context, id task.ID) error {
	if id == "" || s.clone.Repo.WorkTree() == "" {
		return nil
	}
	own, err := s.place.hereIn(ctx, s.clone.Repo)
	if err != nil || own != "" {
		return err
	}
	return s.clone.changeClone(ctx, "work tree: "+string(id), func(ctx context.Context, c *cloneChange) error {
		w := c.worktree(s.clone.Repo)
		if w.Task == id || (w.Task != "" && s.clone.ledger.HasTask(ctx, string(w.Task))) {
			return nil
		}
		w.Task = id
		return c.setWorkTree(ctx, s.clone.Repo, w)
	})
}

// Correlate ties a session to a correlation of 8 hexadecimal digits, or to the
// one of another session.
func (s *Sessions) Correlate(ctx context.Context, id, with string) (Session, error) {
	if isCorrelation(with) {
		return s.SetSession(ctx, id, "", "", with)
	}
	to, err := s.SessionOf(ctx, with)
	if err != nil {
		return Session{}, err
	}
	return s.editSession(ctx, id, func(ctx context.Context, c *cloneChange, e *Session) error {
		other, known, err := c.session(ctx, to.ID)
		if err == nil && !known {
			err = noSession(to.ID)
		}
		e.Correlation = cmp.Or(other.Correlation, correlationAnew(to.ID, other.Task))
		return err
	})
}

func isCorrelation(text string) bool {
	return len(text) == 8 && strings.Trim(text, "0123456789abcdef") == ""
}
