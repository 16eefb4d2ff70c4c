package run

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/task"
)

// Standing is how a run stands: what its own view shows, and 'git brew status' in another terminal.
type Standing struct {
	Began time.Time `json:"began"`
	// Done and Failed count phases of the task, of all that are wanted.
	Done   int       `json:"done"`
	Failed int       `json:"failed"`
	Total  int       `json:"total"`
	Cost   task.Cost `json:"cost"`
	// Until is when the limit of a client ends that all workers wait for; zero: they don't.
	Until time.Time `json:"until,omitzero"`
	Rows  []Row     `json:"phases"`
}

// Row is a phase that a run has in hand; no phase where an executive looks at the whole.
type Row struct {
	Phase  string    `json:"phase"`
	Title  string    `json:"title"`
	Doing  Doing     `json:"doing"`
	Tier   task.Tier `json:"tier"`
	Client string    `json:"client"`
	Since  time.Time `json:"since"`
	Cost   task.Cost `json:"cost"`
	Said   string    `json:"said"` // the client's last event
	Raised bool      `json:"escalated"`
	// After is the phase whose check, or merge, it waits for; "" where it waits for none.
	After string `json:"after,omitempty"`
	// Until is when its next turn begins, where the last one ended at once; zero: it has.
	Until time.Time `json:"until,omitzero"`
}

// Doing says what is done about a phase.
type Doing string

// What is done about a phase, in the order in which it is shown.
const (
	Works    Doing = "works"    // a worker is at it
	Checked  Doing = "checked"  // its work is being checked
	Rests    Doing = "rests"    // its next turn waits, for the last ended at once
	Asks     Doing = "asks"     // it would fail, and somebody is to decide on it
	Waits    Doing = "waits"    // its work waits to be checked
	Overview Doing = "overview" // an executive looks at the whole
)

// doing says what is done about a job's phase.
func (r *crew) doing(j *job) Doing {
	switch {
	case r.looking == j:
		return Overview
	case j.asked != nil:
		return Asks
	case r.proving == j:
		return Checked
	case j.working && !j.until.IsZero():
		return Rests
	case j.working:
		return Works
	}
	return Waits
}

// standing is how the run stands now.
func (r *crew) standing() Standing {
	n := task.CountPhases(r.task)
	s := Standing{
		Began: whole(r.began), Done: n.Completed, Failed: n.Failed, Total: n.Wanted(), Cost: r.spent[""].Cost,
		Until: whole(r.until),
	}
	add := func(j *job) {
		if now := r.doing(j); j.doing != now {
			j.doing, j.since = now, r.s.Clone.Now()
		}
		row := Row{
			Phase: j.phase.ID, Title: j.phase.Title, Doing: j.doing, Tier: j.tier, Client: j.client, Since: whole(j.since),
			Cost: j.phase.Spent, Said: j.lastSaid(), Raised: len(j.phase.Escalations) > 0, Until: whole(j.until),
		}
		switch first := cmp.Or(r.proving, r.first); {
		case j.doing == Overview:
			row.Phase, row.Title, row.Cost, row.Raised = "", "", task.Cost{}, false
		case j.doing == Waits && first != nil && first != j:
			row.After = first.phase.ID
		}
		s.Rows = append(s.Rows, row)
	}
	for _, p := range r.task.Phases {
		if j := r.jobs[p.UID]; j != nil {
			add(j)
		}
	}
	if r.looking != nil {
		add(r.looking)
	}
	order := []Doing{Works, Checked, Rests, Asks, Overview, Waits}
	slices.SortStableFunc(s.Rows, func(a, b Row) int {
		return cmp.Compare(slices.Index(order, a.Doing), slices.Index(order, b.Doing))
	})
	return s
}

// whole is a time as documents have it.
func whole(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// show shows how the run stands, where that changed.
func (r *crew) show() {
	s := r.standing()
	if reflect.DeepEqual(s, r.shown) {
		return
	}
	r.shown = s
	r.files.stands(s, r.s.Clone.Now())
	if r.o.Show != nil {
		r.o.Show(s)
	}
}

// maxStanding is how large the file of a standing is that is read, in bytes.
const maxStanding = 1 << 20

// standingFile is where a run says how it stands.
func (s *Runs) standingFile(id task.ID) string {
	file := s.Clone.RunFile(id)
	return strings.TrimSuffix(file, filepath.Ext(file)) + ".json"
}

// Standing is how a run stands that is at work on a task in this clone; nil where none is.
func (s *Runs) Standing(ctx context.Context, id task.ID) *Standing {
	var at Standing
	data, err := readPlain(s.standingFile(id), maxStanding)
	if err != nil || data == nil || json.Unmarshal(data, &at) != nil || !s.Clone.Running(ctx, id) {
		return nil // a run that was killed leaves the file
	}
	return &at
}

// slowAfter is how long turns may take before it is told that they are slow.
var slowAfter = []time.Duration{10 * time.Minute, 20 * time.Minute}

// beat tells that workers are at work yet, and of those that take long.
func (r *crew) beat() {
	s, now := r.standing(), r.s.Clone.Now()
	if rows := slices.DeleteFunc(slices.Clone(s.Rows), func(w Row) bool { return w.Doing != Works }); len(rows) > 0 {
		r.tell(Event{Kind: Beat, Rows: rows})
	}
	for _, p := range r.task.Phases {
		j := r.jobs[p.UID]
		if j == nil || j.doing != Works || j.slow >= len(slowAfter) || now.Sub(j.since) < slowAfter[j.slow] {
			continue
		}
		j.slow++
		r.tell(Event{Kind: Slow, Phase: j.phase, Tier: j.tier, For: now.Sub(j.since), Text: j.lastSaid()})
	}
	r.files.stands(s, now) // who watches it sees that the run is alive
}

// lastSaid is the name of its client's last event, "" for none.
func (j *job) lastSaid() string {
	if last := j.said.Load(); last != nil {
		return *last
	}
	return ""
}
