package mind

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

const rulesDir = ".claude/rules/"

// rulesOptions are those of `knowledge rules`.
type rulesOptions struct {
	prefix        string
	dryRun, prune bool
}

func knowledgeRules(scope *scopeOptions) cli.Command {
	var o rulesOptions
	return cli.Command{
		Use:   "rules [--prefix <name>] [--prune] [-n]",
		Short: "write what to avoid and what works into .claude/rules",
		Flags: []cli.Flag{
			cli.Opt("prefix", &o.prefix, "write to `name`-avoid.md and name-best-practice.md"),
			cli.Opt("prune", &o.prune, "take out the entries that the rules have"),
			cli.Opt("n, dry-run", &o.dryRun, "show what would change, and change nothing"),
		},
		Check: func(c *cli.Call) error {
			if strings.Trim(o.prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
				return &cli.UsageError{
					Msg:  fmt.Sprintf("prefix %q is no plain name", o.prefix),
					Hint: "use letters, digits, - and _",
				}
			}
			return nil
		},
		Repo: scope.writes(func(c *cli.Call, in learn.Scope) (cli.Answer, error) {
			return exportRules(c, in, o)
		}),
	}
}

func exportRules(c *cli.Call, in learn.Scope, o rulesOptions) (cli.Answer, error) {
	entries, err := c.App.Knowledge.Knowledge(c.Ctx, in)
	if err != nil {
		return cli.Answer{}, err
	}
	doc := view.Rules{Task: view.Owner(in), DryRun: o.dryRun, Files: []view.RulesFile{}}
	var plan setup.Plan
	var exported []operation.ID
	instructions := instructionsOf(c.App.Clone.Repo.WorkTree)
	for _, kind := range []knowledge.Kind{knowledge.Avoid, knowledge.Practice} {
		file := view.RulesFile{File: rulesDir + knowledge.RulesFile(kind, o.prefix)}
		err := plan.Edit(c.App.Clone.Repo, file.File, func(before []byte) []byte {
			r := knowledge.RenderRules(before, kind, entries, instructions...)
			file.Added, file.Skipped = view.List(r.Added), view.List(r.Skipped)
			exported = append(append(exported, r.Added...), r.Skipped...)
			return r.Data
		})
		if err != nil {
			return cli.Answer{}, err
		}
		doc.Files = append(doc.Files, file)
	}
	if !o.dryRun {
		if err := plan.Apply(); err != nil {
			return cli.Answer{}, err
		}
		if o.prune {
			r, err := c.App.Knowledge.PruneExported(c.Ctx, in, exported)
			if err != nil {
				return cli.Answer{}, err
			}
			doc.Pruned = r.Before - r.After
		}
	}
	return rulesAnswer(c, in, plan, doc), nil
}

func rulesAnswer(c *cli.Call, in learn.Scope, plan setup.Plan, doc view.Rules) cli.Answer {
	n := func(rows []operation.ID) string { return strconv.Itoa(len(rows)) }
	return cli.Answer{
		JSON: doc,
		Records: cli.Each(doc.Files, func(f view.RulesFile) []string {
			return []string{f.File, n(f.Added), n(f.Skipped)}
		}),
		Text: func() {
			if doc.DryRun {
				cli.ShowPlan(c.Env, plan, nil, c.Style())
				return
			}
			for _, f := range doc.Files {
				c.Say("%s: %s added, %d said already", ui.Safe(f.File), ui.Plural(len(f.Added), "row"), len(f.Skipped))
			}
			if doc.Pruned > 0 {
				c.Say("Pruned %s of %s", ui.Plural(doc.Pruned, "thing"), ownerOf(c, in))
			}
		},
	}
}

// standing are the entries that the rules files of the work tree say now, those
// of every prefix, and the instructions.
func standing(top string, entries []knowledge.Entry) []operation.ID {
	var said []operation.ID
	instructions := instructionsOf(top)
	for _, kind := range []knowledge.Kind{knowledge.Avoid, knowledge.Practice} {
		files, err := filepath.Glob(filepath.Join(top, filepath.FromSlash(rulesDir), "*"+knowledge.RulesFile(kind, "")))
		if err != nil {
			continue // a work tree whose name is a pattern
		}
		said = append(said, knowledge.Said(nil, kind, entries, instructions...)...)
		for _, name := range files {
			if data, err := os.ReadFile(name); err == nil && len(data) <= cli.MaxText {
				said = append(said, knowledge.Said(data, kind, entries)...)
			}
		}
	}
	return said
}

// instructionsOf are the lines that the agent reads anyway.
func instructionsOf(top string) []string {
	var lines []string
	for _, name := range []string{"CLAUDE.md", ".claude/CLAUDE.md"} {
		data, err := os.ReadFile(filepath.Join(top, name))
		if err != nil || len(data) > cli.MaxText {
			continue
		}
		for line := range bytes.Lines(data) {
			lines = append(lines, string(bytes.TrimSpace(line)))
		}
	}
	return lines
}
