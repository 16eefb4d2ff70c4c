package journal

import (
	"cmp"
	"context"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// RecordAfter records events once the change is made. A record that can't be
// written keeps nobody from working.
func (s *Journal) RecordAfter(tx *ledger.Tx, events ...event.Event) {
	if len(events) == 0 {
		return
	}
	tx.After(func(ctx context.Context) {
		for _, e := range events {
			if s.Record(ctx, e) != nil {
				return
			}
		}
	})
}

// TaskEvents are the events of a change of a task, whatever made it: what people
// would ask for is that the state is another one than before.
func TaskEvents(before, after task.Task) []event.Event {
	var all []event.Event
	changed := func(typ event.Type, phase, reason, what, from, to string) {
		if from == to {
			return
		}
		e := event.Event{
			Type: typ, Task: string(after.ID), Phase: phase, Reason: reason,
			Data: map[string]string{event.DataWhat: what},
		}
		for key, value := range map[string]string{event.DataFrom: from, event.DataTo: to} {
			if value != "" {
				e.Data[key] = value
			}
		}
		all = append(all, e)
	}
	const created, status = "created", "status"
	if before.ID == "" {
		changed(event.TaskChange, "", "", created, "", string(after.Status))
	} else {
		changed(event.TaskChange, "", after.Reason, status, string(before.Status), string(after.Status))
		changed(event.TaskChange, "", "", "stage", string(before.Stage), string(after.Stage))
	}
	if after.Deleted && !before.Deleted {
		changed(event.TaskChange, "", "", "deleted", string(after.Status), "")
	}
	for i := range after.Phases {
		p := &after.Phases[i]
		old, known := before.Phase(p.UID)
		if !known {
			changed(event.PhaseChange, p.ID, "", created, "", string(p.Status))
			continue
		}
		changed(event.PhaseChange, p.ID, p.Reason, status, string(old.Status), string(p.Status))
		changed(event.PhaseChange, p.ID, p.Reason, "review", string(old.Review), string(p.Review))
	}
	return all
}

// LockEvent is the event of a lock's next state.
func LockEvent(id task.ID, next lease.Lock) event.Event {
	e := event.Event{Type: event.LockChange, Task: string(id), Data: map[string]string{event.DataWhat: string(next.Event)}}
	if next.Held {
		e.Data[event.DataHolder] = next.Holder()
	}
	return e
}

// LostEvent is the event of a lock that was held here and is somebody else's.
func LostEvent(held lease.Lock, lost clone.LostLock) event.Event {
	e := event.Event{Type: event.LockLost, Session: held.Session, Task: string(lost.Task)}
	if lost.Holder != "" {
		e.Data = map[string]string{event.DataHolder: lost.Holder}
	}
	return e
}

// correlationOf ties an event to the sessions of its task; where it has none, to
// its session. It ends with the work on the task, or with the session.
func correlationOf(of clone.SessionBrief, session string, id task.ID) string {
	if id == "" || id == of.Task {
		return cmp.Or(of.Correlation, CorrelationAnew(session, cmp.Or(id, of.Task)))
	}
	return CorrelationAnew(session, id)
}

// CorrelationAnew is what nobody set: every clone and every session comes to the
// same one for a task.
func CorrelationAnew(session string, id task.ID) string {
	of := cmp.Or(string(id), session)
	if of == "" {
		return ""
	}
	const digits = 8
	return hashOf(of)[:digits]
}

// SwitchEvent is the event of a work tree that went from one task to another.
func SwitchEvent(from, to task.ID) event.Event {
	e := event.Event{Type: event.TaskSwitch, Task: string(to)}
	if from != "" {
		e.Data = map[string]string{event.DataFrom: string(from)}
	}
	return e
}
