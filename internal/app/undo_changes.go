package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Change is what one command did to a task.
type Change struct {
	// Number counts from the last one, 1, among those that are not undone.
	Number int `json:"number"`
	// Shown is the commit that has Said, as 'git brew log' shows it.
	Shown      gitstore.OID     `json:"commit"`
	Operations []operation.ID   `json:"operations"`
	Kinds      []operation.Kind `json:"kinds"`
	// Said is the sentence of the first, of those that the lock guards where there are
	// some.
	Said    string `json:"sentence"`
	At      string `json:"at"`
	Author  string `json:"author"`
	Session string `json:"session_id"`
	// Ours: this caller did it.
	Ours bool `json:"ours"`
	// Undoes: it takes others back, and is none that undo looks for by itself.
	Undoes bool `json:"undoes"`
	// Why it can't be taken back now, what to do included; "" where it can.
	Why string `json:"why"`

	Commit gitstore.OID `json:"-"` // of the last operation
	// UndoneBy is the commit of the change that took it back; zero: none did.
	UndoneBy gitstore.OID `json:"-"`

	automatic bool // git brew noted it by itself: nobody did it
	guarded   bool // Said tells of what the lock guards
	last      operation.Operation
	back      []operation.ID
	commits   []gitstore.OID
}

func (d Change) payload() task.UndoPayload {
	return task.UndoPayload{Operations: d.Operations, Commit: d.Commit.String(), Said: d.Said}
}

// creates reports that the change made the task. Taken back, the task is deleted,
// which can be taken back itself.
func (d Change) creates() bool { return slices.Contains(d.Kinds, task.OpCreate) }

// By says whose a change is, for people.
func (d Change) By() string {
	switch {
	case d.Ours && d.Session != "":
		return "this session"
	case d.Ours:
		return "you"
	case d.Session != "":
		return "session " + task.ShortSession(d.Session)
	}
	return d.Author
}

func (d Change) byRun() bool { return strings.HasPrefix(d.Session, task.RunPrefix) }

func (d Change) called(name string) bool {
	name = strings.ToLower(name)
	if len(name) < 4 {
		return false
	}
	return slices.ContainsFunc(d.commits, func(oid gitstore.OID) bool { return strings.HasPrefix(oid.String(), name) }) ||
		slices.ContainsFunc(d.Operations, func(id operation.ID) bool { return strings.HasPrefix(string(id), name) })
}

// history is what was done to a task, the last change first.
type history struct {
	*change.Tx
	all  []Change
	read map[gitstore.OID][]string // see parts
}

// historyIn reads what was done to the task.
func (s *App) historyIn(ctx context.Context, c *change.Tx) (*history, error) {
	tip, err := c.Ledger.Tip(ctx, ledger.TaskRef(string(c.ID)))
	if err != nil {
		return nil, err
	}
	steps, err := s.Clone.Ledger.History(ctx, tip)
	if err != nil {
		return nil, err
	}
	me, err := s.Clone.Repo.Config.Identity(ctx)
	if err != nil && !s.Clone.Caller.Agent() && !errors.Is(err, gitstore.ErrNoIdentity) {
		return nil, err
	}
	h := &history{Tx: c, read: map[gitstore.OID][]string{}}
	at := map[operation.ID]int{}
	for _, step := range steps { // children first
		if step.Op == nil {
			continue
		}
		act := cmp.Or(step.Op.Act, step.Op.ID)
		i, known := at[act]
		if !known {
			i = len(h.all)
			at[act] = i
			h.all = append(h.all, Change{Commit: step.Commit, automatic: true, last: *step.Op})
		}
		h.all[i].begins(step)
		h.all[i].Ours = did(s.Clone.Caller, *step.Op, me.Email)
	}
	slices.SortStableFunc(h.all, func(a, b Change) int {
		switch {
		case operation.Less(b.last, a.last):
			return -1
		case operation.Less(a.last, b.last):
			return 1
		}
		return 0
	})
	h.number()
	return h, nil
}

// did reports whether an operation is of the caller, who has this address.
func did(c clone.Caller, op operation.Operation, email string) bool {
	return op.Session == c.Session && (op.Session != "" || !c.Reached().Agent() && op.Actor.Email == email)
}

