// Package look has the commands that only look: at a task, its history and its code, and
// at sessions, events and statistics.
package look

import (
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"

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
		return cli.Misused("--phase and --doc exclude each other", "give one of them")
	case o.at != "" && o.doc == "":
		return cli.Misused("--at needs --doc", "give --doc NAME")
	case o.doc != "":
		return meaningless(o.git, "--doc")
	case e.Flags.Porcelain:
		return meaningless(o.git, "--porcelain")
	}
	return nil
}

// diffCode shows what was changed, in a task over services in each of them, one after the
// other, with paths as they are from the top of the work tree around.
func diffCode(c *cli.Call, o diffOptions) (cli.Answer, error) {
	r, err := c.App.Code.Diff(c.Ctx, c.ID, o.phase)
	if err != nil {
		return cli.Answer{}, err
	}
	all, whole := r.Services, len(r.Services)+len(r.Missing) == 0
	if whole {
		all = []codediff.ServiceRange{{From: r.From, To: r.To, Rewritten: r.Rewritten}}
	}
	var shown []codediff.ServiceRange
	rewritten, patch := false, ""
	for _, s := range all {
		paths, wanted := o.paths, true
		if !whole {
			paths, wanted = pathsIn(c.Env, c.App, s.Path, o.paths)
		}
		if !wanted {
			continue
		}
		rewritten, shown = rewritten || s.Rewritten, append(shown, s)
		if c.Flags.Porcelain {
			continue
		}
		if s.Rewritten && !c.Flags.JSON && !c.Flags.Quiet {
			there := fmt.Sprintf("the branch was rewritten in %s; comparing with %s, where it leaves what it was",
				ui.Safe(s.Path), ui.Short(s.From))
			c.Complain("%s", ui.Either(whole, taskview.RewrittenWords(r), there))
		}
		text, err := compare(c, s, o.git, paths)
		if err != nil {
			return cli.Answer{}, err
		}
		patch += text
	}
	if len(r.Missing) > 0 && !c.Flags.Quiet {
		c.Complain("not checked out here, and left out: %s", ui.Safe(strings.Join(r.Missing, ", ")))
	}
	doc := ui.Object{
		"task", c.ID, "phase", r.Phase, "from", r.From, "to", r.To, "rewritten", rewritten, "patch", patch,
	}
	if !whole {
		doc = append(doc, "services?", shown)
	}
	return cli.Answer{JSON: doc, Records: cli.Each(shown, func(s codediff.ServiceRange) []string {
		fields := []string{string(c.ID), r.Phase, s.From, s.To, strconv.FormatBool(s.Rewritten), s.Path}
		if whole {
			fields = fields[:5]
		}
		return fields
	})}, nil
}

// compare runs a 'git diff' from a commit to another one, or to the work tree, here or in a
// service: for a person with their pager, else its text is returned.
func compare(c *cli.Call, s codediff.ServiceRange, options, paths []string) (_ string, err error) {
	repo, args := c.App.Clone.Repo, []string{"diff"}
	switch {
	case c.Flags.JSON:
		args = append(args, "--no-color", "--no-ext-diff")
	case c.Flags.Color != "":
		args = append(args, "--color="+c.Flags.Color)
	}
	args = append(args, options...)
	if s.Path != "" {
		if repo, err = repo.Submodule(s.Path); err != nil {
			return "", err
		}
		args = append(args, "--src-prefix=a/"+s.Path+"/", "--dst-prefix=b/"+s.Path+"/")
	}
	args = append(args, s.From)
	if s.To != "" {
		args = append(args, s.To)
	}
	args = append(append(args, "--"), paths...)
	if !c.Flags.JSON {
		return "", cli.RunGit(c.Env, c.Ctx, repo, nil, args)
	}
	if s.Path != "" {
		args = append([]string{"-C", repo.WorkTree}, args...)
	}
	out, err := repo.Git.Run(c.Ctx, args...)
	return string(out), err
}

func diffDocument(c *cli.Call, o diffOptions) (cli.Answer, error) {
	d, err := c.App.DiffDocument(c.Ctx, c.ID, o.doc, o.at)
	return cli.Answer{
		JSON:    view.DocumentDiff(d),
		Records: cli.Record(string(d.Task), d.Name, d.From, d.To),
		Text: func() {
			from := ui.Either(d.From == "", "/dev/null", d.Name+"  "+ui.Short(d.From))
			changes := linemerge.Unified(from, d.Name+"  "+ui.Short(d.To), d.Old, d.New)
			fmt.Fprint(c.Out, ui.Diff(c.Style(), changes))
		},
	}, err
}

// pathsIn are the paths that a person gave, from where they are, as a service
// knows them; wanted is false where none of them is in that service.
func pathsIn(e *cli.Env, service *app.App, at string, given []string) (paths []string, wanted bool) {
	if len(given) == 0 {
		return nil, true
	}
	below := "."
	if dir, err := e.WorkDir(); err == nil {
		if dir, err = filepath.EvalSymlinks(dir); err == nil {
			if rel, err := filepath.Rel(service.Clone.Repo.WorkTree, dir); err == nil && filepath.IsLocal(rel) {
				below = filepath.ToSlash(rel)
			}
		}
	}
	for _, g := range given {
		if strings.HasPrefix(g, ":") { // git's own way to say more
			paths = append(paths, g)
			continue
		}
		full := path.Join(below, filepath.ToSlash(g))
		if full == "." || full == at || strings.HasPrefix(at, full+"/") {
			return nil, true // all of it
		}
		if inside, ok := strings.CutPrefix(full, at+"/"); ok {
			paths = append(paths, inside)
		}
	}
	return paths, len(paths) > 0
}
