package look

import (
	"fmt"
	"strconv"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task/linemerge"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

type diffOptions struct {
	phase, doc, at string
	git            []string // options of git's
	paths          []string
}

func Diff() cli.Command {
	var o diffOptions
	return cli.Command{
		Use:   "diff [<options>] [<git-diff-options>...] [<task>] [-- <path>...]",
		Short: "show what a phase changed, or how a document did",
		Long: `Shows, through 'git diff' and its pager, what the task changed in the code since
it began, or one phase since it was started: also after a rebase. Where the task
has its branch in services, what it changed in each of them. With --doc, how a
document changed: the last time, or since --at. Options of git-diff(1), as
--stat, are passed on.`,
		Flags: []cli.Flag{
			cli.Opt("phase", &o.phase, "what this `phase` changed"),
			cli.Opt("doc", &o.doc, "how this `document` changed"),
			cli.Opt("at", &o.at, "how it changed since this `moment`: a time or a commit"),
		},
		Setup: handsOn(func(c *cli.Call, line gitLine) (cli.Answer, error) {
			o.git, o.paths = line.options, line.paths
			if err := checkDiff(c.Env, o); err != nil {
				return cli.Answer{}, err
			}
			a, found, err := c.Look(cli.FirstArg(line.args))
			switch {
			case err != nil || !found:
				return a, err
			case o.doc != "":
				return diffDocument(c, o)
			}
			return diffCode(c, o)
		}),
	}
}

// checkDiff refuses options that have no meaning together.
func checkDiff(e *cli.Env, o diffOptions) error {
	switch {
	case o.phase != "" && o.doc != "":
		return &cli.UsageError{Msg: "--phase and --doc exclude each other", Hint: "give one of them"}
	case o.at != "" && o.doc == "":
		return &cli.UsageError{Msg: "--at needs --doc", Hint: "give --doc NAME"}
	case o.doc != "":
		return meaningless(o.git, "--doc", nil)
	case e.Flags.Porcelain:
		return meaningless(o.git, "--porcelain", nil)
	}
	return nil
}

func diffCode(c *cli.Call, o diffOptions) (cli.Answer, error) {
	r, err := c.App.Code.Diff(c.Ctx, c.ID, o.phase)
	if err != nil {
		return cli.Answer{}, err
	}
	if len(r.Services)+len(r.Missing) > 0 {
		return diffServices(c, r, o)
	}
	a := cli.Answer{
		JSON:    rangeDocument(c, r, r.Rewritten),
		Records: cli.Record(string(c.ID), r.Phase, r.From, r.To, strconv.FormatBool(r.Rewritten)),
	}
	if c.Flags.Porcelain {
		return a, nil
	}
	args := append(append(diffArgs(c.Env), o.git...), r.From)
	if r.To != "" {
		args = append(args, r.To)
	}
	args = append(append(args, "--"), o.paths...)
	if !c.Flags.JSON {
		if r.Rewritten && !c.Flags.Quiet {
			c.Complain("%s", taskview.RewrittenWords(r))
		}
		return cli.Answer{}, runGit(c, args)
	}
	patch, err := c.App.Clone.Repo.Git.Run(c.Ctx, args...)
	a.JSON = ui.Object{a.JSON, "patch", string(patch)}
	return a, err
}

// rangeDocument tells which code is compared: a task's, or a phase's, up to a commit or to
// the work tree ("").
func rangeDocument(c *cli.Call, r codediff.DiffRange, rewritten bool) ui.Object {
	return ui.Object{"task", c.ID, "phase", r.Phase, "from", r.From, "to", r.To, "rewritten", rewritten}
}

// diffArgs begin a 'git diff' in the form that was asked for.
func diffArgs(e *cli.Env) []string {
	switch {
	case e.Flags.JSON:
		return []string{"diff", "--no-color", "--no-ext-diff"}
	case e.Flags.Color != "":
		return []string{"diff", "--color=" + e.Flags.Color}
	}
	return []string{"diff"}
}

func diffDocument(c *cli.Call, o diffOptions) (cli.Answer, error) {
	d, err := c.App.DiffDocument(c.Ctx, c.ID, o.doc, o.at)
	return cli.Answer{
		JSON:    view.DocumentDiff(d),
		Records: cli.Record(string(d.Task), d.Name, d.From, d.To),
		Text:    func() { fmt.Fprint(c.Out, ui.Diff(c.Style(), documentDiff(d))) },
	}, err
}

// documentDiff is how a document changed, in the form that git's own diffs have; its
// versions are named by their commits.
func documentDiff(d app.DocumentDiff) string {
	from := "/dev/null"
	if d.From != "" {
		from = d.Name + "  " + ui.Short(d.From)
	}
	return linemerge.Unified(from, d.Name+"  "+ui.Short(d.To), d.Old, d.New)
}
