package mind

import (
	"os"
	"slices"
	"strconv"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Knowledge() cli.Command { //nolint:funlen // a table
	var scope scopeOptions
	var kind string
	var due bool
	var paths []string
	subs := []cli.Command{
		{
			Use: "list [-t avoid|practice|fact]", Short: "list entries, the most valuable first",
			Flags: []cli.Flag{cli.Opt("t, type", &kind, "only one `kind`: avoid, practice or fact")},
			Repo: scope.looks(func(c *cli.Call, in task.ID) (cli.Answer, error) {
				entries, err := c.App.Knowledge.Knowledge(c.Ctx, in)
				if err != nil {
					return cli.Answer{}, err
				}
				if kind != "" {
					wanted, err := parseKind(kind)
					if err != nil {
						return cli.Answer{}, err
					}
					entries = slices.DeleteFunc(slices.Clone(entries), func(k knowledge.Entry) bool { return k.T != wanted })
				}
				return entriesAnswer(c, in, entries), nil
			}),
		},
		{
			Use: "compact [--if-due] [-n]", Short: "take out doubles and, above the limit, the least valuable",
			Flags:  []cli.Flag{cli.Opt("if-due", &due, "only from knowledge.compactThreshold on")},
			DryRun: "only say what would be taken out",
			Repo: scope.writes(func(c *cli.Call, in task.ID) (cli.Answer, error) {
				r, err := c.App.Knowledge.Compact(c.Ctx, in, !due)
				return countsAnswer(c, in, "Compacted", r), err
			}),
		},
		{
			Use: "prune [-n]", Short: "take out avoid and practice entries that the rules have",
			DryRun: "only say how much would go",
			Repo: scope.writes(func(c *cli.Call, in task.ID) (cli.Answer, error) {
				entries, err := c.App.Knowledge.Knowledge(c.Ctx, in)
				if err != nil {
					return cli.Answer{}, err
				}
				said := standing(c.App.Clone.Repo.WorkTree, entries)
				if counts := knowledge.Count(entries); len(said) == 0 && counts.Avoid+counts.Practice > 0 {
					return cli.Answer{}, clone.Refuse("'git brew knowledge rules' writes it down",
						"no rule says what %s knows; pruned, it would be lost", ownerOf(c, in))
				}
				r, err := c.App.Knowledge.PruneExported(c.Ctx, in, said)
				return countsAnswer(c, in, "Pruned", r), err
			}),
		},
		knowledgeRules(&scope),
		{
			Use: "inject", Short: "print the digest that an agent is shown",
			Flags: []cli.Flag{cli.Opt("path", &paths, "what is about this `file` goes first; repeatable")},
			Repo: scope.on(hereOrNone, func(c *cli.Call, in task.ID) (cli.Answer, error) {
				digest, err := c.App.Knowledge.Digest(c.Ctx, in, paths...)
				doc := ui.Object{"task", view.Owner(in), "digest", digest, "tokens", knowledge.Tokens(digest)}
				return cli.Answer{JSON: doc, Text: func() {
					if digest != "" {
						c.Line(ui.SafeLines(protocol.Knowledge(digest)))
					}
				}}, err
			}),
		},
		{
			Use: "import <file>|-", Short: "take in entries of a JSONL file, git brew's or Brewcode's",
			DryRun: cli.DryRunHelp,
			Repo: scope.writes(func(c *cli.Call, in task.ID) (cli.Answer, error) {
				data, err := c.Text(c.Args[0])
				if err != nil {
					return cli.Answer{}, err
				}
				r, err := c.App.Knowledge.Import(c.Ctx, in, data)
				return cli.Answer{
					JSON: ui.Object{
						"task", view.Owner(in), "added", r.Added, "known", r.Known, "rejected", r.Rejected,
						"dry_run?", c.Flags.DryRun,
					},
					Records: cli.Record(string(in), strconv.Itoa(r.Added), strconv.Itoa(r.Known), strconv.Itoa(len(r.Rejected))),
					Text: func() {
						for _, why := range r.Rejected {
							c.Complain("%s", cli.OneLine(why))
						}
						c.Did("Took in %d for %s; %d known already, %d rejected", r.Added, ownerOf(c, in), r.Known, len(r.Rejected))
					},
				}, err
			}),
		},
		{
			Use: "export [<file>]", Short: "write entries as JSONL, to a file or to standard output",
			Repo: scope.looks(func(c *cli.Call, in task.ID) (cli.Answer, error) {
				entries, err := c.App.Knowledge.Knowledge(c.Ctx, in)
				if err != nil {
					return cli.Answer{}, err
				}
				lines := knowledge.EncodeLines(entries)
				if len(c.Args) == 0 || c.Args[0] == "-" {
					return cli.TextAnswer(c.Env, nil, lines), nil
				}
				path, err := cli.OpenablePath(c.Env, c.Args[0])
				if err == nil {
					err = os.WriteFile(path, lines, 0o666)
				}
				return cli.Answer{
					JSON: ui.Object{"task", view.Owner(in), "file", path, "entries", len(entries)},
					Text: func() {
						c.Say("Wrote %s of %s to %s", ui.Plural(len(entries), "thing"), ownerOf(c, in), ui.Safe(c.Args[0]))
					},
				}, err
			}),
		},
		{
			Use: "rm <id>", Short: "take one entry out",
			Repo: scope.writes(func(c *cli.Call, in task.ID) (cli.Answer, error) {
				gone, err := c.App.Knowledge.Forget(c.Ctx, in, c.Args[0])
				return entryAnswer(c, "Forgotten", in, learn.Learned{Entry: gone}), err
			}),
		},
	}
	for i := range subs {
		subs[i].OnTask, subs[i].Flags = true, append(subs[i].Flags, scope.flag())
	}
	return cli.Command{
		Use: "knowledge", Short: "what was learned: a task's, or the project's",
		Subs: subs,
	}
}

func entriesAnswer(c *cli.Call, in task.ID, entries []knowledge.Entry) cli.Answer {
	return cli.Answer{
		JSON:    ui.Object{"task", view.Owner(in), "counts", knowledge.Count(entries), "entries", entries},
		Records: cli.Each(entries, entryRecord),
		Text: func() {
			switch {
			case len(entries) == 0 && in == "":
				c.Say("The project has no knowledge.")
				c.Next("git brew learn TEXT --project")
				return
			case len(entries) == 0:
				c.HasNone("knowledge", "git brew learn TEXT")
				return
			}
			style, table := c.Style(), c.Table("")
			table.Leave, table.Give = []int{3}, []int{2}
			for _, k := range entries {
				when := ui.Either(k.Time().Unix() == 0, k.TS, ui.Ago(k.Time(), c.Now()))
				table.Add(style.Bright(shortID(string(k.ID))), kindName(style, k.T), ui.Safe(k.Txt), style.Dim(ui.Safe(when)))
			}
			c.WriteTable(table)
		},
	}
}

func kindName(style ui.Style, k knowledge.Kind) string {
	switch k {
	case knowledge.Avoid:
		return style.Bad(string(k))
	case knowledge.Practice:
		return style.Good(string(k))
	case knowledge.Fact:
	}
	return string(k)
}

// countsAnswer says how much was taken out.
func countsAnswer(c *cli.Call, in task.ID, did string, r learn.CompactResult) cli.Answer {
	return cli.Answer{
		JSON:    ui.Object{"task", view.Owner(in), "before", r.Before, "after", r.After},
		Records: cli.Record(string(in), strconv.Itoa(r.Before), strconv.Itoa(r.After)),
		Text: func() {
			if r.Before == r.After {
				c.Say("Nothing to take out: %s knows %s", ownerOf(c, in), ui.Plural(r.Before, "thing"))
			} else {
				c.Did("%s what %s knows: %d -> %d", did, ownerOf(c, in), r.Before, r.After)
			}
		},
	}
}

// hereOrNone does something with the task that was named, or the one here, where there is one.
func hereOrNone(c *cli.Call, do cli.Action) (a cli.Answer, err error) {
	if c.ID, _, err = c.ReadTask(c.Ctx, c.App, c.TaskName()); err != nil {
		return a, err
	}
	return do(c)
}
