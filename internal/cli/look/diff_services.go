package look

import (
	"context"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ui"
)

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
		args := append(append(diffArgs(c.Env), o.git...), "--src-prefix=a/"+s.Path+"/", "--dst-prefix=b/"+s.Path+"/", s.From)
		if s.To != "" {
			args = append(args, s.To)
		}
		text, err := diffIn(c.Env, c.Ctx, c.App, s.Path, append(append(args, "--"), paths...))
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

// diffIn runs a 'git diff' in a service: for a person with their pager, else its
// text is returned.
func diffIn(e *cli.Env, ctx context.Context, service *app.App, at string, args []string) (string, error) {
	repo, err := service.Clone.Repo.Submodule(at)
	if err != nil {
		return "", err
	}
	defer func() { _ = repo.Close() }()
	if !e.Flags.JSON {
		return "", cli.GitIn(e, ctx, repo, args)
	}
	out, err := repo.Git.Run(ctx, append([]string{"-C", repo.WorkTree()}, args...)...)
	return string(out), err
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
			if rel, err := filepath.Rel(service.Clone.Repo.WorkTree(), dir); err == nil && filepath.IsLocal(rel) {
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
