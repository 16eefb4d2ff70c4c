package look

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/stats"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// How much of a report people are shown; scripts get all of it.
const (
	shownDays = 31
	shownRows = 15
)

func statsAnswer(c *cli.Call, v statsView) cli.Answer {
	return cli.Answer{JSON: view.Stats(v.report, v.repos), Records: statsRecords(v.report), Text: func() {
		if v.report.Total.Events == 0 {
			c.Say("No events.")
			return
		}
		p := statsPage{Call: c, style: c.Colours(v.service), view: v}
		p.head()
		p.modes()
		p.tools()
		p.days()
		p.tasks()
	}}
}

// statsRecords are what a line is about, its name, and numbers.
func statsRecords(r stats.Report) cli.Porcelain {
	n := strconv.Itoa
	totals := func(what string) func(stats.Row) []string {
		return func(t stats.Row) []string {
			return []string{
				what, t.Name, n(t.Events), n(t.Sessions), n(t.Calls), n(t.Failed), n(t.Prompts), n(t.Denials), n(t.Asked),
				n(t.Compactions), n(int(t.Active.Seconds())),
			}
		}
	}
	return cli.Joined(
		cli.Each([]stats.Row{{Totals: r.Total}}, totals("total")),
		cli.Each(r.Total.Modes, func(m stats.ModeTime) []string {
			return []string{"mode", m.Mode, n(int(m.Time.Seconds()))}
		}),
		cli.Each(r.Tools, func(t stats.ToolUse) []string {
			median, p95 := int(t.Median.Milliseconds()), int(t.P95.Milliseconds())
			return []string{"tool", t.Name, n(t.Calls), n(t.Failed), n(t.Denied), n(median), n(p95)}
		}),
		cli.Each(r.Days, totals("day")),
		cli.Each(r.Tasks, totals("task")),
	)
}

// statsPage prints a report for people.
type statsPage struct {
	*cli.Call
	style ui.Style
	view  statsView
}

func (p *statsPage) head() {
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
	p.Tell("%s\n%s\n", p.style.Bright(days), strings.Join(parts, " · "))
	if t.HookMedian > 0 {
		p.Tell("hooks took %s, one in twenty more than %s\n", took(t.HookMedian), took(t.HookP95))
	}
}

// part begins a part of the page.
func (p *statsPage) part(title string, right ...int) *ui.Table {
	fmt.Fprintf(p.Out, "\n%s\n", p.style.Bright(title))
	table := p.Table("  ")
	table.Right, table.Give = map[int]bool{}, []int{0}
	table.Leave = []int{len(right) + 1} // the bar
	if len(right) > 4 {
		table.Leave = append(table.Leave, 5, 4) // how long tools took
	}
	for _, column := range right {
		table.Right[column] = true
	}
	return table
}

// bar draws a share of the most, of which something shows where there is any.
func (p *statsPage) bar(value, most float64) string {
	const full = 24
	if value <= 0 {
		return ""
	}
	return p.style.Busy(strings.Repeat("█", max(1, int(math.Round(value/most*full)))))
}

func (p *statsPage) modes() {
	modes, most := p.view.report.Total.Modes, time.Duration(0)
	if len(modes) == 0 {
		return
	}
	table := p.part("Time in mode", 1)
	for _, m := range modes {
		most = max(most, m.Time)
	}
	for _, m := range modes {
		table.Add(ui.Safe(m.Mode), ui.Duration(m.Time), p.bar(float64(m.Time), float64(most)))
	}
	p.WriteTable(table)
}

func (p *statsPage) tools() {
	tools := p.view.report.Tools
	if len(tools) == 0 {
		return
	}
	table := p.part("Tools", 1, 2, 3, 4, 5)
	table.Add("", "calls", "failed", "denied", "median", "95th")
	for _, t := range tools[:min(len(tools), shownRows)] {
		name := ui.Safe(t.Name)
		if name == "" {
			name = "(no name)"
		}
		table.Add(name, strconv.Itoa(t.Calls), some(t.Failed), some(t.Denied), took(t.Median), took(t.P95),
			p.bar(float64(t.Calls), float64(tools[0].Calls)))
	}
	p.end(table, len(tools)-shownRows, "tool")
}

func (p *statsPage) days() {
	days := p.view.report.Days
	if len(days) < 2 {
		return
	}
	older := max(0, len(days)-shownDays)
	p.rows("Days (UTC)", days[older:], older, "earlier day", func(day string) string { return day })
}

func (p *statsPage) tasks() {
	tasks := p.view.report.Tasks
	if len(tasks) < 2 && p.view.report.Total.Sessions < 2 {
		return
	}
	p.rows("Tasks", tasks[:min(len(tasks), shownRows)], len(tasks)-shownRows, "task", func(id string) string {
		if id == "" {
			return "(no task)"
		}
		if len(p.view.repos) == 1 {
			id = p.view.service.Records.Name(p.Ctx, task.ID(id))
		}
		return ui.Safe(id)
	})
}

// rows prints days or tasks: how much happened, and how long they took.
func (p *statsPage) rows(title string, rows []stats.Row, more int, thing string, name func(string) string) {
	table := p.part(title, 1, 2, 3, 4)
	most := time.Duration(0)
	for _, r := range rows {
		most = max(most, r.Active)
	}
	table.Add("", "events", "calls", "denied", "time")
	for _, r := range rows {
		table.Add(name(r.Name), strconv.Itoa(r.Events), some(r.Calls), some(r.Denials), ui.Duration(r.Active),
			p.bar(float64(r.Active), float64(most)))
	}
	p.end(table, more, thing)
}

func (p *statsPage) end(table *ui.Table, more int, thing string) {
	p.WriteTable(table)
	if more > 0 {
		fmt.Fprintf(p.Out, "  %s\n", p.style.Dim(ui.Plural(more, "more "+thing)+"; --json has all"))
	}
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
		return strconv.FormatFloat(view.Milliseconds(d), 'f', 1, 64) + "ms"
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	}
	return ui.Duration(d)
}
