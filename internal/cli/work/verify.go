package work

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Verify() cli.Command {
	return cli.Command{
		Use: "verify [<phase>] [-n]", Short: "run the commands that verify a phase",
		Worker: true,
		DryRun: "only say which commands would run",
		Task: func(c *cli.Call) (cli.Answer, error) {
			began, done := watching(c.Env)
			r, err := c.App.Reviews.Verify(c.Ctx, c.ID, cli.FirstArg(c.Args), began)
			done()
			return verifyAnswer(c, r), err
		},
	}
}

// ExitVerification: a command that verifies a phase failed.
const ExitVerification = 7

// watches reports whether a person sees what commands say, as it comes.
func watches(e *cli.Env) bool {
	f := e.Flags
	return e.Terminal && !f.JSON && !f.Porcelain && !f.Quiet && !f.DryRun && e.Screen != nil
}

// watching shows commands and what they say, line by line, where a person looks; done ends
// the last line.
func watching(e *cli.Env) (began func(string) io.Writer, done func()) {
	if !watches(e) {
		return nil, func() {}
	}
	said := ui.NewLineWriter(e.Screen, saidLines)
	done = func() { _ = said.Close() } // who has left sees no last line
	return func(command string) io.Writer {
		done()
		fmt.Fprintf(e.Screen, "> %s\n", ui.Safe(command))
		return said
	}, done
}

// saidLines is what a program said, for a terminal: lines that it wrote over each
// other stand below each other.
func saidLines(text string) string {
	return ui.SafeLines(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"))
}

func verifyAnswer(c *cli.Call, r review.VerifyResult) cli.Answer {
	doc := c.Change(r.Task, r.Phase, r.Notes)
	a := cli.Answer{
		JSON: ui.Object{doc, "verification", r.Verification},
		Records: cli.Each(r.Commands, func(run review.VerifiedCommand) []string {
			word := ui.Either(run.Passed, "passed", "failed")
			return []string{r.Phase.ID, word, strconv.Itoa(run.Exit), strconv.FormatInt(run.MS, 10), run.Text}
		}),
		Text: func() { printVerified(c, r, doc) },
	}
	if !r.Passed {
		a.End = cli.ExitWith(ExitVerification)
	}
	return a
}

func printVerified(c *cli.Call, r review.VerifyResult, doc view.Change) {
	if c.Flags.DryRun {
		for _, run := range r.Commands {
			c.Did("%s", ui.Safe(run.Text))
		}
		return
	}
	style := c.Style()
	var failed []review.VerifiedCommand
	for _, run := range r.Commands {
		took := tookWords(run.MS)
		if run.Passed {
			c.Say("%s %s  %s", style.Mark(ui.MarkDone), ui.Safe(run.Text), style.Dim(took))
			continue
		}
		failed = append(failed, run)
		c.Say("%s %s  %s", style.Mark(ui.MarkFailed), ui.Safe(run.Text), style.Dim(run.How()+", "+took))
		if !watches(c.Env) {
			sayOutput(c.Env, run.Output)
		}
	}
	for _, run := range failed {
		c.Complain("phase %s: %s failed: %s", ui.Safe(r.Phase.ID), ui.Safe(run.Text), run.How())
	}
	if r.Passed {
		c.Say("Phase %s %s: verified", ui.Safe(r.Phase.ID), ui.Safe(r.Phase.Title))
	}
	c.Notes(doc.Notes)
	c.Next("%s", c.Hint(doc.Next))
}

// tookWords is how long a command took: tenths of a second, while they matter.
func tookWords(ms int64) string {
	return ui.Either(ms < 10_000, fmt.Sprintf("%.1fs", float64(ms)/1000), ui.Duration(time.Duration(ms)*time.Millisecond))
}

const maxSaid = 20

// sayOutput prints the end of what a command said.
func sayOutput(e *cli.Env, output string) {
	lines := strings.Split(strings.TrimRight(saidLines(output), "\n"), "\n")
	if over := len(lines) - maxSaid; over > 0 {
		e.Say("    [%s above]", ui.Plural(over, "line"))
		lines = lines[over:]
	}
	for _, line := range lines {
		if line != "" {
			e.Say("    %s", line)
		}
	}
}

func Report() cli.Command { //nolint:funlen // a table
	var q phase.ReportQuery
	var r phase.ReportRequest
	return cli.Command{
		Use:   "report <phase> --agent <name> [--verify] <file>|-",
		Short: "store an agent's report on a phase, and check what is owed",
		Flags: []cli.Flag{
			cli.Opt("agent", &r.Agent, "`name` of the agent that reports"),
			cli.Opt("verify", &r.Verify, "the report is on verifying the phase"),
		},
		DryRun: cli.DryRunHelp,
		Check:  cli.RefuseIf(func(*cli.Call) bool { return r.Agent == "" }, "a report needs --agent", ""),
		Task: func(c *cli.Call) (_ cli.Answer, err error) {
			r.Phase = c.Args[0]
			if r.Text, err = c.Text(c.Args[1]); err != nil {
				return cli.Answer{}, err
			}
			out, err := c.App.Phases.AddReport(c.Ctx, c.ID, r)
			doc := c.Change(out.Task, out.Phase, out.Notes)
			a := c.Changed(doc, "Stored %s", ui.Safe(out.Path))
			a.JSON = ui.Object{doc, "path", out.Path, "missing", out.Missing}
			a.Records = cli.Record(out.Path)
			return a, err
		},
		Subs: []cli.Command{
			{
				Use: "list [<phase>]", Short: "list the reports",
				Look: func(c *cli.Call) (cli.Answer, error) {
					reports, err := c.App.Phases.Reports(c.Ctx, c.ID, phase.ReportQuery{Phase: cli.FirstArg(c.Args)})
					return cli.Answer{
						JSON: view.Reports(c.ID, reports),
						Records: cli.Each(reports, func(v phase.ReportView) []string {
							return []string{v.Path, v.Phase, strconv.Itoa(v.Iteration), v.Agent, v.At}
						}),
						Text: c.OrNone(len(reports), "reports", "git brew report PHASE --agent NAME -", func() {
							for _, v := range reports {
								c.Line(ui.Safe(v.Path))
							}
						}),
					}, err
				},
			},
			{
				Use: "show <phase> [--agent <name>] [--iteration <n>]", Short: "print the reports on a phase",
				Flags: []cli.Flag{
					cli.Opt("agent", &q.Agent, "only what the agent with this `name` reported"),
					cli.Opt("iteration", &q.Iteration, "only what was reported on iteration `n`"),
				},
				Task: func(c *cli.Call) (cli.Answer, error) {
					q.Phase, q.Texts = c.Args[0], true
					reports, err := c.App.Phases.Reports(c.Ctx, c.ID, q)
					return cli.Answer{JSON: view.Reports(c.ID, reports), Text: func() {
						for i, v := range reports {
							if i > 0 {
								c.Line("")
							}
							if len(reports) > 1 {
								c.Line("==> " + ui.Safe(v.Path) + " <==")
							}
							cli.PrintText(c.Env, v.Text)
						}
					}}, err
				},
			},
			{
				Use: "check [<phase>]", Short: "check that every report on a phase is there",
				Task: func(c *cli.Call) (cli.Answer, error) {
					p, err := c.App.Phases.CheckReports(c.Ctx, c.ID, cli.FirstArg(c.Args))
					return cli.Answer{
						JSON: ui.Object{"task", c.ID, "phase", p.ID, "missing", []string{}},
						Text: func() { c.Say("No report on phase %s is missing", ui.Safe(p.ID)) },
					}, err
				},
			},
		},
	}
}
