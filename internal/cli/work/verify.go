package work

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Verify() cli.Command {
	return cli.Command{
		Use:    "verify [<phase>] [-n]",
		Short:  "run the commands that verify a phase",
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
			word := "failed"
			if run.Passed {
				word = "passed"
			}
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
	if ms < 10_000 {
		return fmt.Sprintf("%.1f s", float64(ms)/1000)
	}
	return ui.Span(time.Duration(ms) * time.Millisecond)
}

// maxSaid is how many of the last lines of a command that failed are shown.
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
