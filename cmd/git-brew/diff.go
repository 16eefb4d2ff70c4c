package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// diffDocument is `diff --json` of code.
type diffDocument struct {
	Task      task.ID `json:"task"`
	Phase     string  `json:"phase"` // "" for the whole task
	From      string  `json:"from"`
	To        string  `json:"to"` // "" for the work tree
	Rewritten bool    `json:"rewritten"`
	Patch     string  `json:"patch"`
	// Services are the ranges in services, where the task has its branch there.
	Services []rangeDocument `json:"services,omitempty"`
}

// rangeDocument is what was changed in a service.
type rangeDocument struct {
	Path      string `json:"path"`
	From      string `json:"from"`
	To        string `json:"to"` // "" for its work tree
	Rewritten bool   `json:"rewritten"`
}

// docDiffDocument is `diff --doc --json`.
type docDiffDocument struct {
	Task     task.ID        `json:"task"`
	Document string         `json:"document"`
	From     string         `json:"from"` // "" before it was written
	To       string         `json:"to"`
	Lines    []lineDocument `json:"lines"`
}

type lineDocument struct {
	Op   string `json:"op"` // " ", "-" or "+"
	Text string `json:"text"`
}

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
	e.handsOn(cmd, 1, func(line gitLine) error {
		o.git, o.paths = line.options, line.paths
		if err := e.checkDiff(o); err != nil {
			return err
		}
		service, id, ok, err := e.reading(cmd.Context(), first(line.args))
		if err != nil || !ok {
			return err
		}
		if o.doc != "" {
			return e.diffDocument(cmd.Context(), service, id, o)
		}
		return e.diffCode(cmd.Context(), service, id, o)
	})
	f := cmd.Flags()
	f.StringVar(&o.phase, "phase", "", "what this `phase` changed")
	f.StringVar(&o.doc, "doc", "", "how the document `name` changed")
	f.StringVar(&o.at, "at", "", "how it changed since this `moment`: a time or a commit")
	return cmd
}

// checkDiff refuses options that have no meaning together.
func (e *env) checkDiff(o diffOptions) error {
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

func (e *env) diffCode(ctx context.Context, service *workflow.Service, id task.ID, o diffOptions) error {
	r, err := service.Diff(ctx, id, o.phase)
	if err != nil {
		return err
	}
	if len(r.Services)+len(r.Missing) > 0 {
		return e.diffServices(ctx, service, id, r, o)
	}
	if e.Flags.Porcelain {
		return ui.Record(e.Out, string(id), r.Phase, r.From, r.To, fmt.Sprint(r.Rewritten))
	}
	args := append(append(e.diffArgs(), o.git...), r.From)
	if r.To != "" {
		args = append(args, r.To)
	}
	args = append(append(args, "--"), o.paths...)
	if !e.Flags.JSON {
		if r.Rewritten && !e.Flags.Quiet {
			e.complain("%s", rewrittenWords(r))
		}
		return e.git(ctx, service, args)
	}
	patch, err := service.Repo().Git(ctx, args...)
	if err != nil {
		return err
	}
	return ui.JSON(e.Out, diffDocument{Task: id, Phase: r.Phase, From: r.From, To: r.To, Rewritten: r.Rewritten, Patch: string(patch)})
}

// diffArgs begin a 'git diff' in the form that was asked for.
func (e *env) diffArgs() []string {
	switch {
	case e.Flags.JSON:
		return []string{"diff", "--no-color", "--no-ext-diff"}
	case e.Flags.Color != "":
		return []string{"diff", "--color=" + e.Flags.Color}
	}
	return []string{"diff"}
}

// rewrittenWords says what of a range was rewritten, and what stands for it.
func rewrittenWords(r workflow.DiffRange) string {
	from := ui.Short(r.From)
	if r.Away != "" {
		text := "the start " + ui.Short(r.Away) + " is not in this clone; comparing with " + from
		if r.Remote != "" {
			text += "; 'git fetch " + r.Remote + "' may bring it"
		}
		return text
	}
	switch r.Moved {
	case workflow.MovedStart:
		return "the start was rewritten; comparing with " + from + ", its successor"
	case workflow.MovedCommits:
		return "the phase's commits were rewritten; comparing " + from + " with " + ui.Short(r.To)
	}
	return "the branch moved along its base; comparing with " + from + ", where it leaves that now"
}

func (e *env) diffDocument(ctx context.Context, service *workflow.Service, id task.ID, o diffOptions) error {
	d, err := service.DiffDocument(ctx, id, o.doc, o.at)
	if err != nil {
		return err
	}
	switch {
	case e.Flags.JSON:
		doc := docDiffDocument{Task: d.Task, Document: d.Name, From: d.From, To: d.To, Lines: []lineDocument{}}
		for _, l := range d.Lines {
			doc.Lines = append(doc.Lines, lineDocument{string(rune(l.Op)), l.Text})
		}
		return ui.JSON(e.Out, doc)
	case e.Flags.Porcelain:
		return ui.Record(e.Out, string(d.Task), d.Name, d.From, d.To)
	}
	return ui.WriteDiff(e.Out, e.colours(service), d.Name, d.From, d.To, d.Lines)
}
