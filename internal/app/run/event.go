package run

import (
	"time"

	"github.com/git-brew/git-brew/internal/task"
)

// EventKind says what happened in a run.
type EventKind string

// The kinds of events.
const (
	Started   EventKind = "started"   // a phase was begun
	Working   EventKind = "working"   // a worker's turn began
	Resting   EventKind = "resting"   // one waits, for the last ended at once
	Turned    EventKind = "turn"      // a turn ended, or what was done about its work
	Proving   EventKind = "proving"   // work is checked, and what else Text says
	Escalated EventKind = "escalated" // a higher tier goes on
	Completed EventKind = "completed" // a phase is merged and approved
	Failed    EventKind = "failed"    // a phase failed
	Asked     EventKind = "asked"     // a phase would fail, and somebody is to decide on it
	Decided   EventKind = "decided"   // somebody did
	Parked    EventKind = "parked"    // the run waits for a client's limit
	Moved     EventKind = "moved"     // commits came to the task's branch that no worker handed over
	Beat      EventKind = "beat"      // workers are at work yet, those of Rows
	Slow      EventKind = "slow"      // it takes long
	Noted     EventKind = "note"      // something to be told
	Began     EventKind = "began"     // the run
	Ended     EventKind = "ended"     // the run
)

// Event is something that happened in a run.
type Event struct {
	Kind  EventKind
	Phase task.Phase
	Tier  task.Tier
	Turn  task.Turn
	Text  string
	Dir   string
	Until time.Time
	// Client is the program at work. From is the tier that did not succeed.
	Client string
	From   task.Tier
	// For is how long a worker is at work.
	For  time.Duration
	Rows []Row
	// Log is the file of what a turn printed, "" for none.
	Log string
	// Decision names what is to be decided, Action is what was.
	Decision, Action string
	// Completed and Failed count phases, where the run ended.
	Completed, Failed int
	// Total counts the phases of the task that are wanted, where the run begins.
	Total int
}

func (r *record) tell(e Event) {
	r.files.note(e, r.s.Clone.Now())
	if r.o.Tell == nil {
		return
	}
	r.o.Tell(e)
	if why := r.files.untold(); why != "" {
		r.o.Tell(Event{Kind: Noted, Text: why})
	}
}

const (
	// afterLimit is how long a run waits on after a limit is over, unknownLimit how long one
	// lasts of which nobody says that.
	afterLimit   = time.Minute
	unknownLimit = 15 * time.Minute
	timeForm     = time.RFC3339
)

func (r *record) noted(p task.Phase, text string) { r.tell(Event{Kind: Noted, Phase: p, Text: text}) }
