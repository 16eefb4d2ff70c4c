// Package look has the commands that only look: at a task, its history and its code, and
// at sessions, events and statistics.
package look

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/gitstore"
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
	if r.Rewritten && !c.Flags.JSON && !c.Flags.Quiet {
		c.Complain("%s", taskview.RewrittenWords(r))
	}
	patch, err := compare(c, c.App.Clone.Repo, o.git, o.paths, r.From, r.To)
	if !c.Flags.JSON {
		return cli.Answer{}, err
	}
	a.JSON = ui.Object{a.JSON, "patch", patch}
	return a, err
}

// compare runs a 'git diff' from a commit to another one, or to the work tree (""): for a
// person with their pager, else its text is returned.
func compare(c *cli.Call, repo *gitstore.Repo, options, paths []string, from, to string) (string, error) {
	args := []string{"diff"}
	switch {
	case c.Flags.JSON:
		args = append(args, "--no-color", "--no-ext-diff")
	case c.Flags.Color != "":
		args = append(args, "--color="+c.Flags.Color)
	}
	args = append(append(args, options...), from)
	if to != "" {
		args = append(args, to)
	}
	args = append(append(args, "--"), paths...)
	if !c.Flags.JSON {
		return "", cli.RunGit(c.Env, c.Ctx, repo, nil, args)
	}
	if repo != c.App.Clone.Repo {
		args = append([]string{"-C", repo.WorkTree}, args...)
	}
	out, err := repo.Git.Run(c.Ctx, args...)
	return string(out), err
}

// rangeDocument tells which code is compared: a task's, or a phase's, up to a commit or to
// the work tree ("").
func rangeDocument(c *cli.Call, r codediff.DiffRange, rewritten bool) ui.Object {
	return ui.Object{"task", c.ID, "phase", r.Phase, "from", r.From, "to", r.To, "rewritten", rewritten}
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

// diffServices shows what was changed in each service, one after the other, with
// paths as they are from the top of the work tree around.
func diffServices(c *cli.Call, r codediff.DiffRange, o diffOptions) (cli.Answer, error) {
	var services []codediff.ServiceRange
	rewritten, patch := false, ""
	for _, s := range r.Services {
		paths, wanted := pathsIn(c.Env, c.App, s.Path, o.paths)
		if !wanted {
			continue
		}
		rewritten, services = rewritten || s.Rewritten, append(services, s)
		if c.Flags.Porcelain {
			continue
		}
		if s.Rewritten && !c.Flags.JSON && !c.Flags.Quiet {
			c.Complain("the branch was rewritten in %s; comparing with %s, where it leaves what it was",
				ui.Safe(s.Path), ui.Short(s.From))
		}
		repo, err := c.App.Clone.Repo.Submodule(s.Path)
		if err != nil {
			return cli.Answer{}, err
		}
		prefixes := []string{"--src-prefix=a/" + s.Path + "/", "--dst-prefix=b/" + s.Path + "/"}
		text, err := compare(c, repo, slices.Concat(o.git, prefixes), paths, s.From, s.To)
		if err != nil {
			return cli.Answer{}, err
		}
		patch += text
	}
	if len(r.Missing) > 0 && !c.Flags.Quiet {
		c.Complain("not checked out here, and left out: %s", ui.Safe(strings.Join(r.Missing, ", ")))
	}
	doc := ui.Object{rangeDocument(c, r, rewritten), "patch", patch, "services?", services}
	return cli.Answer{JSON: doc, Records: cli.Each(services, func(s codediff.ServiceRange) []string {
		return []string{string(c.ID), r.Phase, s.From, s.To, strconv.FormatBool(s.Rewritten), s.Path}
	})}, nil
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
