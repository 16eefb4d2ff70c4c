package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func newKnowledgeCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "knowledge",
		Short: "what was learned: a task's, or the project's",
		Long: `What was learned in a task is the task's; with --project it is everybody's. An
agent is shown both, the most valuable and newest first, cut to
knowledge.maxTokens.`,
	}
	var scope scopeOptions
	for _, newCmd := range []func(*env, *scopeOptions) *cobra.Command{
		newKnowledgeListCmd, newKnowledgeCompactCmd, newKnowledgePruneCmd, newKnowledgeRulesCmd,
		newKnowledgeInjectCmd, newKnowledgeImportCmd, newKnowledgeExportCmd, newKnowledgeRmCmd,
	} {
		cmd.AddCommand(newCmd(e, &scope))
	}
	scope.addTo(cmd)
	return cmd
}

func newKnowledgeListCmd(e *env, scope *scopeOptions) *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use:   "list [-t avoid|practice|fact]",
		Short: "list entries, the most valuable first",
		Args:  between(0, 0),
		RunE: scope.looks(e, func(c *call, in learn.Scope) (answer, error) {
			entries, err := c.s.Knowledge.Knowledge(c.ctx, in)
			if err != nil {
				return answer{}, err
			}
			if kind != "" {
				wanted, err := parseKind(kind)
				if err != nil {
					return answer{}, err
				}
				entries = slices.DeleteFunc(slices.Clone(entries), func(k knowledge.Entry) bool { return k.T != wanted })
			}
			return entriesAnswer(c, in, entries), nil
		}),
	}
	cmd.Flags().StringVarP(&kind, "type", "t", "", "only this `kind`")
	return cmd
}

