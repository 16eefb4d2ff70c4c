package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// boardAnswer tells what was said, and what its board came to.
func boardAnswer(c *call, did string, out review.BoardResult) answer {
	doc := view.BoardChange{Change: c.change(out.Task, task.Phase{}, nil), Board: out.Tally, Remarks: view.List(out.Remarks)}
	about := slices.DeleteFunc(slices.Clone(out.Tally.Remarks), func(r task.TalliedRemark) bool {
		return !slices.Contains(out.Remarks, r.N)
	})
	return answer{
		JSON:    doc,
		Records: joined(each(about, remarkRecord), record(boardRecord(out.Tally)...)),
		Text: func() {
			if len(out.Remarks) > 0 {
				did += " " + numbers(out.Remarks)
			}
			c.did("%s; %s", did, boardWords(out.Tally))
			c.next("%s", ui.Safe(cmp.Or(out.Tally.Command, c.hint(doc.Next.Taken()))))
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

// boardWords is a board in a sentence: "plan: READY, nothing grave that counts is open".
func boardWords(t task.Tally) string {
	return fmt.Sprintf("%s: %s, %s", ui.Safe(t.Board), t.Verdict, ui.Safe(t.Why))
}

func boardRecord(t task.Tally) []string {
	return []string{t.Board, string(t.Verdict), strconv.Itoa(t.Round), strconv.Itoa(len(t.Reviewers)), strconv.Itoa(t.Quorum), t.Why}
}

func remarkRecord(r task.TalliedRemark) []string {
	return []string{
		strconv.Itoa(r.N), r.Board, string(r.Severity), r.State, strconv.FormatBool(r.Counts), strings.Join(r.For(), ","), where(r), r.Text,
	}
}

// where is the place that a remark is about, "" for none.
func where(r task.TalliedRemark) string {
	if r.Line == 0 {
		return r.File
	}
	return fmt.Sprintf("%s:%d", r.File, r.Line)
}

func talliesAnswer(c *call, all []task.Tally) answer {
	a := answer{
		JSON:    view.Boards{Task: c.id, Boards: view.List(all)},
		Records: each(all, boardRecord),
		Text: func() {
			if len(all) == 0 {
				c.hasNone("reviews", "git brew remark add BOARD TEXT --reviewer NAME")
			}
			for i, tally := range all {
				if i > 0 {
					c.line("")
				}
				c.printTally(tally)
			}
		},
	}
	if slices.ContainsFunc(all, func(t task.Tally) bool { return t.Verdict != task.VerdictReady }) {
		a.End = exitWith(exitRefused)
	}
	return a
}

func (c *call) printTally(t task.Tally) {
	style := c.style()
	verdict := style.Warn(string(t.Verdict))
	if t.Verdict == task.VerdictReady {
		verdict = style.Good(string(t.Verdict))
	}
	c.tell("%s  %s  round %d of %d\n", style.Bright(ui.Safe(t.Board)), verdict, t.Round, t.Rounds)
	facts := c.facts("  ")
	facts.Add("why", ui.Safe(t.Why))
	facts.Add("reviewers", ui.Safe(speakers(t)))
	c.write(facts)
	c.write(c.remarkTable(t.Remarks))
	if t.Command != "" {
		c.next("%s", ui.Safe(t.Command))
	}
}

// speakers says who spoke in the round, and who has not.
func speakers(t task.Tally) string {
	var all []string
	for _, b := range t.Reviewers {
		name := b.Name
		if b.Ready {
			name += " (ready)"
		}
		all = append(all, name)
	}
	if missing := t.Quorum - len(t.Reviewers); missing > 0 {
		all = append(all, fmt.Sprintf("%d to come", missing))
	}
	return strings.Join(all, ", ")
}

// remarkTable is a line for each remark.
func (c *call) remarkTable(remarks []task.TalliedRemark) *ui.Table {
	table := c.table("  ")
	table.Right, table.Leave, table.Give = map[int]bool{0: true}, []int{3}, []int{4}
	for _, r := range remarks {
		text := r.Text
		if at := where(r); at != "" {
			text = at + ": " + text
		}
		text = ui.Safe(strings.Join(strings.Fields(text), " "))
		table.Add(c.style().Bright(strconv.Itoa(r.N)), string(r.Severity), r.State, countsWords(r), text)
	}
	return table
}

// countsWords says whether a remark counts, and by whose word.
func countsWords(r task.TalliedRemark) string {
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

func remarksAnswer(c *call, all []task.TalliedRemark) answer {
	return answer{
		JSON:    view.Remarks{Task: c.id, Remarks: view.List(all)},
		Records: each(all, remarkRecord),
		Text: func() {
			if len(all) == 0 {
				c.hasNone("remarks", "git brew remark add BOARD TEXT --reviewer NAME")
				return
			}
			slices.SortFunc(all, func(a, b task.TalliedRemark) int { return a.N - b.N })
			c.write(c.remarkTable(all))
		},
	}
}

func remarkAnswer(c *call, r task.TalliedRemark) answer {
	return answer{JSON: view.OneRemark{Task: c.id, Remark: r}, Records: record(remarkRecord(r)...), Text: func() {
		place := ""
		if at := where(r); at != "" {
			place = ", at " + ui.Safe(at)
		}
		c.tell("%s on %s, %s, %s%s\n", c.style().Bright(fmt.Sprintf("remark %d", r.N)), ui.Safe(r.Board), r.Severity, r.State, place)
		c.tell("\n%s\n\n", ui.SafeLines(r.Text))
		facts := c.facts("  ")
		if r.Ruling != "" {
			facts.Add("the user", string(r.Ruling))
		}
		if r.Reason != "" {
			facts.Add("because", ui.Safe(r.Reason))
		}
		for _, v := range r.Votes {
			said := "confirms"
			if !v.Confirms {
				said = "rejects: " + v.Reason
			}
			facts.Add(ui.Safe(v.Name), ui.Safe(said))
		}
		c.write(facts)
	}}
}
