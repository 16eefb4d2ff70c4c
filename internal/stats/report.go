// Package stats sums up what events tell: time in each mode, calls of tools and
// how long they took, denials, sessions; by day and by task. It is fed one event
// after the other and knows no file, no git and no clock.
//
// Glossary
//
//	key    a day (UTC), a task and a session: the finest that is asked for
//	cell   what happened under a key
//	sum    cells, and how each session begins and ends, so that what comes later
//	       can be joined to it; a sum of a day that is over never changes, and is
//	       kept as lines
//	time   between two events of a session, in the mode that the first one told;
//	       longer than Pause and nobody was there
package stats

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// Report is what people ask for.
type Report struct {
	Total Totals
	Tools []ToolUse // the most used first
	// Workers are those that 'git brew run' started, the dearest first.
	Workers []WorkerUse
	Days    []Row // the earliest first
	Tasks   []Row // the one with most time first, what was done without one last
	// Phases are ids, in no order of work; only where it is about one task.
	Phases []string
}

// Totals are sums over a report, a day or a task.
type Totals struct {
	Counts
	Sessions    int
	Calls       int // of tools, that were carried out
	Failed      int
	First, Last time.Time // of all events; zero where there is none
	Modes       []ModeTime
	Active      time.Duration // in all modes
	// How long hooks took.
	HookMedian, HookP95 time.Duration
}

// ModeTime is the time in a mode.
type ModeTime struct {
	Mode string
	Time time.Duration
}

// ToolUse is how one tool was used. Median and P95 are 0 where no call told how
// long it took.
type ToolUse struct {
	Name                  string
	Calls, Failed, Denied int
	Median, P95           time.Duration
}

// Worker is what turns of one client's workers took: milliseconds, tokens, and millionths of
// a dollar.
type Worker struct {
	Turns         int
	MS            int64
	Input, Output int64
	MicroUSD      int64
}

func (w *Worker) add(o *Worker) {
	w.Turns += o.Turns
	w.MS += o.MS
	w.Input += o.Input
	w.Output += o.Output
	w.MicroUSD += o.MicroUSD
}

// WorkerUse is what a client's workers took.
type WorkerUse struct {
	Client string
	Worker
}

func (c *Cell) workers() []WorkerUse {
	all := make([]WorkerUse, 0, len(c.Workers))
	for _, client := range slices.Sorted(maps.Keys(c.Workers)) {
		all = append(all, WorkerUse{client, *c.Workers[client]})
	}
	slices.SortStableFunc(all, func(a, b WorkerUse) int {
		return cmp.Or(cmp.Compare(b.MicroUSD, a.MicroUSD), cmp.Compare(b.Turns, a.Turns))
	})
	return all
}

// Row is a day, or a task ("" for none).
type Row struct {
	Name string
	Totals
}

// Report sums up what belongs to tasks and sessions whose names begin so.
func (s *Sum) Report(task, session string) Report {
	total, days, tasks := newCell(), map[string]*Cell{}, map[string]*Cell{}
	for k, c := range s.Cells {
		if c.Events == 0 || !strings.HasPrefix(k.Task, task) || !strings.HasPrefix(k.Session, session) {
			continue
		}
		for _, sum := range []*Cell{total, cellOf(days, k.Day), cellOf(tasks, k.Task)} {
			sum.add(c)
			if k.Session != "" {
				sum.sessions[k.Session] = true
			}
		}
	}
	r := Report{
		Total: total.totals(), Tools: total.tools(), Workers: total.workers(), Days: rows(days), Tasks: rows(tasks),
	}
	slices.SortFunc(r.Tasks, func(a, b Row) int {
		if (a.Name == "") != (b.Name == "") {
			return cmp.Compare(b.Name, a.Name)
		}
		return cmp.Or(cmp.Compare(b.Active, a.Active), cmp.Compare(b.Events, a.Events), cmp.Compare(a.Name, b.Name))
	})
	if delete(tasks, ""); len(tasks) == 1 {
		r.Phases = slices.Sorted(maps.Keys(total.Phases))
	}
	return r
}

func rows(cells map[string]*Cell) []Row {
	all := make([]Row, 0, len(cells))
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		all = append(all, Row{name, cells[name].totals()})
	}
	return all
}

func (c *Cell) totals() Totals {
	t := Totals{
		Counts: c.Counts, Sessions: len(c.sessions),
		HookMedian: time.Duration(c.Hooks.Quantile(0.5)) * time.Microsecond,
		HookP95:    time.Duration(c.Hooks.Quantile(0.95)) * time.Microsecond,
	}
	if c.First != 0 {
		t.First, t.Last = time.Unix(0, c.First).UTC(), time.Unix(0, c.Last).UTC()
	}
	for _, mode := range slices.Sorted(maps.Keys(c.Modes)) {
		t.Modes = append(t.Modes, ModeTime{mode, c.Modes[mode]})
		t.Active += c.Modes[mode]
	}
	for _, tool := range c.Tools {
		t.Calls += tool.Calls
		t.Failed += tool.Failed
	}
	return t
}

func (c *Cell) tools() []ToolUse {
	var all []ToolUse
	for name, t := range c.Tools {
		all = append(all, ToolUse{
			Name: name, Calls: t.Calls, Failed: t.Failed, Denied: t.Denied,
			Median: time.Duration(t.Took.Quantile(0.5)) * time.Millisecond,
			P95:    time.Duration(t.Took.Quantile(0.95)) * time.Millisecond,
		})
	}
	slices.SortFunc(all, func(a, b ToolUse) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(b.Denied, a.Denied), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// Tool counts the calls of one tool.
type Tool struct {
	Calls, Failed, Denied int
	Took                  Sizes // milliseconds
}

func (t *Tool) add(o *Tool) {
	t.Calls += o.Calls
	t.Failed += o.Failed
	t.Denied += o.Denied
	t.Took.merge(o.Took)
}

// Sizes counts values by size, of which the first six binary digits are kept: so two
// counts add up, and a quantile is off by less than 2 per cent.
type Sizes map[int64]int

func (h *Sizes) add(v int64) {
	const kept = 6
	v = max(v, 0)
	shift := max(0, bits.Len64(uint64(v))-kept)
	h.merge(Sizes{v>>shift<<shift + 1<<shift/2: 1})
}

func (h *Sizes) merge(other Sizes) {
	if *h == nil && len(other) > 0 {
		*h = Sizes{}
	}
	for size, n := range other {
		(*h)[size] += n
	}
}

// Quantile is the value that a share q of all values is not above; 0 of none.
func (h Sizes) Quantile(q float64) int64 {
	total := 0
	for _, n := range h {
		total += n
	}
	rank := max(1, int(math.Ceil(q*float64(total))))
	for _, size := range slices.Sorted(maps.Keys(h)) {
		if rank -= h[size]; rank <= 0 {
			return size
		}
	}
	return 0
}
