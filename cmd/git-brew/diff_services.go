package main

import (
	"context"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// diffServices shows what was changed in each service, one after the other, with
// paths as they are from the top of the work tree around.
func diffServices(c *call, r codediff.DiffRange, o diffOptions) (answer, error) {
	doc := view.Diff{Task: c.id, Phase: r.Phase, From: r.From, To: r.To}
	for _, s := range r.Services {
		paths, wanted := pathsIn(c.env, c.s, s.Path, o.paths)
		if !wanted {
			continue
		}
		doc.Rewritten, doc.Services = doc.Rewritten || s.Rewritten, append(doc.Services, s)
		if c.Flags.Porcelain {
			continue
		}
		if s.Rewritten && !c.Flags.JSON && !c.Flags.Quiet {
			c.complain("the branch was rewritten in %s; comparing with %s, where it leaves what it was",
				ui.Safe(s.Path), ui.Short(s.From))
		}
		args := append(append(diffArgs(c.env), o.git...), "--src-prefix=a/"+s.Path+"/", "--dst-prefix=b/"+s.Path+"/", s.From)
		if s.To != "" {
			args = append(args, s.To)
		}
		text, err := diffIn(c.env, c.ctx, c.s, s.Path, append(append(args, "--"), paths...))
		if err != nil {
			return answer{}, err
		}
		doc.Patch += text
	}
	if len(r.Missing) > 0 && !c.Flags.Quiet {
		c.complain("not checked out here, and left out: %s", ui.Safe(strings.Join(r.Missing, ", ")))
	}
	return answer{JSON: doc, Records: each(doc.Services, func(s codediff.ServiceRange) []string {
		return []string{string(c.id), r.Phase, s.From, s.To, strconv.FormatBool(s.Rewritten), s.Path}
	})}, nil
}

// diffIn runs a 'git diff' in a service: for a person with their pager, else its
// text is returned.
func diffIn(e *env, ctx context.Context, service *app.App, at string, args []string) (string, error) {
	repo, err := service.Code.ServiceRepo(at)
	if err != nil {
		return "", err
	}
	defer func() { _ = repo.Close() }()
	if !e.Flags.JSON {
		return "", gitIn(e, ctx, repo, args)
	}
	out, err := repo.Git.Run(ctx, append([]string{"-C", repo.WorkTree()}, args...)...)
	return string(out), err
}

// pathsIn are the paths that a person gave, from where they are, as a service
// knows them; wanted is false where none of them is in that service.
func pathsIn(e *env, service *app.App, at string, given []string) (paths []string, wanted bool) {
	if len(given) == 0 {
		return nil, true
	}
	below := "."
	if dir, err := e.dir(); err == nil {
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