// begins puts a step before those that the change has already.
func (d *Change) begins(step ledger.Step) {
	op := *step.Op
	d.commits = append(d.commits, step.Commit)
	d.Operations, d.Kinds = slices.Insert(d.Operations, 0, op.ID), slices.Insert(d.Kinds, 0, op.Kind)
	d.At, d.Author, d.Session = op.At, op.Actor.Name, op.Session
	if guarded := rules.Guarded(op.Kind); guarded || !d.guarded {
		d.Said, d.Shown, d.guarded = step.Subject, step.Commit, guarded
	}
	d.automatic = d.automatic && rules.Automatic(op.Kind) || op.Kind == task.OpStepHook // which only follows another
	d.Undoes = op.Kind == task.OpUndo || op.Kind == task.OpUndoOpen
	var p task.UndoPayload
	if d.Undoes && json.Unmarshal(op.Payload, &p) == nil {
		d.back = p.Operations
	}
}

// number says which changes are taken back, and counts the others.
func (h *history) number() {
	undone := map[operation.ID]gitstore.OID{}
	number := 0
	for i := range h.all {
		d := &h.all[i]
		if d.UndoneBy = undone[d.Operations[0]]; !d.UndoneBy.IsZero() {
			continue
		}
		for _, id := range d.back {
			undone[id] = d.Commit
		}
		if !d.automatic {
			number++
			d.Number = number
		}
	}
}

// parts names what a change did to the task; nothing where that can't be read.
func (h *history) parts(d Change) []string {
	parts, known := h.read[d.Commit]
	if !known {
		if did, err := rules.ReadChange(d.payload(), h.Ledger); err == nil {
			parts = did.Parts()
		}
		h.read[d.Commit] = parts
	}
	return parts
}

// stands reports a change that undo looks for by itself: not a start, say, that only
// went on.
func (h *history) stands(d Change) bool {
	return !d.Undoes && !d.automatic && d.UndoneBy.IsZero() && (d.creates() || len(h.parts(d)) > 0)
}

// alone reports that nothing stands of what was done beside the change d.
func (h *history) alone(d Change) bool {
	return !slices.ContainsFunc(h.all, func(o Change) bool { return o.Commit != d.Commit && h.stands(o) })
}

// choose finds the change that is meant: the last one where name is empty, one by
// its number, or by the beginning of the id of a commit or of an operation. List is
// the command that shows them.
func (h *history) choose(name, list string) (Change, error) {
	if name == "" {
		if i := slices.IndexFunc(h.all, h.stands); i >= 0 {
			return h.all[i], nil
		}
		return Change{}, clone.Refuse("see '"+list+"'", "there is nothing left to undo")
	}
	number, _ := strconv.Atoi(name)
	var found []Change
	for _, d := range h.all {
		switch {
		case len(name) <= 3 && number > 0:
			if d.Number == number {
				return d, nil
			}
		case d.called(name):
			found = append(found, d)
		}
	}
	switch {
	case len(found) > 1:
		return Change{}, clone.Refuse("give more of its digits", "%q may be several operations", name)
	case len(found) == 0:
		return Change{}, clone.NotFound("see '"+list+"'", "no operation %q", name)
	}
	return found[0], nil
}

// maxListed is how many changes are listed: each takes two states to read.
const maxListed = 30

// Changes lists what was done to a task, the last first, and why it can't be
// undone where it can't. More is true where there are older ones.
func (s *App) Changes(ctx context.Context, id task.ID) (changes []Change, more bool, err error) {
	err = s.Clone.Ledger.RunDry(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		c := &change.Tx{Engine: s.Engine, Ledger: tx, ID: id, Deleted: true}
		if err := c.Read(ctx); err != nil {
			return err
		}
		h, err := s.historyIn(ctx, c)
		if err != nil {
			return err
		}
		for _, d := range h.all {
			if !d.UndoneBy.IsZero() || d.automatic {
				continue
			}
			if more = len(changes) == maxListed; more {
				break
			}
			err := h.mayUndo(ctx, d, true)
			if err == nil {
				_, err = h.takenBack(ctx, d)
			}
			if err != nil {
				d.Why = err.Error()
			}
			changes = append(changes, d)
		}
		return nil
	})
	return changes, more, err
}
