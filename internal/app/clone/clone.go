// Package clone is this clone as one caller sees it from one work tree: its repository and
// ledger, who asks and from where, the errors that use cases answer with, and the clone's
// own notebook under refs/brew/clones (work trees and their modes, sessions, consent to
// share, what is trusted). It knows of tasks only their ids.
package clone

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/cache"
	"github.com/git-brew/git-brew/internal/task"
)

// Clone is this clone, seen from one work tree by one caller: its repository, its records and its own notebook.
type Clone struct {
	ID     string
	Repo   *gitstore.Repo
	Ledger *ledger.Ledger
	Now    func() time.Time
	Random io.Reader // crypto/rand where nil
	Caller Caller
	// Program tells this build of the program from others, in one word: what another
	// one derived and kept is derived anew.
	Program string
	// Version says which release this build is of, if of one; nil: nobody knows.
	Version func() string
	// Open opens the repository of another directory, for the work tree that
	// a session started in.
	Open func(dir string) (*gitstore.Repo, error)
	// Asks is told that a remote is asked who holds a lock, for which somebody
	// may have to wait, and gives what is to be called when it has answered; nil:
	// nobody wants to know.
	Asks func(remote string) (done func())
	// Waits is told what else somebody may have to wait for, likewise.
	Waits func(what string) (done func())
	// Address makes the commands in a text act on the task of that name; nil: they
	// act on the one here.
	Address func(text, name string) string
	// Output gets what programs around steps say, as they say it; nil: nobody
	// does.
	Output io.Writer
}

// WorkTree is what is recorded of a work tree: worktrees/<key>.json in the
// clone's record.
type WorkTree struct {
	Path string    `json:"path"`
	Mode ModeState `json:"mode"`
	// Task is the one recorded for a work tree that has no task's branch
	// checked out: an agent's or a runner's own, or one with the task's branch in
	// its services.
	Task task.ID `json:"task,omitempty"`
	// Previous is the task that was left for another one, where no branch tells.
	Previous task.ID `json:"previous,omitempty"`
	// Steps are those of the session that works in it.
	Steps *Steps `json:"steps,omitempty"`
}

// State is what the snapshot of this clone's record holds: the work trees,
// and of the sessions that were seen lately what every hook wants.
type State struct {
	WorkTrees map[string]WorkTree
	Sessions  []SessionBrief // by id
	Consents  []Consent      // to share with remotes
	Trusted   []string       // hashes, sorted
	Lost      []LostLock     // what sessions are to be told

	Broken error `json:"-"` // why the record can't be read, or not all of it
}

// SessionBrief is what every hook wants of a session.
type SessionBrief struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	// Eight hexadecimal digits, which tie the sessions of a task together.
	Correlation string  `json:"correlation,omitempty"`
	Task        task.ID `json:"task,omitempty"` // the last one it worked on
	SeenAt      string  `json:"seen_at"`
	// How often in a row it was kept from stopping, while the task's tip stayed what
	// the next field says.
	StopBlocks int    `json:"stop_blocks,omitempty"`
	StopMark   string `json:"stop_mark,omitempty"`
	// Marks of what it was told once, since its context began.
	Told []string `json:"told,omitempty"`
}

// Worktree is what is recorded of the work tree that repo is seen from. Git
// gives the name of a removed one to the next: the path tells them apart.
func (c State) Worktree(repo *gitstore.Repo) WorkTree {
	if w := c.WorkTrees[WorktreeKey(repo)]; w.Path == repo.WorkTree {
		return w
	}
	return WorkTree{}
}

// Session is the brief of a session, the zero one where it was not seen lately.
func (c State) Session(id string) SessionBrief {
	if i, known := c.find(id); known {
		return c.Sessions[i]
	}
	return SessionBrief{}
}

func (c State) find(id string) (int, bool) {
	return slices.BinarySearchFunc(c.Sessions, id, func(e SessionBrief, id string) int { return cmp.Compare(e.ID, id) })
}

func (c *State) set(e Session) {
	i, known := c.find(e.ID)
	if known {
		c.Sessions[i] = e.SessionBrief
		return
	}
	c.Sessions = slices.Insert(c.Sessions, i, e.SessionBrief)
}

func (c State) copy() State {
	c.WorkTrees, c.Sessions, c.Consents = maps.Clone(c.WorkTrees), slices.Clone(c.Sessions), slices.Clone(c.Consents)
	c.Trusted, c.Lost = slices.Clone(c.Trusted), slices.Clone(c.Lost)
	if c.WorkTrees == nil {
		c.WorkTrees = map[string]WorkTree{}
	}
	return c
}

