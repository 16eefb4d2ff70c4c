package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// schemaVersion is the version of the records that this package itself keeps.
const schemaVersion = task.Schema

// WorkTree is what is recorded of a work tree: worktrees/<key>.json in the
// clone's record.
type WorkTree struct {
	Path string    `json:"path"`
	Mode ModeState `json:"mode"`
	// Task is the one recorded for a work tree that has no task's branch
	// checked out (an agent's or a runner's own).
	Task task.ID `json:"task,omitempty"`
}

// cloneState is what the snapshot of this clone's record holds: the work trees
// and the sessions that were seen lately.
type cloneState struct {
	WorkTrees map[string]WorkTree `json:"worktrees,omitempty"`
	Sessions  map[string]Session  `json:"sessions,omitempty"`
}

// worktree is what is recorded of the work tree that repo is seen from. Git
// gives the name of a removed one to the next: the path tells them apart.
func (c cloneState) worktree(repo *gitstore.Repo) WorkTree {
	if w := c.WorkTrees[worktreeKey(repo)]; w.Path == repo.WorkTree() {
		return w
	}
	return WorkTree{}
}

// sessionsInSnapshot is how long an ended or silent session stays in the
// snapshot; older ones are read from their objects.
const sessionsInSnapshot = 48 * time.Hour

func (s *Service) cloneRef() gitstore.RefName { return ledger.CloneRef(s.clone) }

func (s *Service) cloneBrief(ctx context.Context) (cloneState, error) {
	c, _, err := ledger.Brief(ctx, s.ledger, s.cloneRef(), s.readClone)
	if err != nil {
		return c, fmt.Errorf("read this clone's record: %w", err)
	}
	return c, nil
}

func (s *Service) readClone(ctx context.Context, tip gitstore.OID) (cloneState, error) {
	c := cloneState{WorkTrees: map[string]WorkTree{}, Sessions: map[string]Session{}}
	if err := eachJSON(ctx, s.ledger, tip, "worktrees", func(name string, w WorkTree) { c.WorkTrees[name] = w }); err != nil {
		return c, err
	}
	oldest := s.now().Add(-sessionsInSnapshot)
	for month := range monthsSince(oldest, s.now()) {
		err := eachJSON(ctx, s.ledger, tip, path.Join("sessions", month), func(_ string, e Session) {
			if t, ok := parseTime(e.SeenAt); ok && t.After(oldest) {
				c.Sessions[e.ID] = e
			}
		})
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// monthsSince yields the names of the months from one time to another.
func monthsSince(from, to time.Time) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		from, to = from.UTC(), to.UTC()
		for m := time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, time.UTC); !m.After(to); m = m.AddDate(0, 1, 0) {
			if !yield(m.Format("2006-01")) {
				return
			}
		}
	}
}

// eachJSON reads the JSON files of a directory of a record. A file that is not
// what it should be is passed over: this record is this clone's own notebook.
func eachJSON[T any](ctx context.Context, l *ledger.Ledger, tip gitstore.OID, dir string, visit func(name string, v T)) error {
	entries, err := l.Dir(ctx, tip, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name, ".json")
		if !ok || e.Mode == gitstore.ModeDir {
			continue
		}
		data, err := l.Blob(ctx, e.OID.String())
		if errors.Is(err, gitstore.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		var v T
		if json.Unmarshal(data, &v) == nil {
			visit(name, v)
		}
	}
	return nil
}

// cloneChange is a change of the clone's record under way.
type cloneChange struct {
	s     *Service
	state cloneState
	files map[string][]byte
}

func (c *cloneChange) worktree() WorkTree {
	w := c.state.worktree(c.s.repo)
	w.Path = c.s.repo.WorkTree()
	return w
}

func (c *cloneChange) setWorkTree(w WorkTree) {
	key := c.s.worktreeKey()
	c.state.WorkTrees[key] = w
	c.put(path.Join("worktrees", key+".json"), w)
}

func (c *cloneChange) setSession(e Session) {
	c.state.Sessions[e.ID] = e
	c.put(e.path(), e)
}

func (c *cloneChange) put(name string, v any) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return // these types always encode
	}
	c.files[name] = append(data, '\n')
}

// changeClone changes this clone's record: one commit, whatever fn did, and
// none where it did nothing.
func (s *Service) changeClone(ctx context.Context, subject string, fn func(ctx context.Context, c *cloneChange) error) error {
	ref := s.cloneRef()
	return s.ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		if _, err := tx.Tip(ctx, ref); err != nil {
			return err
		}
		state, err := s.cloneBrief(ctx)
		if err != nil {
			return err
		}
		c := &cloneChange{s: s, state: state.copy(), files: map[string][]byte{}}
		if err := fn(ctx, c); err != nil || len(c.files) == 0 {
			return err
		}
		tip, err := tx.Put(ctx, ref, c.files, subject+"\n")
		if err != nil {
			return err
		}
		c.state.forget(s.now().Add(-sessionsInSnapshot))
		tx.After(func(context.Context) { s.ledger.Store(ref, tip, c.state) })
		return nil
	})
}

func (c cloneState) copy() cloneState {
	out := cloneState{WorkTrees: map[string]WorkTree{}, Sessions: map[string]Session{}}
	for k, v := range c.WorkTrees {
		out.WorkTrees[k] = v
	}
	for k, v := range c.Sessions {
		out.Sessions[k] = v
	}
	return out
}

func (c cloneState) forget(before time.Time) {
	for id, e := range c.Sessions {
		if t, ok := parseTime(e.SeenAt); !ok || t.Before(before) {
			delete(c.Sessions, id)
		}
	}
}
