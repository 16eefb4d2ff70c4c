package main

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// diffServices shows what was changed in each service, one after the other, with
// paths as they are from the top of the work tree around.
func (e *env) diffServices(ctx context.Context, service *workflow.Service, id task.ID, r workflow.DiffRange, o diffOptions) error {
	doc := diffDocument{Task: id, Phase: r.Phase, From: r.From, To: r.To}
	var patch strings.Builder
	for _, s := range r.Services {
		paths, wanted := e.pathsIn(service, s.Path, o.paths)
		if !wanted {
			continue
		}
		if e.Flags.Porcelain {
			if err := ui.Record(e.Out, string(id), r.Phase, s.From, s.To, fmt.Sprint(s.Rewritten), s.Path); err != nil {
				return err
			}
			continue
		}
		if s.Rewritten && !e.Flags.JSON && !e.Flags.Quiet {
			e.complain("the branch was rewritten in %s; comparing with %s, where it leaves what it was", ui.Safe(s.Path), ui.Short(s.From))
		}
		args := append(append(e.diffArgs(), o.git...), "--src-prefix=a/"+s.Path+"/", "--dst-prefix=b/"+s.Path+"/", s.From)
		if s.To != "" {
			args = append(args, s.To)
		}
		text, err := e.diffIn(ctx, service, s.Path, append(append(args, "--"), paths...))
		if err != nil {
			return err
		}
		patch.WriteString(text)
		doc.Rewritten = doc.Rewritten || s.Rewritten
		doc.Services = append(doc.Services, rangeDocument(s))
	}
	if len(r.Missing) > 0 && !e.Flags.Quiet {
		e.complain("not checked out here, and left out: %s", ui.Safe(strings.Join(r.Missing, ", ")))
	}
	if !e.Flags.JSON {
		return nil
	}
	doc.Patch = patch.String()
	return ui.JSON(e.Out, doc)
}

// diffIn runs a 'git diff' in a service: for a person with their pager, else its
// text is returned.
func (e *env) diffIn(ctx context.Context, service *workflow.Service, at string, args []string) (string, error) {
	repo, err := service.ServiceRepo(at)
	if err != nil {
		return "", err
	}
	defer func() { _ = repo.Close() }()
	if !e.Flags.JSON {
		return "", e.gitIn(ctx, repo, args)
	}
	out, err := repo.Git(ctx, append([]string{"-C", repo.WorkTree()}, args...)...)
	return string(out), err
}

// pathsIn are the paths that a person gave, from where they are, as a service
// knows them; wanted is false where none of them is in that service.
func (e *env) pathsIn(service *workflow.Service, at string, given []string) (paths []string, wanted bool) {
	if len(given) == 0 {
		return nil, true
	}
	below := "."
	if dir, err := e.dir(); err == nil {
		if dir, err = filepath.EvalSymlinks(dir); err == nil {
			if rel, err := filepath.Rel(service.Repo().WorkTree(), dir); err == nil && filepath.IsLocal(rel) {
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
