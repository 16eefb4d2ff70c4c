package work

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
)

// boardAnswer tells what was said, and what its board came to.
func boardAnswer(c *cli.Call, did string, out review.BoardResult) cli.Answer {
	doc := c.Change(out.Task, task.Phase{}, nil)
	about := slices.DeleteFunc(slices.Clone(out.Tally.Remarks), func(r rules.TalliedRemark) bool {
		return !slices.Contains(out.Remarks, r.N)
	})
	return cli.Answer{
		JSON:    ui.Object{doc, "board", out.Tally, "remarks", out.Remarks},
		Records: cli.Joined(cli.Each(about, remarkRecord), cli.Record(boardRecord(out.Tally)...)),
		Text: func() {
			if len(out.Remarks) > 0 {
				did += " " + numbers(out.Remarks)
			}
			c.Did("%s; %s", did, taskview.BoardWords(out.Tally))
			c.Next("%s", ui.Safe(cmp.Or(out.Tally.Command, c.Hint(doc.Next))))
		},
	}
}

// numbers is "remark 2", "remarks 2, 5".
func numbers(all []int) string {
	if len(all) == 1 {
		return fmt.Sprintf("remark %d", all[0])
	}
	return "remarks " + strings.Trim(strings.ReplaceAll(fmt.Sprint(all), " ", ", "), "[]")
}

func boardRecord(t rules.Tally) []string {
	return []string{
		t.Board, string(t.Verdict), strconv.Itoa(t.Round), strconv.Itoa(len(t.Reviewers)),
		strconv.Itoa(t.Quorum), t.Why,
	}
}

func remarkRecord(r rules.TalliedRemark) []string {
	return []string{
		strconv.Itoa(r.N), r.Board, string(r.Severity), r.State, strconv.FormatBool(r.Counts), strings.Join(r.For(), ","),
		where(r), r.Text,
	}
}

// where is the place that a remark is about, "" for none.
func where(r rules.TalliedRemark) string {
	return r.File + ui.Either(r.Line == 0, "", ":"+strconv.Itoa(r.Line))
}

func talliesAnswer(c *cli.Call, all []rules.Tally) cli.Answer {
	a := cli.Answer{
		JSON:    ui.Object{"task", c.ID, "boards", all},
		Records: cli.Each(all, boardRecord),
		Text: c.OrNone(len(all), "reviews", "git brew remark add BOARD TEXT --reviewer NAME", func() {
			for i, tally := range all {
				if i > 0 {
					c.Line("")
				}
				printTally(c, tally)
			}
		}),
	}
	if slices.ContainsFunc(all, func(t rules.Tally) bool { return t.Verdict != rules.VerdictReady }) {
		a.End = cli.ExitWith(cli.ExitRefused)
	}
	return a
}

func printTally(c *cli.Call, t rules.Tally) {
	style := c.Style()
	word := string(t.Verdict)
	verdict := ui.Either(t.Verdict == rules.VerdictReady, style.Good(word), style.Warn(word))
	c.Tell("%s  %s  round %d of %d\n", style.Bright(ui.Safe(t.Board)), verdict, t.Round, t.Rounds)
	facts := c.Facts("  ")
	facts.Add("why", ui.Safe(t.Why))
	facts.Add("reviewers", ui.Safe(speakers(t)))
	c.WriteTable(facts)
	c.WriteTable(remarkTable(c, t.Remarks))
	if t.Command != "" {
		c.Next("%s", ui.Safe(t.Command))
	}
}

// speakers says who spoke in the round, and who has not.
func speakers(t rules.Tally) string {
	var all []string
	for _, b := range t.Reviewers {
		all = append(all, b.Name+ui.Either(b.Ready, " (ready)", ""))
	}
	if missing := t.Quorum - len(t.Reviewers); missing > 0 {
		all = append(all, fmt.Sprintf("%d to come", missing))
	}
	return strings.Join(all, ", ")
}

func remarkTable(c *cli.Call, remarks []rules.TalliedRemark) *ui.Table {
	table := c.Table("  ")
	table.Right, table.Leave, table.Give = map[int]bool{0: true}, []int{3}, []int{4}
	for _, r := range remarks {
		text := ui.Safe(strings.Join(strings.Fields(ui.Joined(": ", where(r), r.Text)), " "))
		table.Add(c.Style().Bright(strconv.Itoa(r.N)), string(r.Severity), r.State, countsWords(r), text)
	}
	return table
}

// countsWords says whether a remark counts, and by whose word.
func countsWords(r rules.TalliedRemark) string {
	switch {
	case r.Ruling == task.Accepted:
		return "the user's"
	case r.Ruling == task.Rejected:
		return ""
	case r.Counts:
		return fmt.Sprintf("counts, %d", len(r.For()))
	}
	return fmt.Sprintf("%d alone", len(r.For()))
}

func remarksAnswer(c *cli.Call, all []rules.TalliedRemark) cli.Answer {
	return cli.Answer{
		JSON:    ui.Object{"task", c.ID, "remarks", all},
		Records: cli.Each(all, remarkRecord),
		Text: c.OrNone(len(all), "remarks", "git brew remark add BOARD TEXT --reviewer NAME", func() {
			slices.SortFunc(all, func(a, b rules.TalliedRemark) int { return a.N - b.N })
			c.WriteTable(remarkTable(c, all))
		}),
	}
}

func remarkAnswer(c *cli.Call, r rules.TalliedRemark) cli.Answer {
	return cli.Answer{JSON: ui.Object{"task", c.ID, "remark", r}, Records: cli.Record(remarkRecord(r)...), Text: func() {
		place := ui.Either(where(r) == "", "", ", at "+ui.Safe(where(r)))
		c.Tell("%s on %s, %s, %s%s\n", c.Style().Bright(fmt.Sprintf("remark %d", r.N)), ui.Safe(r.Board), r.Severity, r.State,
			place)
		c.Tell("\n%s\n\n", ui.SafeLines(r.Text))
		facts := c.Facts("  ")
		facts.Fact("the user", string(r.Ruling))
		facts.Fact("because", ui.Safe(r.Reason))
		for _, v := range r.Votes {
			facts.Add(ui.Safe(v.Name), ui.Safe(ui.Either(v.Confirms, "confirms", "rejects: "+v.Reason)))
		}
		c.WriteTable(facts)
	}}
}
