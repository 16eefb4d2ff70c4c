package mind

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

const rulesDir = ".claude/rules/"

type rulesOptions struct {
	prefix        string
	dryRun, prune bool
}

func knowledgeRules(scope *scopeOptions) cli.Command {
	var o rulesOptions
	return cli.Command{
		Use: "rules [--prefix <name>] [--prune] [-n]", Short: "write what to avoid and what works into .claude/rules",
		Flags: []cli.Flag{
			cli.Opt("prefix", &o.prefix, "write to `name`-avoid.md and name-best-practice.md"),
			cli.Opt("prune", &o.prune, "take out the entries that the rules have"),
			cli.Opt("n, dry-run", &o.dryRun, "show what would change, and change nothing"),
		},
		Check: cli.RefuseIf(func(*cli.Call) bool {
			return strings.Trim(o.prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != ""
		}, "the prefix is no plain name", "use letters, digits, - and _"),
		Repo: scope.writes(func(c *cli.Call, in task.ID) (cli.Answer, error) {
			return exportRules(c, in, o)
		}),
	}
}

// rulesFile is what became of a file of rules; what was skipped, it says already.
type rulesFile struct {
	name string
	knowledge.Rules
}

func exportRules(c *cli.Call, in task.ID, o rulesOptions) (cli.Answer, error) {
	entries, err := c.App.Knowledge.Knowledge(c.Ctx, in)
	if err != nil {
		return cli.Answer{}, err
	}
	var files []rulesFile
	var plan setup.Plan
	var exported []operation.ID
	instructions := instructionsOf(c.App.Clone.Repo.WorkTree)
	for _, kind := range []knowledge.Kind{knowledge.Avoid, knowledge.Practice} {
		file := rulesFile{name: rulesDir + knowledge.RulesFile(kind, o.prefix)}
		err := plan.Edit(c.App.Clone.Repo, file.name, func(before []byte) []byte {
			file.Rules = knowledge.RenderRules(before, kind, entries, instructions...)
			exported = append(append(exported, file.Added...), file.Skipped...)
			return file.Data
		})
		if err != nil {
			return cli.Answer{}, err
		}
		files = append(files, file)
	}
	pruned := 0
	if !o.dryRun {
		if err := plan.Apply(c.Ctx); err != nil {
			return cli.Answer{}, err
		}
		if o.prune {
			r, err := c.App.Knowledge.PruneExported(c.Ctx, in, exported)
			if err != nil {
				return cli.Answer{}, err
			}
			pruned = r.Before - r.After
		}
	}
	docs := view.Each(files, func(f rulesFile) ui.Object {
		return ui.Object{"file", f.name, "added", f.Added, "skipped", f.Skipped}
	})
	return cli.Answer{
		JSON: ui.Object{"task", view.Owner(in), "dry_run", o.dryRun, "files", docs, "pruned", pruned},
		Records: cli.Each(files, func(f rulesFile) []string {
			return []string{f.name, strconv.Itoa(len(f.Added)), strconv.Itoa(len(f.Skipped))}
		}),
		Text: func() {
			if o.dryRun {
				cli.ShowPlan(c.Env, plan, nil, c.Style())
				return
			}
			for _, f := range files {
				c.Say("%s: %s added, %d said already", ui.Safe(f.name), ui.Plural(len(f.Added), "row"), len(f.Skipped))
			}
			if pruned > 0 {
				c.Say("Pruned %s of %s", ui.Plural(pruned, "thing"), ownerOf(c, in))
			}
		},
	}, nil
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