// Forget takes out the sessions that were not seen since.
func (c *State) Forget(since time.Time) {
	c.Sessions = slices.DeleteFunc(c.Sessions, func(e SessionBrief) bool { return !SeenSince(e.SeenAt, since) })
}

func SeenSince(seenAt string, since time.Time) bool {
	t, ok := ParseTime(seenAt)
	return ok && !t.Before(since)
}

// SessionsInSnapshot is how long an ended or silent session stays in the
// snapshot; older ones are read from their objects.
const SessionsInSnapshot = 48 * time.Hour

// RecordError says that a record of this clone's own can't be read or written.
// Tasks are not affected.
type RecordError struct {
	Ref gitstore.RefName
	Err error
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("%s can't be read: %v", e.Ref, e.Err)
}

func (e *RecordError) Unwrap() error { return e.Err }

func (s *Clone) Ref() gitstore.RefName { return ledger.CloneRef(s.ID) }

// State reads this clone's record. What can't be read of it counts as not
// recorded, and the state's broken says why: a notebook keeps nobody from
// working. The error is that ctx has ended.
func (s *Clone) State(ctx context.Context) (State, error) {
	tip, err := s.Ledger.Tip(ctx, s.Ref())
	if err != nil {
		return State{Broken: &RecordError{s.Ref(), err}}, ctx.Err()
	}
	return s.StateAt(ctx, tip)
}

func (s *Clone) StateAt(ctx context.Context, tip gitstore.OID) (State, error) {
	c, err := cache.Brief(ctx, s.Ledger.Cache, s.Ref(), tip, s.Read)
	if err != nil {
		c.Broken = &RecordError{s.Ref(), err}
	}
	return c, ctx.Err()
}

// Read reads all that can be read. The error says what can't be; then the
// state is no snapshot.
func (s *Clone) Read(ctx context.Context, tip gitstore.OID) (State, error) {
	c := State{WorkTrees: map[string]WorkTree{}, Consents: s.readConsents(ctx, tip)}
	bad := EachJSON(ctx, s.Ledger, tip, "worktrees", func(name string, w WorkTree) { c.WorkTrees[name] = w })
	var err error
	c.Trusted, err = s.readTrusted(ctx, tip)
	bad = errors.Join(bad, err)
	bad = errors.Join(bad, EachJSON(ctx, s.Ledger, tip, lostDir, func(_ string, l LostLock) {
		c.Lost = append(c.Lost, l)
	}))
	months, err := s.Ledger.Dir(ctx, tip, "sessions")
	bad = errors.Join(bad, err)
	oldest := s.Now().Add(-SessionsInSnapshot)
	for _, m := range months {
		if m.Name < oldest.UTC().Format(monthForm) {
			continue
		}
		bad = errors.Join(bad, EachJSON(ctx, s.Ledger, tip, path.Join("sessions", m.Name), func(_ string, e Session) {
			if SeenSince(e.SeenAt, oldest) {
				c.set(e)
			}
		}))
	}
	return c, bad
}

// EachJSON reads the JSON files of a directory of a record. A file that is not
// what it should be is passed over: this record is this clone's own notebook.
// So is one that can't be read, and the error says so in the end.
func EachJSON[T any](ctx context.Context, l *ledger.Ledger, tip gitstore.OID, dir string,
	visit func(name string, v T),
) error {
	entries, bad := l.Dir(ctx, tip, dir)
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name, ".json")
		if !ok || e.Mode == gitstore.ModeDir {
			continue
		}
		data, err := l.Blob(ctx, e.OID.String())
		if err != nil {
			bad = errors.Join(bad, fmt.Errorf("%s/%s: %w", dir, e.Name, err))
			continue
		}
		var v T
		if json.Unmarshal(data, &v) == nil {
			visit(name, v)
		}
	}
	return bad
}

// RunFile is the file that 'git brew run' holds while it is at work on a task.
func (s *Clone) RunFile(id task.ID) string {
	return filepath.Join(s.Repo.CommonDir, "brew", "run-"+string(id)+".lock")
}

// Running reports that 'git brew run' is at work on a task in this clone.
func (s *Clone) Running(ctx context.Context, id task.ID) bool {
	held, err := s.Repo.Lock(ctx, s.RunFile(id), 0)
	if err == nil {
		_ = held.Close()
	}
	_, is := errors.AsType[*gitstore.LockedError](err)
	return is
}
