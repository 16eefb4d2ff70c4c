package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// cloneChange is a change of the clone's record under way.
type cloneChange struct {
	s       *Clone
	tip     gitstore.OID
	subject string
	state   cloneState
	files   map[string][]byte
	at      map[string]string // where sessions lie that were looked up, by id
}

// file is a file's text at the tip, nil where it has none that can be read.
func (c *cloneChange) file(ctx context.Context, name string) []byte {
	if c.tip.IsZero() {
		return nil
	}
	data, err := c.s.ledger.File(ctx, c.tip, name)
	if err != nil {
		return nil
	}
	return data
}

func (c *cloneChange) worktree(repo *gitstore.Repo) WorkTree {
	w := c.state.worktree(repo)
	w.Path = repo.WorkTree()
	return w
}

func (c *cloneChange) setWorkTree(ctx context.Context, repo *gitstore.Repo, w WorkTree) error {
	key := worktreeKey(repo)
	name := path.Join("worktrees", key+".json")
	var old []byte
	if c.state.WorkTrees[key].Path == w.Path {
		old = c.file(ctx, name)
	}
	c.state.WorkTrees[key] = w
	return c.put(name, old, w)
}

// session looks a session up among all that this clone ever saw.
func (c *cloneChange) session(ctx context.Context, id string) (e Session, known bool, err error) {
	if c.tip.IsZero() {
		return e, false, nil
	}
	months, err := c.s.ledger.Dir(ctx, c.tip, "sessions")
	if err != nil {
		return e, false, ctx.Err() // what can't be read is not recorded
	}
	for _, m := range slices.Backward(months) {
		name := path.Join("sessions", m.Name, sessionFile(id))
		if data := c.file(ctx, name); data != nil && json.Unmarshal(data, &e) == nil {
			c.at[id] = name
			return e, true, nil
		}
	}
	return e, false, ctx.Err()
}

// setSession writes a session that session looked up, or a new one.
func (c *cloneChange) setSession(ctx context.Context, e Session) error {
	c.state.set(e)
	before := c.at[e.ID]
	old := []byte(nil)
	if before != "" {
		old = c.file(ctx, before)
		if before != e.path() {
			c.files[before] = nil
		}
	}
	return c.put(e.path(), old, e)
}

func (c *cloneChange) put(name string, old []byte, v any) (err error) {
	c.files[name], err = encodeKeeping(old, v)
	return err
}

// changeClone changes this clone's record: one commit, whatever fn did, and
// none where it did nothing. What can't be read of a broken record is left
// behind in its history. A *RecordError: the ref itself can't be read.
func (s *Clone) changeClone(ctx context.Context, subject string, fn func(ctx context.Context, c *cloneChange) error) error {
	return s.ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return s.changeCloneIn(ctx, tx, subject, fn)
	})
}

// changeCloneIn is changeClone as a part of a larger change.
func (s *Clone) changeCloneIn(ctx context.Context, tx *ledger.Tx, subject string, fn func(ctx context.Context, c *cloneChange) error) error {
	ref := s.cloneRef()
	tip, err := tx.Tip(ctx, ref)
	if err != nil {
		return cmp.Or(ctx.Err(), error(&RecordError{ref, err}))
	}
	state, err := s.cloneAt(ctx, tip)
	if err != nil {
		return err
	}
	c := &cloneChange{s: s, tip: tip, subject: subject, state: state.copy(), files: map[string][]byte{}, at: map[string]string{}}
	if err := fn(ctx, c); err != nil || len(c.files) == 0 {
		return err
	}
	next, err := tx.PutOver(ctx, ref, c.files, c.subject+"\n")
	if err != nil {
		return err
	}
	if c.state.broken == nil {
		c.state.forget(s.Now().Add(-sessionsInSnapshot))
		tx.Snapshot(ref, next, func() any { return c.state })
	}
	return nil
}
