package view

import (
	"time"

	"github.com/git-brew/git-brew/internal/stats"
	"github.com/git-brew/git-brew/internal/ui"
)

// Stats is `stats --json`.
type Stats struct {
	Repos []string       `json:"repos,omitempty"`
	Total Totals         `json:"total"`
	Tools []Tool         `json:"tools"`
	Days  []TotalsOfDay  `json:"days"`
	Tasks []TotalsOfTask `json:"tasks"`
}

// Totals are sums over a report, a day or a task.
type Totals struct {
	stats.Counts
	Sessions      int                `json:"sessions"`
	ToolCalls     int                `json:"tool_calls"`
	ToolFailures  int                `json:"tool_failures"`
	ActiveSeconds float64            `json:"active_seconds"`
	ModeSeconds   map[string]float64 `json:"mode_seconds"`
	First         string             `json:"first,omitempty"`
	Last          string             `json:"last,omitempty"`
	HookMedianMS  float64            `json:"hook_median_ms"`
	HookP95MS     float64            `json:"hook_p95_ms"`
}

// TotalsOfDay are the sums of a day.
type TotalsOfDay struct {
	Day string `json:"day"`
	Totals
}

// TotalsOfTask are the sums of a task.
type TotalsOfTask struct {
	Task string `json:"task"`
	Totals
}

// Tool is how one tool was used.
type Tool struct {
	Tool     string  `json:"tool"`
	Calls    int     `json:"calls"`
	Failed   int     `json:"failed"`
	Denied   int     `json:"denied"`
	MedianMS float64 `json:"median_ms"`
	P95MS    float64 `json:"p95_ms"`
}

// Milliseconds is a length of time as documents have it.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func newTotals(t stats.Totals) Totals {
	doc := Totals{
		Counts: t.Counts, Sessions: t.Sessions, ToolCalls: t.Calls, ToolFailures: t.Failed,
		ActiveSeconds: t.Active.Seconds(), ModeSeconds: map[string]float64{},
		First: ui.Timestamp(t.First), Last: ui.Timestamp(t.Last),
		HookMedianMS: Milliseconds(t.HookMedian), HookP95MS: Milliseconds(t.HookP95),
	}
	for _, m := range t.Modes {
		doc.ModeSeconds[m.Mode] = m.Time.Seconds()
	}
	return doc
}

// NewStats tells what the events of repositories add up to.
func NewStats(r stats.Report, repos []string) Stats {
	doc := Stats{
		Repos: repos, Total: newTotals(r.Total), Tools: []Tool{}, Days: []TotalsOfDay{}, Tasks: []TotalsOfTask{},
	}
	for _, t := range r.Tools {
		doc.Tools = append(doc.Tools, Tool{t.Name, t.Calls, t.Failed, t.Denied, Milliseconds(t.Median), Milliseconds(t.P95)})
	}
	for _, d := range r.Days {
		doc.Days = append(doc.Days, TotalsOfDay{d.Name, newTotals(d.Totals)})
	}
	for _, t := range r.Tasks {
		doc.Tasks = append(doc.Tasks, TotalsOfTask{t.Name, newTotals(t.Totals)})
	}
	return doc
}
