package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
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

// entryList is `knowledge list --json`.
type entryList struct {
	Task    *task.ID          `json:"task"`
	Counts  knowledge.Counts  `json:"counts"`
	Entries []knowledge.Entry `json:"entries"`
}

func newKnowledgeListCmd(e *env, scope *scopeOptions) *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use:   "list [-t avoid|practice|fact]",
		Short: "list entries, the most valuable first",
		Args:  between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, in, entries, ok, err := scope.entries(cmd.Context(), e)
			if err != nil || !ok {
				return err
			}
			if kind != "" {
				wanted, err := knowledge.ParseKind(kind)
				if err != nil {
					return &usageError{err.Error(), "give -t avoid, practice or fact"}
				}
				entries = ofKind(entries, wanted)
			}
			return e.listEntries(cmd.Context(), service, in, entries)
		},
	}
	cmd.Flags().StringVarP(&kind, "type", "t", "", "only this `kind`")
	return cmd
}

// entries loads what a reading command is about; where there is no task, that
// is said and ok is false.
func (o *scopeOptions) entries(ctx context.Context, e *env) (s *workflow.Service, in workflow.Scope, entries []knowledge.Entry, ok bool, err error) {
	s, in, ok, err = o.scope(ctx, e)
	if err != nil {
		return s, in, nil, false, e.several(ctx, s, err)
	}
	if !ok {
		return s, in, nil, false, e.noTask(ctx, s)
	}
	entries, err = s.Knowledge(ctx, in)
	return s, in, entries, err == nil, err
}

func ofKind(entries []knowledge.Entry, k knowledge.Kind) []knowledge.Entry {
	var found []knowledge.Entry
	for _, entry := range entries {
		if entry.T == k {
			found = append(found, entry)
		}
	}
	return found
}

func (e *env) listEntries(ctx context.Context, service *workflow.Service, in workflow.Scope, entries []knowledge.Entry) error {
	counts := knowledge.Count(entries)
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, entryList{ownerID(in), counts, view.List(entries)})
	case e.Flags.Porcelain:
		for _, entry := range entries {
			if err := recordEntry(e, entry); err != nil {
				return err
			}
		}
		return nil
	case len(entries) == 0 && in.Task == "":
		e.say("The project has no knowledge.")
		e.next(ctx, service, "git brew learn TEXT --project")
		return nil
	case len(entries) == 0:
		e.hasNone(ctx, service, in.Task, "knowledge", "git brew learn TEXT")
		return nil
	}
	style := e.colours(service)
	table := e.table("")
	table.Leave, table.Give = []int{3}, []int{2}
	for _, k := range entries {
		when := k.TS
		if t := k.Time(); t.Unix() != 0 {
			when = ui.Ago(t, e.Now())
		}
		table.Add(style.Bright(shortID(string(k.ID))), kindName(style, k.T), ui.Safe(k.Txt), style.Dim(ui.Safe(when)))
	}
	return table.Write(e.Out)
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

// countsDocument is what a command answers that took entries out.
type countsDocument struct {
	Task   *task.ID `json:"task"`
	Before int      `json:"before"`
	After  int      `json:"after"`
	Undo   string   `json:"undo,omitzero"` // as in view.Change
}

func (e *env) answerCounts(ctx context.Context, in workflow.Scope, did string, r workflow.CompactResult) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, countsDocument{ownerID(in), r.Before, r.After, e.undoneBy(ctx)})
	case e.Flags.Porcelain:
		return ui.Record(e.Out, string(in.Task), fmt.Sprint(r.Before), fmt.Sprint(r.After))
	case r.Before == r.After:
		e.say("Nothing to take out: %s knows %s", e.owner(ctx, in), ui.Plural(r.Before, "thing"))
		return nil
	}
	e.say("%s what %s knows: %d -> %d", did, e.owner(ctx, in), r.Before, r.After)
	return nil
}

func newKnowledgeCompactCmd(e *env, scope *scopeOptions) *cobra.Command {
	var due bool
	cmd := &cobra.Command{
		Use:   "compact [--if-due] [-n]",
		Short: "take out doubles and, above the limit, the least valuable",
		Args:  between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, in, err := scope.mustScope(cmd.Context(), e)
			if err != nil {
				return err
			}
			r, err := service.Compact(cmd.Context(), in, !due)
			if err != nil {
				return err
			}
			did := "Compacted"
			if e.Flags.DryRun {
				did = "Would compact"
			}
			return e.answerCounts(cmd.Context(), in, did, r)
		},
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, in, err := scope.mustScope(cmd.Context(), e)
			if err != nil {
				return err
			}
			entries, err := service.Knowledge(cmd.Context(), in)
			if err != nil {
				return err
			}
			said := standing(service.Repo().WorkTree(), entries)
			if counts := knowledge.Count(entries); len(said) == 0 && counts.Avoid+counts.Practice > 0 {
				return &workflow.RefusedError{
					Msg:  fmt.Sprintf("no rule says what %s knows; pruned, it would be lost", e.owner(cmd.Context(), in)),
					Hint: "'git brew knowledge rules' writes it down",
				}
			}
			r, err := service.PruneExported(cmd.Context(), in, said)
			if err != nil {
				return err
			}
			did := "Pruned"
			if e.Flags.DryRun {
				did = "Would prune"
			}
			return e.answerCounts(cmd.Context(), in, did, r)
		},
	}
	dryRunFlag(e, "only say how much would go", cmd)
	return cmd
}

