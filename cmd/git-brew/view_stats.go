package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/stats"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// statsDocument is `stats --json`.
type statsDocument struct {
	Repos []string       `json:"repos,omitempty"`
	Total totalsDocument `json:"total"`
	Tools []toolDocument `json:"tools"`
	Days  []totalsInDay  `json:"days"`
	Tasks []totalsOfTask `json:"tasks"`
}

type totalsDocument struct {
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

type totalsInDay struct {
	Day string `json:"day"`
	totalsDocument
}

type totalsOfTask struct {
	Task string `json:"task"`
	totalsDocument
}

type toolDocument struct {
	Tool     string  `json:"tool"`
	Calls    int     `json:"calls"`
	Failed   int     `json:"failed"`
	Denied   int     `json:"denied"`
	MedianMS float64 `json:"median_ms"`
	P95MS    float64 `json:"p95_ms"`
}

func inMS(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func newTotals(t stats.Totals) totalsDocument {
	doc := totalsDocument{
		Counts: t.Counts, Sessions: t.Sessions, ToolCalls: t.Calls, ToolFailures: t.Failed,
		ActiveSeconds: t.Active.Seconds(), ModeSeconds: map[string]float64{},
		First: ui.Timestamp(t.First), Last: ui.Timestamp(t.Last),
		HookMedianMS: inMS(t.HookMedian), HookP95MS: inMS(t.HookP95),
	}
	for _, m := range t.Modes {
		doc.ModeSeconds[m.Mode] = m.Time.Seconds()
	}
	return doc
}

func newStatsDocument(r stats.Report, repos []string) statsDocument {
	doc := statsDocument{Repos: repos, Total: newTotals(r.Total), Tools: []toolDocument{}, Days: []totalsInDay{}, Tasks: []totalsOfTask{}}
	for _, t := range r.Tools {
		doc.Tools = append(doc.Tools, toolDocument{t.Name, t.Calls, t.Failed, t.Denied, inMS(t.Median), inMS(t.P95)})
	}
	for _, d := range r.Days {
		doc.Days = append(doc.Days, totalsInDay{d.Name, newTotals(d.Totals)})
	}
	for _, t := range r.Tasks {
		doc.Tasks = append(doc.Tasks, totalsOfTask{t.Name, newTotals(t.Totals)})
	}
	return doc
}

// How much of a report people are shown; scripts get all of it.
const (
	shownDays = 31
	shownRows = 15
)

func (e *env) showStats(v statsView) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, newStatsDocument(v.report, v.repos))
	case e.Flags.Porcelain:
		return e.recordStats(v.report)
	case v.report.Total.Events == 0:
		e.say("No events.")
		return nil
	}
	p := statsPage{env: e, style: e.colours(v.service), view: v, bars: e.bars()}
	for _, part := range []func() error{p.head, p.modes, p.tools, p.days, p.tasks} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// bars are as wide as the terminal leaves them room beside the longest row.
func (e *env) bars() ui.Bars {
	const besides, most = 62, 24
	return ui.Bars{
		Width: min(most, max(6, e.width()-besides)),
		Plain: e.Getenv("TERM") == "dumb" || !ui.UnicodeWanted(e.Getenv("LC_ALL"), e.Getenv("LC_CTYPE"), e.Getenv("LANG")),
	}
}

// recordStats is `stats --porcelain`: what a line is about, its name, and numbers.
func (e *env) recordStats(r stats.Report) error {
	n := strconv.Itoa
	totals := func(what, name string, t stats.Totals) error {
		return ui.Record(e.Out, what, name, n(t.Events), n(t.Sessions), n(t.Calls), n(t.Failed), n(t.Prompts), n(t.Denials), n(t.Asked), n(t.Compactions), n(int(t.Active.Seconds())))
	}
	err := totals("total", "", r.Total)
	for _, m := range r.Total.Modes {
		if err == nil {
			err = ui.Record(e.Out, "mode", m.Mode, n(int(m.Time.Seconds())))
		}
	}
	for _, t := range r.Tools {
		if err == nil {
			err = ui.Record(e.Out, "tool", t.Name, n(t.Calls), n(t.Failed), n(t.Denied), n(int(t.Median.Milliseconds())), n(int(t.P95.Milliseconds())))
		}
	}
	for _, d := range r.Days {
		if err == nil {
			err = totals("day", d.Name, d.Totals)
		}
	}
	for _, t := range r.Tasks {
		if err == nil {
			err = totals("task", t.Name, t.Totals)
		}
	}
	return err
}

// statsPage prints a report for people.
type statsPage struct {
	*env
	style ui.Style
	view  statsView
	bars  ui.Bars
}

