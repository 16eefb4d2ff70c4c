package workflow

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// Session is one run of an agent, as this clone saw it.
type Session struct {
	ID        string  `json:"id"`
	Title     string  `json:"title,omitempty"`
	Source    string  `json:"source,omitempty"` // of its last start: startup, resume, clear, compact, fork
	Model     string  `json:"model,omitempty"`
	WorkTree  string  `json:"worktree,omitempty"`
	Task      task.ID `json:"task,omitempty"` // the last one it worked on
	StartedAt string  `json:"started_at"`
	SeenAt    string  `json:"seen_at"`
	EndedAt   string  `json:"ended_at,omitempty"`
	EndReason string  `json:"end_reason,omitempty"`
	// Correlation ties the sessions of a task together: 8 hexadecimal digits.
	Correlation string `json:"correlation,omitempty"`
	// Compactions counts how often its context was compacted.
	Compactions int `json:"compactions,omitempty"`
	// StopBlocks counts how often in a row it was kept from stopping, while
	// the task's tip stayed StopMark.
	StopBlocks int    `json:"stop_blocks,omitempty"`
	StopMark   string `json:"stop_mark,omitempty"`
}

// sessionName makes a file name of a session's id, whatever it is.
func sessionName(id string) string {
	plain := len(id) > 0 && len(id) <= 64 && id[0] != '.' && strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
	if plain && !strings.Contains(id, "..") {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "hashed-" + hex.EncodeToString(sum[:16])
}

// path is where the session lies in the clone's record: by the month it
// started, so that a reader of the latest ones need not list them all.
func (e Session) path() string {
	return path.Join("sessions", month(e.StartedAt), sessionName(e.ID)+".json")
}

func month(ts string) string {
	if t, ok := parseTime(ts); ok {
		return t.UTC().Format("2006-01")
	}
	return "unknown"
}

// Sessions lists the sessions of this clone, the latest first.
func (s *Service) Sessions(ctx context.Context) ([]Session, error) {
	tip, err := s.ledger.Tip(ctx, s.cloneRef())
	if err != nil || tip.IsZero() {
		return nil, err
	}
	months, err := s.ledger.Dir(ctx, tip, "sessions")
	if err != nil {
		return nil, err
	}
	var all []Session
	for _, m := range months {
		if m.Mode != gitstore.ModeDir {
			continue
		}
		if err := eachJSON(ctx, s.ledger, tip, path.Join("sessions", m.Name), func(_ string, e Session) { all = append(all, e) }); err != nil {
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
func (s *Service) SessionOf(ctx context.Context, arg string) (Session, error) {
	all, err := s.Sessions(ctx)
	if err != nil {
		return Session{}, err
	}
	if arg == "" {
		arg = s.caller.Session
	}
	if arg == "" && len(all) > 0 {
		return all[0], nil
	}
	if arg == "" {
		return Session{}, &NotFoundError{Kind: ErrNotFound, Msg: "no session was seen yet", Hint: "'git brew init' lets agents tell of theirs"}
	}
	var found []Session
	for _, e := range all {
		if e.ID == arg {
			return e, nil
		}
		if strings.HasPrefix(e.ID, arg) {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 0:
		return Session{}, &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("no session %q", arg), Hint: "see 'git brew session list'"}
	case 1:
		return found[0], nil
	}
	return Session{}, &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("%d sessions begin with %q", len(found), arg), Hint: "type more of the id"}
}

// SetSession changes what can be said of a session by hand: its title, its
// task, its correlation. Empty fields stay.
func (s *Service) SetSession(ctx context.Context, id, title string, of task.ID, correlation string) (Session, error) {
	e, err := s.SessionOf(ctx, id)
	if err != nil {
		return e, err
	}
	e.Title, e.Task, e.Correlation = cmp.Or(title, e.Title), cmp.Or(of, e.Task), cmp.Or(correlation, e.Correlation)
	err = s.changeClone(ctx, "session "+shortSession(e.ID)+": set by hand", func(_ context.Context, c *cloneChange) error {
		c.setSession(e)
		return nil
	})
	return e, err
}

// adopt records the task of a work tree that has none of its own: an agent's
// own work tree, say, where the agent's shell does not tell where its session
// started.
func (s *Service) adopt(ctx context.Context, id task.ID) error {
	if id == "" || s.repo.WorkTree() == "" {
		return nil
	}
	own, err := s.hereIn(ctx, s.repo)
	if err != nil || own != "" {
		return err
	}
	return s.changeClone(ctx, "work tree: "+string(id), func(_ context.Context, c *cloneChange) error {
		w := c.worktree()
		w.Task = id
		c.setWorkTree(w)
		return nil
	})
}

// Correlate ties a session to a correlation of 8 hexadecimal digits, or to the
// one of another session.
func (s *Service) Correlate(ctx context.Context, id, with string) (Session, error) {
	if !isCorrelation(with) {
		other, err := s.SessionOf(ctx, with)
		if err != nil {
			return Session{}, err
		}
		with = cmp.Or(other.Correlation, shortHash(other.ID))
	}
	return s.SetSession(ctx, id, "", "", with)
}

func isCorrelation(text string) bool {
	return len(text) == 8 && strings.Trim(text, "0123456789abcdef") == ""
}
