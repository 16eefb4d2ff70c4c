package work

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func phaseReview() cli.Command {
	return cli.Command{
		Use: "review [<phase>]", Short: "show what a phase changed, and how that stands to its plan",
		Worker: true, // it only looks
		Look: func(c *cli.Call) (cli.Answer, error) {
			r, err := c.App.Code.ReviewOf(c.Ctx, c.ID, cli.FirstArg(c.Args))
			var files []cli.Porcelain
			for _, span := range r.Ranges {
				files = append(files, cli.Each(span.Files, func(f codediff.ReviewFile) []string {
					return []string{
						span.Phase, f.Status, f.Path, strconv.Itoa(f.Added), strconv.Itoa(f.Deleted), string(f.Verdict), string(f.Impact),
						f.Reason,
					}
				}))
			}
			doc := ui.Object{
				"task", r.Task.ID, "phase", view.NewPhase(r.Task, r.Phase), "ranges", r.Ranges,
				"uncommitted", r.Uncommitted,
			}
			return cli.Answer{JSON: doc, Records: cli.Joined(files...), Text: func() { printReview(c, r) }}, err
		},
	}
}

func phaseApprove() cli.Command {
	return verdict(task.ReviewApproved, new(string), cli.Command{
		Use: "approve [<phase>]", Short: "approve a phase in review, which completes it",
	})
}

func phaseReject() cli.Command {
	var why string
	return verdict(task.ReviewChanges, &why, cli.Command{
		Use: "reject [<phase>] -m <why>", Short: "send a phase in review back, and say what has to change",
		Flags: []cli.Flag{cli.Opt("m, message", &why, "say `why` it needs changes")},
	})
}

// verdict adds what approve and reject share.
func verdict(verdict task.Review, why *string, cmd cli.Command) cli.Command {
	var said []string
	cmd.Flags = append(cmd.Flags, cli.Opt("deviation", &said, "`what` is not as planned: WHAT=IMPACT:WHY; repeatable"))
	var deviations []task.Deviation
	cmd.Check = func(*cli.Call) error {
		for _, of := range said {
			d, err := task.ParseDeviation(of)
			if err != nil {
				return err
			}
			deviations = append(deviations, d)
		}
		return nil
	}
	cmd.Task = changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
		return c.App.Reviews.ReviewPhase(c.Ctx, c.ID, cli.FirstArg(c.Args), verdict, *why, deviations...)
	})
	return cmd
}

func printReview(c *cli.Call, r codediff.PhaseReview) {
	for _, span := range r.Ranges {
		printRange(c, r, span)
	}
	if len(r.Uncommitted) > 0 {
		c.Say("  not committed, and no part of this: %s", ui.Safe(codediff.NameFiles(r.Uncommitted)))
	}
	if r.Phase.Status == task.PhaseInReview {
		c.Next("%s", afterReview(c, r))
	}
}

// afterReview says what a review leads to: a verdict, if that is what comes next for
// the phase; else what comes before it.
func afterReview(c *cli.Call, r codediff.PhaseReview) string {
	next := c.App.Next.Step(c.Ctx, r.Task)
	if approve := next.Command; strings.HasPrefix(approve, "git brew phase approve") &&
		strings.HasSuffix(approve, " "+r.Phase.ID) {
		return ui.Safe(approve) + ", or git brew phase reject " + ui.Safe(r.Phase.ID) + " -m WHY"
	}
	if next.Command == "git brew phase review "+r.Phase.ID { // that was done just now
		next.Command = ""
	}
	return c.Hint(next)
}

func printRange(c *cli.Call, of codediff.PhaseReview, r codediff.ReviewRange) {
	style := c.Style()
	phase, _ := of.Task.FindPhase(r.Phase)
	changed := len(r.Files) - r.Count(codediff.VerdictMissing)
	since := ui.Either(r.From != "" && len(r.Services) == 0, " since "+ui.Short(r.From), "")
	words := ui.Either(r.Planned(), "\n  ", "; ") + r.Words() // not planned, it fits into the line
	name := style.Bright("Phase " + ui.Safe(phase.ID) + " " + ui.Safe(phase.Title))
	c.Tell("%s: %s changed%s, +%d -%d%s\n", name, ui.Plural(changed, "file"), since, r.Added, r.Deleted, words)
	if r.Rewritten {
		c.Say("  %s", taskview.RewrittenWords(r.DiffRange))
	}
	for _, path := range r.Missing {
		c.Say("  not checked out here, and left out: %s", ui.Safe(path))
	}
	table := c.Facts("  ")
	table.Right, table.Give = map[int]bool{2: true, 3: true}, []int{1}
	for _, f := range r.Files {
		path := ui.Either(f.From == "", "", ui.Safe(f.From)+" -> ") + ui.Safe(f.Path)
		said := strings.TrimPrefix(verdictWords(style, f)+impactWords(style, f.Said), "; ")
		table.Add(cmp.Or(f.Status, "-"), path, lines("+", f.Added), lines("-", f.Deleted), said)
	}
	c.WriteTable(table)
	for _, t := range r.Tasks {
		switch t.Verdict {
		case codediff.VerdictMissing:
			c.Tell("  %s: nothing that it names was changed%s\n", ui.Safe(t.Title), impactWords(style, t.Said))
		case codediff.VerdictDeviation:
			c.Tell("  %s: only a part of what it names was changed%s\n", ui.Safe(t.Title), impactWords(style, t.Said))
		case codediff.VerdictMatch:
		}
	}
	for _, refused := range r.Refused {
		c.Tell("  %s:%d: %q is no path that counts: %s\n", ui.Safe(r.Plan), refused.Line, ui.Safe(refused.Text), refused.Why)
	}
}

// impactWords say what a review said about something that is not as planned, behind
// what it is.
func impactWords(style ui.Style, said codediff.Said) string {
	words := string(said.Impact)
	switch said.Impact {
	case "":
		return ""
	case task.ImpactHigh:
		words = style.Bad(words)
	case task.ImpactMedium:
		words = style.Warn(words)
	case task.ImpactLow:
	}
	if said.Reason != "" {
		words += ", " + ui.Safe(said.Reason)
	}
	return "; " + words
}

// lines is a number of lines with its sign, "" for none.
func lines(sign string, n int) string { return ui.Either(n > 0, sign+strconv.Itoa(n), "") }

func verdictWords(style ui.Style, f codediff.ReviewFile) string {
	switch f.Verdict {
	case codediff.VerdictMatch:
		return style.Good("as planned")
	case codediff.VerdictDeviation:
		return style.Warn("not planned")
	case codediff.VerdictMissing:
		return style.Bad("planned, not changed")
	}
	return ""
}
