package stats

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/event"
)

var begin = time.Date(2026, 11, 20, 23, 40, 0, 0, time.UTC)

func at(d time.Duration) int64 { return begin.Add(d).UnixNano() }

func sumOf(events ...event.Event) *Sum {
	s := New()
	for _, e := range events {
		s.Add(e)
	}
	return s
}

func yes(v bool) *bool { return &v }

func TestReport_BW34_aMorning(t *testing.T) {
	const task = "add-jwt-auth-k3v9q2m"
	tool := func(after time.Duration, name string, ok bool, ms int64) event.Event {
		return event.Event{
			TS: at(after), Session: "s1", Task: task, Phase: "1", Mode: "implementation",
			Type: event.ToolComplete, Tool: name, Success: yes(ok), DurationMS: ms, HookUS: 1500,
		}
	}
	s := sumOf(
		event.Event{TS: at(0), Session: "s1", Mode: "discussion", Type: "session_start"},
		event.Event{
			TS: at(5 * time.Minute), Session: "s1", Task: task, Mode: "discussion", Type: event.Denial, Tool: "Edit",
			Decision: "deny",
		},
		event.Event{
			TS: at(6 * time.Minute), Session: "s1", Task: task, Mode: "discussion", Type: event.ToolStart,
			Tool: "Bash", Decision: "ask",
		},
		event.Event{TS: at(10 * time.Minute), Session: "s1", Task: task, Mode: "implementation", Type: event.ModeChange},
		event.Event{TS: at(10 * time.Minute), Session: "s1", Task: task, Mode: "implementation", Type: event.Prompt},
		tool(12*time.Minute, "Bash", true, 200),
		tool(14*time.Minute, "Bash", false, 40_000),
		tool(15*time.Minute, "Edit", true, 30),
		tool(25*time.Minute, "Edit", true, 50), // the next day
		event.Event{
			TS: at(30 * time.Minute), Session: "s1", Task: task, Mode: "implementation", Type: event.Stop,
			Decision: "block",
		},
		// Lunch is nobody's time.
		event.Event{TS: at(90 * time.Minute), Session: "s1", Task: task, Mode: "implementation", Type: event.Compaction},
		// A person without a session, and another session.
		event.Event{TS: at(91 * time.Minute), Task: task, Type: event.PhaseChange, Phase: "2"},
		event.Event{TS: at(92 * time.Minute), Session: "s2", Mode: "discussion", Type: event.AgentStart},
	)
	r := s.Report("", "")
	want := Counts{Events: 13, Prompts: 1, Denials: 1, Asked: 1, Kept: 1, Compactions: 1, Agents: 1, Switches: 1}
	if r.Total.Counts != want || r.Total.Sessions != 2 || r.Total.Calls != 4 || r.Total.Failed != 1 {
		t.Errorf("total: %+v", r.Total)
	}
	modes := []ModeTime{{"discussion", 10 * time.Minute}, {"implementation", 20 * time.Minute}}
	if !reflect.DeepEqual(r.Total.Modes, modes) || r.Total.Active != 30*time.Minute {
		t.Errorf("modes: %v", r.Total.Modes)
	}
	if len(r.Days) != 2 || r.Days[0].Name != "2026-11-20" || r.Days[0].Active != 25*time.Minute || r.Days[1].Events != 5 ||
		r.Days[1].Sessions != 2 {
		t.Errorf("days: %+v", r.Days)
	}
	if len(r.Tasks) != 2 || r.Tasks[0].Name != task || r.Tasks[0].Active != 25*time.Minute || r.Tasks[1].Name != "" {
		t.Errorf("tasks: %+v", r.Tasks)
	}
	bash := r.Tools[1]
	if bash.Name != "Bash" || bash.Calls != 2 || bash.Failed != 1 || bash.Median != 202*time.Millisecond &&
		bash.Median != 200*time.Millisecond || bash.P95 < 39*time.Second || bash.P95 > 41*time.Second {
		t.Errorf("Bash: %+v", bash)
	}
	if edit := r.Tools[0]; edit.Calls != 2 || edit.Denied != 1 {
		t.Errorf("Edit: %+v", edit)
	}
	one := s.Report("add-jwt", "s1")
	if one.Total.Events != 10 || !slices.Equal(one.Phases, []string{"1"}) || len(one.Tasks) != 1 {
		t.Errorf("of a task and a session: %+v", one)
	}
	if none := New().Report("", ""); none.Total.Events != 0 || !none.Total.First.IsZero() || none.Tools != nil {
		t.Errorf("of nothing: %+v", none)
	}
}

// drawEvents are events of a few sessions, in order, over some days.
func drawEvents(t *rapid.T) []event.Event {
	ts := begin.UnixNano()
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) event.Event {
		ts += rapid.Int64Range(0, int64(time.Hour)).Draw(t, "after")
		return event.Event{
			TS:      ts,
			Session: rapid.SampledFrom([]string{"", "s1", "s2", "s3"}).Draw(t, "session"),
			Task:    rapid.SampledFrom([]string{"", "a-1234567", "b-1234567"}).Draw(t, "task"),
			Mode:    rapid.SampledFrom([]string{"", "discussion", "implementation"}).Draw(t, "mode"),
			Phase:   rapid.SampledFrom([]string{"", "1", "2V"}).Draw(t, "phase"),
			Type: rapid.SampledFrom([]event.Type{
				event.ToolComplete, event.Prompt, event.Denial, event.ModeChange,
				event.Stop,
			}).Draw(t, "type"),
			Tool:       rapid.SampledFrom([]string{"Bash", "Edit", "mcp__x__y"}).Draw(t, "tool"),
			Success:    yes(rapid.Bool().Draw(t, "success")),
			Decision:   rapid.SampledFrom([]string{"", "deny", "ask", "block"}).Draw(t, "decision"),
			DurationMS: rapid.Int64Range(0, 1<<40).Draw(t, "took"), HookUS: rapid.Int64Range(0, 5000).Draw(t, "hook"),
		}
	}), 0, 60).Draw(t, "events")
}

// Wherever events are parted, the sums of the parts, kept as text in between,
// are the sum of all.
func TestSum_BW44_partsAreTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := drawEvents(t)
		whole, parts := sumOf(events...), New()
		for len(events) > 0 {
			n := rapid.IntRange(1, len(events)).Draw(t, "part")
			part := Sum{}
			if err := json.Unmarshal(encoded(t, sumOf(events[:n]...)), &part); err != nil {
				t.Fatal(err)
			}
			parts.Follow(&part)
			events = events[n:]
		}
		if got, want := string(encoded(t, parts)), string(encoded(t, whole)); got != want {
			t.Fatalf("parts:\n%s\nwhole:\n%s", got, want)
		}
		if got, want := parts.Report("", ""), whole.Report("", ""); !reflect.DeepEqual(got, want) {
			t.Fatalf("parts: %+v\nwhole: %+v", got, want)
		}
	})
}

func TestSizes_quantilesAreNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 1<<50), 1, 200).Draw(t, "values")
		var h Sizes
		for _, v := range values {
			h.add(v)
		}
		slices.Sort(values)
		for _, q := range []float64{0.5, 0.95, 1} {
			exact := values[max(1, int(q*float64(len(values))+0.9999999))-1]
			if got := h.Quantile(q); got < exact-exact/50 || got > exact+exact/50 {
				t.Fatalf("%v of %v is %d, want %d", q, values, got, exact)
			}
		}
	})
}

// encoded returns a sum as it is kept.
func encoded(t interface {
	Helper()
	Fatal(args ...any)
}, s *Sum,
) []byte {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