func (p *statsPage) head() error {
	t := p.view.report.Total
	parts := []string{ui.Plural(t.Events, "event"), ui.Plural(t.Sessions, "session")}
	if n := len(p.view.repos); n > 1 {
		parts = append(parts, strconv.Itoa(n)+" repositories")
	}
	for _, c := range []struct {
		n     int
		thing string
	}{
		{t.Prompts, "prompt"},
		{t.Calls, "tool call"},
		{t.Denials, "denial"},
		{t.Asked, "question"},
		{t.Agents, "sub-agent"},
		{t.Compactions, "compaction"},
	} {
		if c.n > 0 {
			parts = append(parts, ui.Plural(c.n, c.thing))
		}
	}
	days := t.First.Format(time.DateOnly)
	if last := t.Last.Format(time.DateOnly); last != days {
		days += " to " + last
	}
	p.tell("%s\n%s\n", p.style.Bright(days), strings.Join(parts, " · "))
	if t.HookMedian > 0 {
		p.tell("hooks took %s, one in twenty more than %s\n", took(t.HookMedian), took(t.HookP95))
	}
	return nil
}

// part begins a part of the page.
func (p *statsPage) part(title string, right ...int) (*ui.Table, error) {
	_, err := fmt.Fprintf(p.Out, "\n%s\n", p.style.Bright(title))
	table := p.table("  ")
	table.Right, table.Give = map[int]bool{}, []int{0}
	table.Leave = []int{len(right) + 1} // the bar
	if len(right) > 4 {
		table.Leave = append(table.Leave, 5, 4) // how long tools took
	}
	for _, column := range right {
		table.Right[column] = true
	}
	return table, err
}

func (p *statsPage) bar(value, most float64) string { return p.style.Busy(p.bars.Bar(value, most)) }

func (p *statsPage) modes() error {
	modes, most := p.view.report.Total.Modes, time.Duration(0)
	if len(modes) == 0 {
		return nil
	}
	table, err := p.part("Time in mode", 1)
	if err != nil {
		return err
	}
	for _, m := range modes {
		most = max(most, m.Time)
	}
	for _, m := range modes {
		table.Add(ui.Safe(m.Mode), ui.Duration(m.Time), p.bar(float64(m.Time), float64(most)))
	}
	return table.Write(p.Out)
}

func (p *statsPage) tools() error {
	tools := p.view.report.Tools
	if len(tools) == 0 {
		return nil
	}
	table, err := p.part("Tools", 1, 2, 3, 4, 5)
	if err != nil {
		return err
	}
	table.Add("", "calls", "failed", "denied", "median", "95th")
	for _, t := range tools[:min(len(tools), shownRows)] {
		name := ui.Safe(t.Name)
		if name == "" {
			name = "(no name)"
		}
		table.Add(name, strconv.Itoa(t.Calls), some(t.Failed), some(t.Denied), took(t.Median), took(t.P95), p.bar(float64(t.Calls), float64(tools[0].Calls)))
	}
	return p.end(table, len(tools)-shownRows, "tool")
}

func (p *statsPage) days() error {
	days := p.view.report.Days
	if len(days) < 2 {
		return nil
	}
	older := max(0, len(days)-shownDays)
	return p.rows("Days (UTC)", days[older:], older, "earlier day", func(day string) string { return day })
}

func (p *statsPage) tasks() error {
	tasks := p.view.report.Tasks
	if len(tasks) < 2 && p.view.report.Total.Sessions < 2 {
		return nil
	}
	return p.rows("Tasks", tasks[:min(len(tasks), shownRows)], len(tasks)-shownRows, "task", func(id string) string {
		if id == "" {
			return "(no task)"
		}
		return ui.Safe(p.view.name(task.ID(id)))
	})
}

// rows prints days or tasks: how much happened, and how long they took.
func (p *statsPage) rows(title string, rows []stats.Row, more int, thing string, name func(string) string) error {
	table, err := p.part(title, 1, 2, 3, 4)
	if err != nil {
		return err
	}
	most := time.Duration(0)
	for _, r := range rows {
		most = max(most, r.Active)
	}
	table.Add("", "events", "calls", "denied", "time")
	for _, r := range rows {
		table.Add(name(r.Name), strconv.Itoa(r.Events), some(r.Calls), some(r.Denials), ui.Duration(r.Active), p.bar(float64(r.Active), float64(most)))
	}
	return p.end(table, more, thing)
}

func (p *statsPage) end(table *ui.Table, more int, thing string) error {
	if err := table.Write(p.Out); err != nil || more <= 0 {
		return err
	}
	_, err := fmt.Fprintf(p.Out, "  %s\n", p.style.Dim(ui.Plural(more, "more "+thing)+"; --json has all"))
	return err
}

// some is a number, nothing for none.
func some(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// took is a short length of time: 1.9ms, 230ms, 12.3s, 4m.
func took(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < 10*time.Millisecond:
		return strconv.FormatFloat(inMS(d), 'f', 1, 64) + "ms"
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	}
	return ui.Duration(d)
}
