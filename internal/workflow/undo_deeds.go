package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Deed is what one command did to a task.
type Deed struct {
	// Number counts from the last one, 1, among those that are not undone.
	Number     int
	Operations []operation.ID
	Kinds      []operation.Kind
	Commit     gitstore.OID // of the last operation
	Said       string       // the sentence of the first, of those that the lock guards where there are some
	Shown      gitstore.OID // the commit that has Said, as 'git brew log' shows it
	At         string
	Author     operation.Actor
	Session    string
	// Ours: this caller did it.
	Ours bool
	// Undoes: it takes others back, and is no deed that undo looks for by itself.
	Undoes bool
	// UndoneBy is the commit of the deed that took it back; zero: none did.
	UndoneBy gitstore.OID
	// Why it can't be taken back now; "" where it can.
	Why string

	noted   bool // by git brew itself: nobody did it
	guarded bool // Said tells of what the lock guards
	last    operation.Operation
	back    []operation.ID
	commits []gitstore.OID
}

func (d Deed) payload() task.UndoPayload {
	return task.UndoPayload{Operations: d.Operations, Commit: d.Commit.String(), Said: d.Said}
}

// makes reports that the deed made the task. Taken back, the task is deleted, which
// can be taken back itself.
func (d Deed) makes() bool { return slices.Contains(d.Kinds, task.OpCreate) }

// alone reports that nothing is left of what was done beside the deed d.
func alone(all []Deed, d Deed) bool {
	return !slices.ContainsFunc(all, func(o Deed) bool {
		return o.Commit != d.Commit && !o.noted && !o.Undoes && o.UndoneBy.IsZero()
	})
}

// short is as much of a commit's id as names it for people.
func short(oid gitstore.OID) string { return oid.String()[:7] }

// By says whose a deed is, for people.
func (d Deed) By() string {
	switch {
	case d.Ours && d.Session != "":
		return "this session"
	case d.Ours:
		return "you"
	case d.Session != "":
		return "session " + task.ShortSession(d.Session)
	}
	return d.Author.Name
}

// maxDeeds is how many are listed: each takes two states to read.
const maxDeeds = 30

// Deeds lists what was done to a task, the last first, and why it can't be
// undone where it can't. More is true where there are older ones.
func (s *Service) Deeds(ctx context.Context, id task.ID) (deeds []Deed, more bool, err error) {
	err = s.rehearse(ctx, id, func(ctx context.Context, c *change) error {
		all, err := c.deeds(ctx)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(d Deed) bool { return !d.UndoneBy.IsZero() || d.noted })
		if more = len(all) > maxDeeds; more {
			all = all[:maxDeeds]
		}
		for i := range all {
			if err := c.s.mayUndo(ctx, c.id, all[i], true, false); err != nil {
				all[i].Why = err.Error()
				continue
			}
			if all[i].makes() && alone(all, all[i]) {
				continue
			}
			if _, err := task.CheckUndo(c.Task, all[i].Operations[0], all[i].payload(), taskTexts{c.tx}); err != nil {
				all[i].Why = err.Error()
			}
		}
		deeds = all
		return nil
	})
	return deeds, more, err
}

// rehearse runs look on a task as change does, and writes nothing.
func (s *Service) rehearse(ctx context.Context, id task.ID, look func(ctx context.Context, c *change) error) error {
	return s.ledger.Rehearse(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		c := &change{s: s, tx: tx, id: id, deleted: true}
		if err := c.read(ctx); err != nil {
			return err
		}
		return look(ctx, c)
	})
}

