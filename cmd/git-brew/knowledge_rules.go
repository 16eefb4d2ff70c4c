package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

const rulesDir = ".claude/rules/"

// rulesOptions are those of `knowledge rules`.
type rulesOptions struct {
	scope         *scopeOptions
	prefix        string
	dryRun, prune bool
}

// rulesDocument is `knowledge rules --json`.
type rulesDocument struct {
	Task   *task.ID        `json:"task"`
	DryRun bool            `json:"dry_run"`
	Files  []rulesFileView `json:"files"`
	Pruned int             `json:"pruned"`
	Undo   string          `json:"undo,omitzero"` // of what was pruned, as in view.Change
}

type rulesFileView struct {
	File    string         `json:"file"`
	Added   []operation.ID `json:"added"`
	Skipped []operation.ID `json:"skipped"` // said already
	Close   []operation.ID `json:"close"`   // added, and like another row
}

func newKnowledgeRulesCmd(e *env, scope *scopeOptions) *cobra.Command {
	o := rulesOptions{scope: scope}
	cmd := &cobra.Command{
		Use:   "rules [--prefix <name>] [--prune] [-n]",
		Short: "write what to avoid and what works into .claude/rules",
		Long: `Adds rows to .claude/rules/avoid.md and best-practice.md in the work tree: the
agent reads them in every session. What a row or CLAUDE.md says already is
left out; rows that a person wrote stay. Facts stay knowledge.`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return e.exportRules(cmd.Context(), o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.prefix, "prefix", "", "write to `name`-avoid.md and name-best-practice.md")
	flags.BoolVar(&o.prune, "prune", false, "take out the entries that the rules have")
	flags.BoolVarP(&o.dryRun, "dry-run", "n", false, "show what would change, and change nothing")
	return cmd
}

func (e *env) exportRules(ctx context.Context, o rulesOptions) error {
	if strings.Trim(o.prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return &usageError{fmt.Sprintf("prefix %q is no plain name", o.prefix), "use letters, digits, - and _"}
	}
	service, in, err := o.scope.mustScope(ctx, e)
	if err != nil {
		return err
	}
	entries, err := service.Knowledge(ctx, in)
	if err != nil {
		return err
	}
	doc := rulesDocument{Task: ownerID(in), DryRun: o.dryRun, Files: []rulesFileView{}}
	var plan setup.Plan
	var exported []operation.ID
	instructions := instructionsOf(service.Repo().WorkTree())
	for _, kind := range []knowledge.Kind{knowledge.Avoid, knowledge.Practice} {
		file := rulesFileView{File: rulesDir + knowledge.RulesFile(kind, o.prefix)}
		err := plan.Edit(service.Repo(), file.File, func(before []byte) []byte {
			r := knowledge.RenderRules(before, kind, entries, instructions...)
			file.Added, file.Skipped, file.Close = view.List(r.Added), view.List(r.Skipped), view.List(r.Close)
			exported = append(append(exported, r.Added...), r.Skipped...)
			return r.Data
		})
		if err != nil {
			return err
		}
		doc.Files = append(doc.Files, file)
	}
	if !o.dryRun {
		if err := plan.Apply(); err != nil {
			return err
		}
		if o.prune {
			r, err := service.PruneExported(ctx, in, exported)
			if err != nil {
				return err
			}
			doc.Pruned = r.Before - r.After
		}
	}
	return e.printRules(ctx, service, in, plan, doc)
}

func (e *env) printRules(ctx context.Context, service *workflow.Service, in workflow.Scope, plan setup.Plan, doc rulesDocument) error {
	switch {
	case e.Flags.JSON:
		doc.Undo = e.undoneBy(ctx)
		return ui.JSON(e.Out, doc)
	case e.Flags.Porcelain:
		for _, f := range doc.Files {
			if err := ui.Record(e.Out, f.File, fmt.Sprint(len(f.Added)), fmt.Sprint(len(f.Skipped)), fmt.Sprint(len(f.Close))); err != nil {
				return err
			}
		}
		return nil
	case doc.DryRun:
		e.showPlan(plan, nil, e.colours(service))
		return nil
	}
	for _, f := range doc.Files {
		line := fmt.Sprintf("%s: %s added, %d said already", ui.Safe(f.File), ui.Plural(len(f.Added), "row"), len(f.Skipped))
		if len(f.Close) > 0 {
			line += fmt.Sprintf(", %d like another row: merge them", len(f.Close))
		}
		e.say("%s", line)
	}
	if doc.Pruned > 0 {
		e.say("Pruned %s of %s", ui.Plural(doc.Pruned, "thing"), e.owner(ctx, in))
	}
	return nil
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
			if data, err := os.ReadFile(name); err == nil && len(data) <= maxText {
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
		if err != nil || len(data) > maxText {
			continue
		}
		for line := range bytes.Lines(data) {
			lines = append(lines, string(bytes.TrimSpace(line)))
		}
	}
	return lines
}
