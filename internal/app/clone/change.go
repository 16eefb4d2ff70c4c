package clone

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// Change is a change of the clone's record under way.
type Change struct {
	s       *Clone
	Tip     gitstore.OID
	Subject string
	State   State
	Files   map[string][]byte
	at      map[string]string // where sessions lie that were looked up, by id
}

// file is a file's text at the tip, nil where it has none that can be read.
func (c *Change) file(ctx context.Context, name string) []byte {
	if c.Tip.IsZero() {
		return nil
	}
	data, err := c.s.Ledger.File(ctx, c.Tip, name)
	if err != nil {
		return nil
	}
	return data
}

func (c *Change) Worktree(repo *gitstore.Repo) WorkTree {
	w := c.State.Worktree(repo)
	w.Path = repo.WorkTree
	return w
}

func (c *Change) SetWorkTree(ctx context.Context, repo *gitstore.Repo, w WorkTree) error {
	key := WorktreeKey(repo)
	name := path.Join("worktrees", key+".json")
	var old []byte
	if c.State.WorkTrees[key].Path == w.Path {
		old = c.file(ctx, name)
	}
	c.State.WorkTrees[key] = w
	return c.Put(name, old, w)
}

// Session looks a session up among all that this clone ever saw.
func (c *Change) Session(ctx context.Context, id string) (e Session, known bool, err error) {
	if c.Tip.IsZero() {
		return e, false, nil
	}
	months, err := c.s.Ledger.Dir(ctx, c.Tip, "sessions")
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

// SetSession writes a session that session looked up, or a new one.
func (c *Change) SetSession(ctx context.Context, e Session) error {
	c.State.set(e)
	before := c.at[e.ID]
	old := []byte(nil)
	if before != "" {
		old = c.file(ctx, before)
		if before != e.Path() {
			c.Files[before] = nil
		}
	}
	return c.Put(e.Path(), old, e)
}

func (c *Change) Put(name string, old []byte, v any) (err error) {
	c.Files[name], err = EncodeKeeping(old, v)
	return err
}

// Update changes this clone's record: one commit, whatever fn did, and
// none where it did nothing. What can't be read of a broken record is left
// behind in its history. A *RecordError: the ref itself can't be read.
func (s *Clone) Update(ctx context.Context, subject string, fn func(ctx context.Context, c *Change) error) error {
	return s.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return s.UpdateIn(ctx, tx, subject, fn)
	})
}

// UpdateIn is Update as a part of a larger change.
func (s *Clone) UpdateIn(ctx context.Context, tx *ledger.Tx, subject string,
	fn func(ctx context.Context, c *Change) error,
) error {
	ref := s.Ref()
	tip, err := tx.Tip(ctx, ref)
	if err != nil {
		return cmp.Or(ctx.Err(), error(&RecordError{ref, err}))
	}
	state, err := s.StateAt(ctx, tip)
	if err != nil {
		return err
	}
	c := &Change{
		s: s, Tip: tip, Subject: subject, State: state.copy(), Files: map[string][]byte{},
		at: map[string]string{},
	}
	if err := fn(ctx, c); err != nil || len(c.Files) == 0 {
		return err
	}
	next, err := tx.PutOver(ctx, ref, c.Files, c.Subject+"\n")
	if err != nil {
		return err
	}
	if c.State.Broken == nil {
		c.State.Forget(s.Now().Add(-SessionsInSnapshot))
		tx.Snapshot(ref, next, func() any { return c.State })
	}
	return nil
}

// Session is one run of an agent, as this clone saw it.
type Session struct {
	SessionBrief
	Source   string `json:"source,omitempty"` // of its last start: startup, resume, clear, compact, fork
	Model    string `json:"model,omitempty"`
	WorkTree string `json:"worktree,omitempty"`
	// Transcript is the path of what was said, as the client gave it.
	Transcript string `json:"transcript,omitempty"`
	StartedAt  string `json:"started_at"`
	EndedAt    string `json:"ended_at,omitempty"`
	EndReason  string `json:"end_reason,omitempty"`
	// Compactions counts how often its context was compacted.
	Compactions int `json:"compactions,omitempty"`
}

// Path is where the session lies in the clone's record: by the month it was
// seen last, so that a reader of the latest ones need not list them all.
func (e Session) Path() string {
	month := "unknown"
	if t, ok := ParseTime(e.SeenAt); ok {
		month = t.UTC().Format(monthForm)
	}
	return path.Join("sessions", month, sessionFile(e.ID))
}

func sessionFile(id string) string { return task.SessionName(id) + ".json" }

// monthForm is how a month is called.
const monthForm = "2006-01"

// EncodeKeeping is v as indented JSON, with the fields of old, v's former text,
// that this version does not know: a newer minor version put them there. Without
// such fields the text depends on v alone.
func EncodeKeeping(old []byte, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	out := v
	if merged, kept := keepUnknown(old, data, reflect.TypeOf(v)); kept {
		out = merged
	}
	data, err = json.MarshalIndent(out, "", "  ")
	return append(data, '\n'), err
}

// keepUnknown adds to fresh, the JSON of a value of type t, the fields of old
// that t does not have, at every level of nested structs. Kept: there were some.
func keepUnknown(old, fresh json.RawMessage, t reflect.Type) (merged json.RawMessage, kept bool) {
	var was, now map[string]json.RawMessage
	if t.Kind() != reflect.Struct || json.Unmarshal(old, &was) != nil || json.Unmarshal(fresh, &now) != nil {
		return fresh, false
	}
	for key, raw := range was {
		inner, known := fieldType(t, key)
		switch {
		case !known:
			now[key], kept = raw, true
		case now[key] != nil:
			if below, some := keepUnknown(raw, now[key], inner); some {
				now[key], kept = below, true
			}
		}
	}
	if !kept {
		return fresh, false
	}
	merged, err := json.Marshal(now)
	return merged, err == nil
}

// fieldType is the type of the field that encoding/json reads key into.
func fieldType(t reflect.Type, key string) (reflect.Type, bool) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && strings.EqualFold(name, key) {
			return f.Type, true
		}
	}
	return nil, false
}