// deeds are all that was done to the task, the last first.
func (c *change) deeds(ctx context.Context) ([]Deed, error) {
	tip, err := c.tx.Tip(ctx, ledger.TaskRef(string(c.id)))
	if err != nil {
		return nil, err
	}
	steps, err := c.s.ledger.History(ctx, tip)
	if err != nil {
		return nil, err
	}
	me, err := c.s.repo.Identity(ctx)
	if err != nil && !c.s.caller.agent() && !errors.Is(err, gitstore.ErrNoIdentity) {
		return nil, err
	}
	at := map[operation.ID]int{}
	var all []Deed
	for _, step := range steps { // children first
		if step.Op == nil {
			continue
		}
		op := *step.Op
		act := cmp.Or(op.Act, op.ID)
		i, known := at[act]
		if !known {
			i = len(all)
			at[act] = i
			all = append(all, Deed{Commit: step.Commit, noted: true, last: op})
		}
		d := &all[i]
		d.commits = append(d.commits, step.Commit)
		d.Operations, d.Kinds = append(d.Operations, op.ID), append(d.Kinds, op.Kind)
		d.At, d.Author, d.Session = op.At, op.Actor, op.Session
		if guarded := task.Guarded(op.Kind); guarded || !d.guarded {
			d.Said, d.Shown, d.guarded = step.Subject, step.Commit, guarded
		}
		d.Ours = op.Session == c.s.caller.Session && (op.Session != "" || !c.s.caller.reached().agent() && op.Actor.Email == me.Email)
		instead, lasting := task.Lasting(op.Kind)
		d.noted = d.noted && lasting && instead == "" || task.Along(op.Kind) // the last one here is its first
		d.Undoes = op.Kind == task.OpUndo || op.Kind == task.OpUndoOpen
		if d.Undoes {
			var p task.UndoPayload
			if json.Unmarshal(op.Payload, &p) == nil {
				d.back = p.Operations
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Deed) int {
		switch {
		case operation.Less(b.last, a.last):
			return -1
		case operation.Less(a.last, b.last):
			return 1
		}
		return 0
	})
	undone := map[operation.ID]gitstore.OID{}
	number := 0
	for i := range all {
		d := &all[i]
		slices.Reverse(d.Operations)
		slices.Reverse(d.Kinds)
		if d.UndoneBy = undone[d.Operations[0]]; !d.UndoneBy.IsZero() {
			continue
		}
		for _, id := range d.back {
			undone[id] = d.Commit
		}
		if !d.noted {
			number++
			d.Number = number
		}
	}
	return all, nil
}

// mayUndo: an agent takes back what its own session did, a person anything; what
// somebody else did, only when it is named. Past: the last ones left nothing.
func (s *Service) mayUndo(ctx context.Context, id task.ID, d Deed, named, past bool) error {
	last := "the last operation"
	if past {
		last += " of which something is left"
	}
	if d.Ours {
		return nil
	}
	caller := s.caller.reached()
	switch {
	case caller.agent():
		return refuse(caller.inTerminal("the user can take it back"), "%s did that, and not this session: %s", d.By(), d.Said)
	case !named:
		return refuse(fmt.Sprintf("'%s' takes it back all the same", s.undoCommand(ctx, id, d.Commit)), "%s is %s's: %s", last, d.By(), d.Said)
	}
	return nil
}

// choose finds the deed that is meant: the last one where name is empty, one by
// its number, or by the beginning of the id of a commit or of an operation. List is
// the command that shows them.
func choose(all []Deed, name, list string) (Deed, error) {
	if name == "" {
		for _, d := range all {
			if !d.Undoes && !d.noted && d.UndoneBy.IsZero() {
				return d, nil
			}
		}
		return Deed{}, refuse("see '"+list+"'", "there is nothing left to undo")
	}
	number, _ := strconv.Atoi(name)
	var found []Deed
	for _, d := range all {
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
		return Deed{}, refuse("give more of its digits", "%q may be several operations", name)
	case len(found) == 0:
		return Deed{}, &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("no operation %q", name), Hint: "see '" + list + "'"}
	}
	return found[0], nil
}

// called reports whether the beginning of an id names the deed.
func (d Deed) called(name string) bool {
	name = strings.ToLower(name)
	if len(name) < 4 {
		return false
	}
	return slices.ContainsFunc(d.commits, func(oid gitstore.OID) bool { return strings.HasPrefix(oid.String(), name) }) ||
		slices.ContainsFunc(d.Operations, func(id operation.ID) bool { return strings.HasPrefix(string(id), name) })
}

// KnowsDeed reports whether name is one of what was done to a task.
func (s *Service) KnowsDeed(ctx context.Context, id task.ID, name string) bool {
	err := s.rehearse(ctx, id, func(ctx context.Context, c *change) error {
		all, err := c.deeds(ctx)
		if err == nil {
			_, err = choose(all, name, "")
		}
		return err
	})
	return err == nil
}