func entriesAnswer(c *call, in learn.Scope, entries []knowledge.Entry) answer {
	return answer{
		JSON:    view.Entries{Task: view.Owner(in), Counts: knowledge.Count(entries), Entries: view.List(entries)},
		Records: each(entries, entryRecord),
		Text: func() {
			switch {
			case len(entries) == 0 && in.Task == "":
				c.say("The project has no knowledge.")
				c.next("git brew learn TEXT --project")
				return
			case len(entries) == 0:
				c.hasNone("knowledge", "git brew learn TEXT")
				return
			}
			style, table := c.style(), c.table("")
			table.Leave, table.Give = []int{3}, []int{2}
			for _, k := range entries {
				when := k.TS
				if t := k.Time(); t.Unix() != 0 {
					when = ui.Ago(t, c.Now())
				}
				table.Add(style.Bright(shortID(string(k.ID))), kindName(style, k.T), ui.Safe(k.Txt), style.Dim(ui.Safe(when)))
			}
			c.write(table)
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
func countsAnswer(c *call, in learn.Scope, did string, r learn.CompactResult) answer {
	return answer{
		JSON:    view.EntryCounts{Task: view.Owner(in), Before: r.Before, After: r.After},
		Records: record(string(in.Task), strconv.Itoa(r.Before), strconv.Itoa(r.After)),
		Text: func() {
			if r.Before == r.After {
				c.say("Nothing to take out: %s knows %s", c.owner(in), ui.Plural(r.Before, "thing"))
			} else {
				c.say("%s what %s knows: %d -> %d", did, c.owner(in), r.Before, r.After)
			}
		},
	}
}

func newKnowledgeCompactCmd(e *env, scope *scopeOptions) *cobra.Command {
	var due bool
	cmd := &cobra.Command{
		Use:   "compact [--if-due] [-n]",
		Short: "take out doubles and, above the limit, the least valuable",
		Args:  between(0, 0),
		RunE: scope.writes(e, func(c *call, in learn.Scope) (answer, error) {
			r, err := c.s.Knowledge.Compact(c.ctx, in, !due)
			return countsAnswer(c, in, c.dryVerb("Compacted", "compact"), r), err
		}),
	}
	cmd.Flags().BoolVar(&due, "if-due", false, "only from knowledge.compactThreshold on")
	dryRunFlag(e, "only say what would be taken out", cmd)
	return cmd
}

func newKnowledgePruneCmd(e *env, scope *scopeOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "prune [-n]",
		Short: "take out avoid and practice entries that the rules have",
		Long: `Takes out the entries that stand in the rules files of the work tree, as 'git
brew knowledge rules' writes them. What no row says stays, and so do facts.`,
		Args: between(0, 0),
		RunE: scope.writes(e, func(c *call, in learn.Scope) (answer, error) {
			entries, err := c.s.Knowledge.Knowledge(c.ctx, in)
			if err != nil {
				return answer{}, err
			}
			said := standing(c.s.Clone.Repo.WorkTree(), entries)
			if counts := knowledge.Count(entries); len(said) == 0 && counts.Avoid+counts.Practice > 0 {
				return answer{}, &clone.RefusedError{
					Msg:  fmt.Sprintf("no rule says what %s knows; pruned, it would be lost", c.owner(in)),
					Hint: "'git brew knowledge rules' writes it down",
				}
			}
			r, err := c.s.Knowledge.PruneExported(c.ctx, in, said)
			return countsAnswer(c, in, c.dryVerb("Pruned", "prune"), r), err
		}),
	}
	dryRunFlag(e, "only say how much would go", cmd)
	return cmd
}

func newKnowledgeRmCmd(e *env, scope *scopeOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "rm <id>",
		Short: "take one entry out",
		Args:  between(1, 1),
		RunE: scope.writes(e, func(c *call, in learn.Scope) (answer, error) {
			gone, err := c.s.Knowledge.Forget(c.ctx, in, c.args[0])
			return entryAnswer(c, "Forgotten", in, learn.Learned{Entry: gone}), err
		}),
	}
}

func newKnowledgeInjectCmd(e *env, scope *scopeOptions) *cobra.Command {
	var paths []string
	cmd := &cobra.Command{
		Use:   "inject",
		Short: "print the digest that an agent is shown",
		Long: `Prints what an agent is told of the task's knowledge and the project's, cut to
knowledge.maxTokens; with --project, or where there is no task, of the
project's alone.`,
		Args: between(0, 0),
		RunE: e.onRepo(func(c *call) (answer, error) {
			in, _, err := scope.about(c)
			if err != nil {
				return answer{}, err
			}
			digest, err := c.s.Knowledge.Digest(c.ctx, in.Task, paths...)
			doc := view.Digest{Task: view.Owner(in), Digest: digest, Tokens: knowledge.Tokens(digest)}
			return answer{JSON: doc, Text: func() {
				if digest != "" {
					c.line(ui.SafeLines(hooks.KnowledgeText(digest)))
				}
			}}, err
		}),
	}
	cmd.Flags().StringArrayVar(&paths, "path", nil, "what is about this `file` goes first; repeatable")
	return cmd
}

func newKnowledgeImportCmd(e *env, scope *scopeOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import <file>|-",
		Short: "take in entries of a JSONL file, git brew's or Brewcode's",
		Args:  between(1, 1),
		RunE: scope.writes(e, func(c *call, in learn.Scope) (answer, error) {
			data, err := c.text(c.args[0])
			if err != nil {
				return answer{}, err
			}
			r, err := c.s.Knowledge.Import(c.ctx, in, data)
			return answer{
				JSON: view.Imported{
					Task: view.Owner(in), Added: r.Added, Known: r.Known, Rejected: view.List(r.Rejected),
					DryRun: c.Flags.DryRun,
				},
				Records: record(string(in.Task), strconv.Itoa(r.Added), strconv.Itoa(r.Known), strconv.Itoa(len(r.Rejected))),
				Text: func() {
					for _, why := range r.Rejected {
						c.complain("%s", oneLine(why))
					}
					c.did("Took in %d for %s; %d known already, %d rejected", r.Added, c.owner(in), r.Known, len(r.Rejected))
				},
			}, err
		}),
	}
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
}

func newKnowledgeExportCmd(e *env, scope *scopeOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "export [<file>]",
		Short: "write entries as JSONL, to a file or to standard output",
		Args:  between(0, 1),
		RunE: scope.looks(e, func(c *call, in learn.Scope) (answer, error) {
			entries, err := c.s.Knowledge.Knowledge(c.ctx, in)
			if err != nil {
				return answer{}, err
			}
			lines := knowledge.EncodeLines(entries)
			if len(c.args) == 0 || c.args[0] == "-" {
				return c.textAnswer(nil, lines), nil
			}
			path, err := c.path(c.args[0])
			if err == nil {
				err = writeFile(path, lines)
			}
			return answer{
				JSON: view.Exported{Task: view.Owner(in), File: path, Entries: len(entries)},
				Text: func() {
					c.say("Wrote %s of %s to %s", ui.Plural(len(entries), "thing"), c.owner(in), ui.Safe(c.args[0]))
				},
			}, err
		}),
	}
}
