package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// tallies are the boards that somebody spoke on.
func tallies(t task.Task) []task.Tally {
	all := []task.Tally{}
	for _, on := range task.Boards(t) {
		all = append(all, task.TallyOf(t, on))
	}
	return all
}

func recordBoard(e *env, t task.Tally) error {
	return ui.Record(e.Out, t.Board, string(t.Verdict), strconv.Itoa(t.Round), strconv.Itoa(len(t.Reviewers)), strconv.Itoa(t.Quorum), t.Why)
}

func recordRemark(e *env, r task.TalliedRemark) error {
	return ui.Record(e.Out, strconv.Itoa(r.N), r.Board, string(r.Severity), r.State, strconv.FormatBool(r.Counts),
		strings.Join(r.For(), ","), where(r), r.Text)
}

// where is the place that a remark is about, "" for none.
func where(r task.TalliedRemark) string {
	if r.Line == 0 {
		return r.File
	}
	return fmt.Sprintf("%s:%d", r.File, r.Line)
}

func (e *env) printTallies(ctx context.Context, s *workflow.Service, t task.Task, tallies []task.Tally) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, struct {
			Task   task.ID      `json:"task"`
			Boards []task.Tally `json:"boards"`
		}{t.ID, tallies})
	case e.Flags.Porcelain:
		for _, tally := range tallies {
			if err := recordBoard(e, tally); err != nil {
				return err
			}
		}
		return nil
	case len(tallies) == 0:
		e.hasNone(ctx, s, t.ID, "reviews", "git brew remark add BOARD TEXT --reviewer NAME")
		return nil
	}
	for i, tally := range tallies {
		if i > 0 {
			fmt.Fprintln(e.Out)
		}
		if err := e.printTally(ctx, s, tally); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) printTally(ctx context.Context, s *workflow.Service, t task.Tally) error {
	style := e.colours(s)
	verdict := style.Warn(string(t.Verdict))
	if t.Verdict == task.VerdictReady {
		verdict = style.Good(string(t.Verdict))
	}
	e.tell("%s  %s  round %d of %d\n", style.Bright(ui.Safe(t.Board)), verdict, t.Round, task.MaxRounds)
	facts := e.facts("  ")
	facts.Add("why", ui.Safe(t.Why))
	facts.Add("reviewers", ui.Safe(speakers(t)))
	if err := facts.Write(e.Out); err != nil {
		return err
	}
	if err := e.remarkTable(style, t.Remarks).Write(e.Out); err != nil {
		return err
	}
	if t.Command != "" {
		e.next(ctx, s, "%s", ui.Safe(t.Command))
	}
	return nil
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
func (e *env) remarkTable(style ui.Style, remarks []task.TalliedRemark) *ui.Table {
	table := e.table("  ")
	table.Right, table.Leave, table.Give = map[int]bool{0: true}, []int{3}, []int{4}
	for _, r := range remarks {
		text := r.Text
		if at := where(r); at != "" {
			text = at + ": " + text
		}
		table.Add(style.Bright(strconv.Itoa(r.N)), string(r.Severity), r.State, countsWords(r), ui.Safe(strings.Join(strings.Fields(text), " ")))
	}
	return table
}

// countsWords says whether a remark counts, and by whose word.
func countsWords(r task.TalliedRemark) string {
	votes := len(r.For())
	switch {
	case r.Ruling == task.Accepted:
		return "the user's"
	case r.Ruling == task.Rejected:
		return ""
	case r.Counts:
		return fmt.Sprintf("counts, %d", votes)
	}
	return fmt.Sprintf("%d alone", votes)
}

func (e *env) printRemarks(ctx context.Context, s *workflow.Service, id task.ID, remarks []task.TalliedRemark) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, struct {
			Task    task.ID              `json:"task"`
			Remarks []task.TalliedRemark `json:"remarks"`
		}{id, view.List(remarks)})
	case e.Flags.Porcelain:
		for _, r := range remarks {
			if err := recordRemark(e, r); err != nil {
				return err
			}
		}
		return nil
	case len(remarks) == 0:
		e.hasNone(ctx, s, id, "remarks", "git brew remark add BOARD TEXT --reviewer NAME")
		return nil
	}
	slices.SortFunc(remarks, func(a, b task.TalliedRemark) int { return a.N - b.N })
	return e.remarkTable(e.colours(s), remarks).Write(e.Out)
}

func (e *env) printRemark(s *workflow.Service, id task.ID, r task.TalliedRemark) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, struct {
			Task   task.ID            `json:"task"`
			Remark task.TalliedRemark `json:"remark"`
		}{id, r})
	case e.Flags.Porcelain:
		return recordRemark(e, r)
	}
	style := e.colours(s)
	place := ""
	if at := where(r); at != "" {
		place = ", at " + ui.Safe(at)
	}
	e.tell("%s on %s, %s, %s%s\n", style.Bright(fmt.Sprintf("remark %d", r.N)), ui.Safe(r.Board), r.Severity, r.State, place)
	e.tell("\n%s\n\n", ui.SafeLines(r.Text))
	facts := e.facts("  ")
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
	return facts.Write(e.Out)
}
