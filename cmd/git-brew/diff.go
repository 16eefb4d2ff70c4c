package main

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

type diffOptions struct {
	phase, doc, at string
	git            []string // options of git's
	paths          []string
}

func newDiffCmd(e *env) *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "diff [<options>] [<git-diff-options>...] [<task>] [-- <path>...]",
		Short: "show what a phase changed, or how a document did",
		Long: `Shows, through 'git diff' and its pager, what the task changed in the code since
it began, or one phase since it was started: also after a rebase. Where the task
has its branch in services, what it changed in each of them. With --doc, how a
document changed: the last time, or since --at. Options of git-diff(1), as
--stat, are passed on.`,
	}
	handsOn(e, cmd, 1, func(c *call, line gitLine) (answer, error) {
		o.git, o.paths = line.options, line.paths
		if err := checkDiff(c.env, o); err != nil {
			return answer{}, err
		}
		a, found, err := c.look(first(line.args))
		switch {
		case err != nil || !found:
			return a, err
		case o.doc != "":
			return diffDocument(c, o)
		}
		return diffCode(c, o)
	})
	f := cmd.Flags()
	f.StringVar(&o.phase, "phase", "", "what this `phase` changed")
	f.StringVar(&o.doc, "doc", "", "how the document `name` changed")
	f.StringVar(&o.at, "at", "", "how it changed since this `moment`: a time or a commit")
	return cmd
}

// checkDiff refuses options that have no meaning together.
func checkDiff(e *env, o diffOptions) error {
	never := func(string) bool { return false }
	switch {
	case o.phase != "" && o.doc != "":
		return &usageError{"--phase and --doc exclude each other", "give one of them"}
	case o.at != "" && o.doc == "":
		return &usageError{"--at needs --doc", "give --doc NAME"}
	case o.doc != "":
		return meaningless(o.git, "--doc", never)
	case e.Flags.Porcelain:
		return meaningless(o.git, "--porcelain", never)
	case e.Flags.JSON:
		return meaningless(o.git, "--json", func(name string) bool { return !slices.Contains(forms, name) })
	}
	return nil
}

func diffCode(c *call, o diffOptions) (answer, error) {
	r, err := c.s.Code.Diff(c.ctx, c.id, o.phase)
	if err != nil {
		return answer{}, err
	}
	if len(r.Services)+len(r.Missing) > 0 {
		return diffServices(c, r, o)
	}
	doc := view.Diff{Task: c.id, Phase: r.Phase, From: r.From, To: r.To, Rewritten: r.Rewritten}
	a := answer{JSON: &doc, Records: record(string(c.id), r.Phase, r.From, r.To, strconv.FormatBool(r.Rewritten))}
	if c.Flags.Porcelain {
		return a, nil
	}
	args := append(append(diffArgs(c.env), o.git...), r.From)
	if r.To != "" {
		args = append(args, r.To)
	}
	args = append(append(args, "--"), o.paths...)
	if !c.Flags.JSON {
		if r.Rewritten && !c.Flags.Quiet {
			c.complain("%s", rewrittenWords(r))
		}
		return answer{}, c.git(args)
	}
	patch, err := c.s.Clone.Repo.Git.Run(c.ctx, args...)
	doc.Patch = string(patch)
	return a, err
}

// diffArgs begin a 'git diff' in the form that was asked for.
func diffArgs(e *env) []string {
	switch {
	case e.Flags.JSON:
		return []string{"diff", "--no-color", "--no-ext-diff"}
	case e.Flags.Color != "":
		return []string{"diff", "--color=" + e.Flags.Color}
	}
	return []string{"diff"}
}

// rewrittenWords says what of a range was rewritten, and what stands for it.
func rewrittenWords(r codediff.DiffRange) string {
	from := ui.Short(r.From)
	if r.Away != "" {
		text := "the start " + ui.Short(r.Away) + " is not in this clone; comparing with " + from
		if r.Remote != "" {
			text += "; 'git fetch " + r.Remote + "' may bring it"
		}
		return text
	}
	switch r.Moved {
	case codediff.MovedStart:
		return "the start was rewritten; comparing with " + from + ", its successor"
	case codediff.MovedCommits:
		return "the phase's commits were rewritten; comparing " + from + " with " + ui.Short(r.To)
	}
	return "the branch moved along its base; comparing with " + from + ", where it leaves that now"
}

func diffDocument(c *call, o diffOptions) (answer, error) {
	d, err := c.s.DiffDocument(c.ctx, c.id, o.doc, o.at)
	return answer{
		JSON:    view.NewDocumentDiff(d),
		Records: record(string(d.Task), d.Name, d.From, d.To),
		Text:    func() { _ = ui.WriteDiff(c.Out, c.style(), d.Name, d.From, d.To, d.Lines) }, // as in write
	}, err
}
