package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

func newVerifyCmd(e *env) *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "verify [<phase>] [-n]",
		Short: "run the commands that verify a phase",
		Long: `Runs the commands of a phase, this worker's or the current one if none is named,
one after the other in the root of the work tree, and records how they came out.
They run without a shell, with BREW_TASK and BREW_PHASE in their environment,
each for at most brew.verify.timeout. What others wrote runs once you trust it.
Refused (5) where the task's branch is here and neither it nor its commit is
checked out. Ends with 7 where one fails. A phase that has commands is approved
once they passed in this iteration: after 'git brew phase done', or before it on
the very commit that was handed over. Commits since then do not void that; the
approval tells of them. Porcelain has phase, passed or failed, exit status,
milliseconds and the command, for each.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, id, err := e.target(cmd.Context(), task)
			if err != nil {
				return err
			}
			r, err := s.Verify(cmd.Context(), id, workflow.VerifyRequest{Phase: first(args), Began: e.watching()})
			if err != nil {
				return err
			}
			if err := e.printVerified(cmd.Context(), s, r); err != nil || r.Passed {
				return err
			}
			return exitWith(exitVerification)
		},
	}
	taskFlag(cmd, &task)
	workerFlag(e, cmd)
	dryRunFlag(e, "only say which commands would run", cmd)
	return cmd
}

// exitVerification: a command that verifies a phase failed.
const exitVerification = 7

// watching shows commands and what they say as it comes, where a person looks.
func (e *env) watching() func(string) io.Writer {
	if !e.Terminal || e.Flags.JSON || e.Flags.Porcelain || e.Flags.Quiet || e.Flags.DryRun || e.Screen == nil {
		return nil
	}
	return func(command string) io.Writer {
		fmt.Fprintf(e.Screen, "> %s\n", ui.Safe(command))
		return &safeWriter{out: e.Screen}
	}
}

// safeWriter passes on what a program says, in a form that can't steer a
// terminal.
type safeWriter struct {
	out  io.Writer
	left []byte // of a character that is not whole yet
}

func (w *safeWriter) Write(p []byte) (int, error) {
	text := append(w.left, p...)
	whole := len(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-n:]) {
				whole -= n
			}
			break
		}
	}
	w.left = append([]byte(nil), text[whole:]...)
	_, err := io.WriteString(w.out, saidLines(string(text[:whole])))
	return len(p), err
}

// saidLines is what a program said, for a terminal: lines that it wrote over each
// other stand below each other.
func saidLines(text string) string {
	return ui.SafeLines(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"))
}

// verifyDocument is `verify --json`.
type verifyDocument struct {
	view.Change
	Verification verificationDocument `json:"verification"`
}

// verificationDocument is how a phase's commands came out.
type verificationDocument struct {
	Passed   bool                 `json:"passed"`
	Recorded bool                 `json:"recorded"`
	Commit   string               `json:"commit"`
	Dirty    bool                 `json:"dirty"`
	Commands []commandRunDocument `json:"commands"`
}

type commandRunDocument struct {
	Command      string `json:"command"`
	Passed       bool   `json:"passed"`
	Exit         int    `json:"exit"`
	TimedOut     bool   `json:"timed_out"`
	Milliseconds int64  `json:"ms"`
	Output       string `json:"output"`
}

func newVerifyDocument(ctx context.Context, s *workflow.Service, r workflow.VerifyResult) verifyDocument {
	doc := verifyDocument{
		newChange(ctx, s, r.Task, r.Phase, r.Notes),
		verificationDocument{Passed: r.Passed, Recorded: r.Recorded, Commit: r.Commit, Dirty: r.Dirty, Commands: []commandRunDocument{}},
	}
	for _, c := range r.Commands {
		doc.Verification.Commands = append(doc.Verification.Commands, commandRunDocument{c.Text, c.Passed(), c.Exit, c.TimedOut, c.MS, c.Output})
	}
	return doc
}

func (e *env) printVerified(ctx context.Context, s *workflow.Service, r workflow.VerifyResult) error {
	doc := newVerifyDocument(ctx, s, r)
	doc.DryRun = e.Flags.DryRun
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, doc)
	case e.Flags.Porcelain:
		for _, c := range r.Commands {
			word := "failed"
			if c.Passed() {
				word = "passed"
			}
			if err := ui.Record(e.Out, r.Phase.ID, word, strconv.Itoa(c.Exit), strconv.FormatInt(c.MS, 10), c.Text); err != nil {
				return err
			}
		}
		return nil
	case e.Flags.DryRun:
		for _, c := range r.Commands {
			e.did("%s", ui.Safe(c.Text))
		}
		return nil
	}
	style := e.colours(s)
	for _, c := range r.Commands {
		took := tookWords(c.MS)
		if c.Passed() {
			e.say("%s %s  %s", style.Mark(ui.MarkDone), ui.Safe(c.Text), style.Dim(took))
			continue
		}
		e.say("%s %s  %s", style.Mark(ui.MarkFailed), ui.Safe(c.Text), style.Dim(c.How()+", "+took))
		if e.watching() == nil {
			e.sayOutput(c.Output)
		}
	}
	for _, c := range r.Commands {
		if !c.Passed() {
			e.complain("phase %s: %s failed: %s", ui.Safe(r.Phase.ID), ui.Safe(c.Text), c.How())
		}
	}
	if r.Passed {
		e.say("Phase %s %s: verified", ui.Safe(r.Phase.ID), ui.Safe(r.Phase.Title))
	}
	for _, note := range r.Notes {
		e.say("  %s", ui.Safe(e.addressed(note)))
	}
	e.next(ctx, s, "%s", e.hint(doc.Next.Taken()))
	return nil
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
func (e *env) sayOutput(output string) {
	lines := strings.Split(strings.TrimRight(saidLines(output), "\n"), "\n")
	if over := len(lines) - maxSaid; over > 0 {
		e.say("    [%s above]", ui.Plural(over, "line"))
		lines = lines[over:]
	}
	for _, line := range lines {
		if line != "" {
			e.say("    %s", line)
		}
	}
}
