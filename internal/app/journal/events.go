// Package journal keeps what happened in sessions, without secrets, and sums it up.
package journal

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// sealAfter is how many bytes the journal holds before they are sealed: about a hundred
// events.
const sealAfter = 32 << 10

// hashOf is a name for text that nobody can choose.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:10])
}

func (s *Journal) journal() event.Journal {
	return event.Journal{Dir: JournalIn(s.Clone.Repo.CacheDir()), Share: s.Clone.Repo.Share, MakeDir: s.Clone.Repo.MakeDir}
}

func JournalIn(cache string) string { return filepath.Join(cache, "journal") }

// Record appends an event to the journal; what is not known of it yet (its
// time, its session, its work tree) is filled in. A full journal is sealed.
func (s *Journal) Record(ctx context.Context, e event.Event) error {
	if s.Clone.DryRun() {
		return nil
	}
	if e.TS == 0 {
		e.TS = s.Clone.Now().UnixNano()
	}
	e.Session = cmp.Or(e.Session, s.Clone.Caller.Session)
	e.WorkTree = cmp.Or(e.WorkTree, clone.WorktreeKey(s.Clone.Repo))
	if e.Correlation == "" {
		of := clone.SessionBrief{}
		if e.Session != "" {
			c, err := s.Clone.State(ctx)
			if err != nil {
				return err
			}
			of = c.Session(e.Session)
		}
		e.Correlation = correlationOf(of, e.Session, task.ID(e.Task))
	}
	size, err := s.journal().Append(e)
	if err != nil || size < sealAfter {
		return err
	}
	return s.Seal(ctx)
}

// Seal writes what is in the journal into git.
func (s *Journal) Seal(ctx context.Context) error {
	return s.journal().Seal(func(lines []byte) error {
		return s.Clone.Update(ctx, "events", func(ctx context.Context, c *clone.Change) error {
			return s.addSegment(ctx, c, lines)
		})
	})
}

// addSegment adds a part of the journal under today, unless it was stored before, and with
// the first one of a day takes out the days that are kept no longer.
func (s *Journal) addSegment(ctx context.Context, c *clone.Change, lines []byte) error {
	last, damaged := s.lastSegment(ctx, c.Tip)
	if last.blob == gitstore.HashBlob(lines) {
		return nil
	}
	number := max(s.Clone.Now().UnixNano(), last.number+1)
	day := dayOf(number)
	c.Files[path.Join("events", day, strconv.FormatInt(number, 10)+segmentSuffix)] = lines
	if damaged != nil || day == last.day {
		return ctx.Err() // a damaged record loses nothing more
	}
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return err
	}
	days, err := s.Clone.Ledger.Dir(ctx, c.Tip, "events")
	if err != nil {
		return ctx.Err()
	}
	oldest := s.Clone.Now().Add(-set.Period(config.KeyEventsKeep)).UTC().Format(time.DateOnly)
	for _, d := range days {
		if d.Name >= oldest {
			continue
		}
		segments, err := s.Clone.Ledger.Dir(ctx, d.OID, "")
		if err != nil {
			return ctx.Err()
		}
		for _, g := range segments {
			c.Files[path.Join("events", d.Name, g.Name)] = nil
		}
	}
	return nil
}

// Journal keeps what happened in sessions, without secrets.
type Journal struct {
	secrets redact.Redactor
	tookOut []string // see TookOut
	Clone   *clone.Clone
	Config  *config.Config
}

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
		e := newEvent(typ, after.ID, event.DataWhat, what, event.DataFrom, from, event.DataTo, to)
		e.Phase, e.Reason = phase, reason
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
	holder := ""
	if next.Held {
		holder = next.Holder()
	}
	return newEvent(event.LockChange, id, event.DataWhat, string(next.Event), event.DataHolder, holder)
}

// LostEvent is the event of a lock that was held here and is somebody else's.
func LostEvent(held lease.Lock, lost clone.LostLock) event.Event {
	e := newEvent(event.LockLost, lost.Task, event.DataHolder, lost.Holder)
	e.Session = held.Session
	return e
}

// SwitchEvent is the event of a work tree that went from one task to another.
func SwitchEvent(from, to task.ID) event.Event {
	return newEvent(event.TaskSwitch, to, event.DataFrom, string(from))
}

// newEvent is an event about a task, with data: names, each with its value behind it.
// TurnEvent is the event of a turn of a worker on a phase.
func TurnEvent(id task.ID, phase string, turn task.Turn) event.Event {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	e := newEvent(event.WorkerTurn, id, event.DataWhat, string(turn.By), event.DataOutcome, string(turn.Outcome),
		event.DataInput, number(turn.Input), event.DataOutput, number(turn.Output), event.DataMicroUSD, number(turn.MicroUSD))
	e.Phase, e.Tool, e.DurationMS, e.Reason = phase, turn.Client, turn.MS, turn.Reason
	return e
}

func newEvent(of event.Type, id task.ID, data ...string) event.Event {
	e := event.Event{Type: of, Task: string(id), Data: map[string]string{}}
	for pair := range slices.Chunk(data, 2) {
		if pair[1] != "" {
			e.Data[pair[0]] = pair[1]
		}
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