func newKnowledgeRmCmd(e *env, scope *scopeOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "rm <id>",
		Short: "take one entry out",
		Args:  between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, in, err := scope.mustScope(cmd.Context(), e)
			if err != nil {
				return err
			}
			gone, err := service.Forget(cmd.Context(), in, args[0])
			if err != nil {
				return err
			}
			return e.answerEntry(cmd.Context(), "Forgotten", in, workflow.Learned{Entry: gone})
		},
	}
}

// digestDocument is `knowledge inject --json`.
type digestDocument struct {
	Task   *task.ID `json:"task"`
	Digest string   `json:"digest"`
	Tokens int      `json:"tokens"`
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, in, _, err := scope.scope(cmd.Context(), e)
			if err != nil {
				return err
			}
			digest, err := service.Digest(cmd.Context(), in.Task, paths...)
			if err != nil {
				return err
			}
			if e.Flags.JSON {
				return ui.JSON(e.Out, digestDocument{ownerID(in), digest, knowledge.Tokens(digest)})
			}
			if digest == "" {
				return nil
			}
			_, err = fmt.Fprintln(e.Out, ui.SafeLines(hooks.KnowledgeText(digest)))
			return err
		},
	}
	cmd.Flags().StringArrayVar(&paths, "path", nil, "what is about this `file` goes first; repeatable")
	return cmd
}

// importDocument is `knowledge import --json`.
type importDocument struct {
	Task     *task.ID `json:"task"`
	Added    int      `json:"added"`
	Known    int      `json:"known"`
	Rejected []string `json:"rejected"`
	DryRun   bool     `json:"dry_run,omitzero"`
	Undo     string   `json:"undo,omitzero"` // as in view.Change
}

func newKnowledgeImportCmd(e *env, scope *scopeOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import <file>|-",
		Short: "take in entries of a JSONL file, git brew's or Brewcode's",
		Args:  between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, in, err := scope.mustScope(cmd.Context(), e)
			if err != nil {
				return err
			}
			data, err := e.text(args[0])
			if err != nil {
				return err
			}
			r, err := service.Import(cmd.Context(), in, data)
			if err != nil {
				return err
			}
			switch {
			case e.Flags.JSON:
				return ui.JSON(e.Out, importDocument{ownerID(in), r.Added, r.Known, view.List(r.Rejected), e.Flags.DryRun, e.undoneBy(cmd.Context())})
			case e.Flags.Porcelain:
				return ui.Record(e.Out, string(in.Task), fmt.Sprint(r.Added), fmt.Sprint(r.Known), fmt.Sprint(len(r.Rejected)))
			}
			for _, why := range r.Rejected {
				e.complain("%s", oneLine(why))
			}
			e.did("Took in %d for %s; %d known already, %d rejected", r.Added, e.owner(cmd.Context(), in), r.Known, len(r.Rejected))
			return nil
		},
	}
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
}

func newKnowledgeExportCmd(e *env, scope *scopeOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "export [<file>]",
		Short: "write entries as JSONL, to a file or to standard output",
		Args:  between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, in, entries, ok, err := scope.entries(cmd.Context(), e)
			if err != nil || !ok {
				return err
			}
			lines, err := knowledge.EncodeLines(entries)
			if err != nil {
				return err
			}
			if len(args) == 0 || args[0] == "-" {
				return e.printText(lines)
			}
			path, err := e.path(args[0])
			if err != nil {
				return err
			}
			if err := writeFile(path, lines); err != nil {
				return err
			}
			if e.Flags.JSON {
				return ui.JSON(e.Out, struct {
					Task    *task.ID `json:"task"`
					File    string   `json:"file"`
					Entries int      `json:"entries"`
				}{ownerID(in), path, len(entries)})
			}
			e.say("Wrote %s of %s to %s", ui.Plural(len(entries), "thing"), e.owner(cmd.Context(), in), ui.Safe(args[0]))
			return nil
		},
	}
}
