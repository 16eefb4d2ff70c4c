package stats

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/event"
)

// Pause is the longest time between two events of a session that counts as time
// in its mode.
const Pause = 30 * time.Minute

// Key is what events are summed up by.
type Key struct {
	Day           string // 2026-01-31, UTC
	Task, Session string // "" where there was none
}

// MarshalText joins the parts of a key, which hold no control characters.
func (k Key) MarshalText() ([]byte, error) {
	return []byte(k.Day + "\t" + k.Task + "\t" + k.Session), nil
}

// UnmarshalText reads what MarshalText wrote.
func (k *Key) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), "\t")
	if len(parts) != 3 {
		return fmt.Errorf("%q is no key of a sum", text)
	}
	*k = Key{parts[0], parts[1], parts[2]}
	return nil
}

// Counts are how often something happened.
type Counts struct {
	Events      int `json:"events"`
	Prompts     int `json:"prompts"`
	Denials     int `json:"denials"`
	Asked       int `json:"asked"`        // calls that a person was asked about
	Kept        int `json:"kept_working"` // stops that were refused
	Compactions int `json:"compactions"`
	Agents      int `json:"agents"` // sub-agents started
	Switches    int `json:"mode_switches"`
}

func (c *Counts) add(o Counts) {
	c.Events += o.Events
	c.Prompts += o.Prompts
	c.Denials += o.Denials
	c.Asked += o.Asked
	c.Kept += o.Kept
	c.Compactions += o.Compactions
	c.Agents += o.Agents
	c.Switches += o.Switches
}

// Cell is what happened under a key.
type Cell struct {
	Counts
	First, Last int64 // nanoseconds since 1970
	Modes       map[string]time.Duration
	Tools       map[string]*Tool
	Workers     map[string]*Worker // by their client
	Phases      map[string]bool    // ids of those that were current
	Hooks       Sizes              // how long hooks took, microseconds

	sessions map[string]bool // of a sum over several keys
}

func newCell() *Cell {
	return &Cell{
		Modes: map[string]time.Duration{}, Tools: map[string]*Tool{}, Workers: map[string]*Worker{},
		Phases: map[string]bool{}, sessions: map[string]bool{},
	}
}

// cellOf is the cell under a key, a new one where there is none yet.
func cellOf[K comparable](cells map[K]*Cell, key K) *Cell {
	if cells[key] == nil {
		cells[key] = newCell()
	}
	return cells[key]
}

func (c *Cell) tool(name string) *Tool { return valueOf(c.Tools, name) }

// valueOf is the value under a name, a new one where there is none yet.
func valueOf[V any](all map[string]*V, name string) *V {
	if all[name] == nil {
		all[name] = new(V)
	}
	return all[name]
}

func (c *Cell) worker(client string) *Worker { return valueOf(c.Workers, client) }

func (c *Cell) add(o *Cell) {
	c.Counts.add(o.Counts)
	c.seen(o.First)
	c.seen(o.Last)
	for mode, d := range o.Modes {
		c.Modes[mode] += d
	}
	for name, t := range o.Tools {
		c.tool(name).add(t)
	}
	for client, w := range o.Workers {
		c.worker(client).add(w)
	}
	for id := range o.Phases {
		c.Phases[id] = true
	}
	c.Hooks.merge(o.Hooks)
}

func (c *Cell) seen(ts int64) {
	if ts != 0 && (c.First == 0 || ts < c.First) {
		c.First = ts
	}
	c.Last = max(c.Last, ts)
}

// mark is an event that another one is joined to.
type mark struct {
	TS   int64
	Mode string
	Key  Key
}

// Sum sums events up.
type Sum struct {
	Cells map[Key]*Cell
	First map[string]int64 // when each session's first event with a mode was
	Last  map[string]mark  // and its last
}

// New is the sum of no events.
func New() *Sum {
	return &Sum{Cells: map[Key]*Cell{}, First: map[string]int64{}, Last: map[string]mark{}}
}

// Add takes an event in. Events of a session come in their order.
func (s *Sum) Add(e event.Event) {
	k := Key{Day: time.Unix(0, e.TS).UTC().Format(time.DateOnly), Task: e.Task, Session: e.Session}
	c := cellOf(s.Cells, k)
	c.Events++
	c.seen(e.TS)
	c.count(e)
	if e.Session == "" || e.Mode == "" {
		return // nobody's time, or it can't tell whose
	}
	if _, known := s.First[e.Session]; !known {
		s.First[e.Session] = e.TS
	}
	before := s.Last[e.Session]
	s.passed(before, e.TS)
	s.Last[e.Session] = mark{max(e.TS, before.TS), e.Mode, k}
}

func (c *Cell) count(e event.Event) {
	switch e.Type {
	case event.Prompt:
		c.Prompts++
	case event.Compaction:
		c.Compactions++
	case event.AgentStart:
		c.Agents++
	case event.ModeChange:
		c.Switches++
	case event.ToolComplete:
		t := c.tool(e.Tool)
		t.Calls++
		if e.Success != nil && !*e.Success {
			t.Failed++
		}
		if e.DurationMS > 0 {
			t.Took.add(e.DurationMS)
		}
	case event.WorkerTurn:
		number := func(name string) int64 {
			n, _ := strconv.ParseInt(e.Data[name], 10, 64) // what is no number counts nothing
			return max(n, 0)
		}
		c.worker(e.Tool).add(&Worker{
			Turns: 1, MS: max(e.DurationMS, 0), Input: number(event.DataInput), Output: number(event.DataOutput),
			MicroUSD: number(event.DataMicroUSD),
		})
	default: // counted as an event
	}
	switch e.Decision {
	case "deny":
		c.Denials++
		c.tool(e.Tool).Denied++
	case "ask":
		c.Asked++
	case "block":
		c.Kept++
	}
	if e.Phase != "" {
		c.Phases[e.Phase] = true
	}
	if e.HookUS > 0 {
		c.Hooks.add(e.HookUS)
	}
}

// passed counts the time since an event of a session.
func (s *Sum) passed(since mark, ts int64) {
	if d := time.Duration(ts - since.TS); since.TS != 0 && d > 0 && d <= Pause {
		cellOf(s.Cells, since.Key).Modes[since.Mode] += d
	}
}

// Span is when the first and the last of its events happened.
func (s *Sum) Span() (first, last int64) {
	var all Cell
	for _, c := range s.Cells {
		all.seen(c.First)
		all.seen(c.Last)
	}
	return all.First, all.Last
}

// Follow adds what happened after s: of sessions that go on there, the time in
// between counts too.
func (s *Sum) Follow(later *Sum) {
	for id, ts := range later.First {
		s.passed(s.Last[id], ts)
	}
	s.Join(later)
	for id, ts := range later.First {
		if _, known := s.First[id]; !known {
			s.First[id] = ts
		}
	}
	for id, m := range later.Last {
		m.TS = max(m.TS, s.Last[id].TS)
		s.Last[id] = m
	}
}

// Join adds what happened elsewhere, in another repository.
func (s *Sum) Join(other *Sum) {
	for k, c := range other.Cells {
		cellOf(s.Cells, k).add(c)
	}
}
