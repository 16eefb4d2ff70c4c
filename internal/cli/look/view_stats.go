package look

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/stats"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// How much of a report people are shown; scripts get all of it.
const (
	shownDays = 31
	shownRows = 15
)

// statsPage is a report, and prints it for people. Its App is of the first repository.
type statsPage struct {
	*cli.Call
	repos  []string
	report stats.Report
}

func (p statsPage) answer() cli.Answer {
	return cli.Answer{JSON: view.Stats(p.report, p.repos), Records: statsRecords(p.report), Text: func() {
		if p.report.Total.Events == 0 {
			p.Say("No events.")
			return
		}
		p.head()
		p.parts()
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
		cli.Each(r.Workers, func(w stats.WorkerUse) []string {
			i := func(n int64) string { return strconv.FormatInt(n, 10) }
			return []string{"worker", w.Client, n(w.Turns), i(w.MS), i(w.Input), i(w.Output), i(w.MicroUSD)}
		}),
		cli.Each(r.Days, totals("day")),
		cli.Each(r.Tasks, totals("task")),
	)
}

func (p statsPage) head() {
	t := p.report.Total
	repos := ui.Either(len(p.repos) > 1, strconv.Itoa(len(p.repos))+" repositories", "")
	sums := ui.Joined(" · ", ui.Plural(t.Events, "event"), ui.Plural(t.Sessions, "session"), repos,
		ui.Some(t.Prompts, "prompt"), ui.Some(t.Calls, "tool call"), ui.Some(t.Denials, "denial"),
		ui.Some(t.Asked, "question"), ui.Some(t.Agents, "sub-agent"), ui.Some(t.Compactions, "compaction"))
	first, last := t.First.Format(time.DateOnly), t.Last.Format(time.DateOnly)
	days := first + ui.Either(last == first, "", " to "+last)
	p.Tell("%s\n%s\n", p.Style().Bright(days), sums)
	if t.HookMedian > 0 {
		p.Tell("hooks took %s, one in twenty more than %s\n", took(t.HookMedian), took(t.HookP95))
	}
}

// parts prints the tables below the head, those that have something to say.
func (p statsPage) parts() {
	var modes, tools, workers [][]string
	r := p.report
	for _, m := range r.Total.Modes {
		modes = append(modes, []string{ui.Safe(m.Mode), ui.Duration(m.Time)})
	}
	for _, t := range r.Tools {
		name := cmp.Or(ui.Safe(t.Name), "(no name)")
		failed, denied := some(t.Failed), some(t.Denied)
		tools = append(tools, []string{name, strconv.Itoa(t.Calls), failed, denied, took(t.Median), took(t.P95)})
	}
	for _, w := range r.Workers {
		cost := task.Cost{MS: w.MS, Input: w.Input, Output: w.Output, MicroUSD: w.MicroUSD}
		workers = append(workers, []string{ui.Safe(w.Client), strconv.Itoa(w.Turns), report.CostWords(cost)})
	}
	p.part("Time in mode", []string{"", ""}, modes, 0, "")
	p.part("Tools", []string{"", "calls", "failed", "denied", "median", "95th"}, tools[:min(len(tools), shownRows)],
		len(tools)-shownRows, "tool")
	p.part("Workers", []string{"", "turns", ""}, workers, 0, "")
	head := []string{"", "events", "calls", "denied", "time"}
	if older := max(0, len(r.Days)-shownDays); len(r.Days) > 1 {
		p.part("Days (UTC)", head, rows(r.Days[older:], func(day string) string { return day }), older, "earlier day")
	}
	if len(r.Tasks) < 2 && r.Total.Sessions < 2 {
		return
	}
	name := func(id string) string {
		if len(p.repos) == 1 && id != "" {
			id = p.App.Records.Name(p.Ctx, task.ID(id))
		}
		return cmp.Or(ui.Safe(id), "(no task)")
	}
	p.part("Tasks", head, rows(r.Tasks[:min(len(r.Tasks), shownRows)], name), len(r.Tasks)-shownRows, "task")
}

// rows are days or tasks: how much happened, and how long they took.
func rows(all []stats.Row, name func(string) string) [][]string {
	return view.Each(all, func(r stats.Row) []string {
		return []string{name(r.Name), strconv.Itoa(r.Events), some(r.Calls), some(r.Denials), ui.Duration(r.Active)}
	})
}

// part prints one table; more are the rows that are left out.
func (p statsPage) part(title string, head []string, rows [][]string, more int, thing string) {
	if len(rows) == 0 {
		return
	}
	style, table := p.Style(), p.Table("  ")
	fmt.Fprintf(p.Out, "\n%s\n", style.Bright(title))
	table.Right, table.Give = map[int]bool{}, []int{0}
	if len(head) > 5 {
		table.Leave = []int{5, 4} // how long tools took
	}
	if head[1] != "" {
		table.Add(head...)
	}
	for column := range head[1:] {
		table.Right[column+1] = true
	}
	for _, cells := range rows {
		table.Add(cells...)
	}
	p.WriteTable(table)
	if more > 0 {
		fmt.Fprintf(p.Out, "  %s\n", style.Dim(ui.Plural(more, "more "+thing)+"; --json has all"))
	}
}

// some is a number, nothing for none.
func some(n int) string { return ui.Either(n == 0, "", strconv.Itoa(n)) }

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
