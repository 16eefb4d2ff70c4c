package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

func (d *docCommand) check() *cobra.Command {
	var strict bool
	cmd := &cobra.Command{
		Use: "check [<name>]", Short: "say what the documents lack", Args: between(0, 1),
		Long: `Holds the task's documents, or one of them, against the rules that
docs/documents.md lists, and shows which phases cover what the spec asks for.
Ends with 5 where there are errors; with --strict, warnings are errors too.

Porcelain has records finding (document, line, severity, rule, text) and
requirement (id, source, line, phases, text).`,
		RunE: func(cmd *cobra.Command, args []string) error {
			e := d.env
			s, id, ok, err := e.reading(cmd.Context(), d.task)
			if err != nil || !ok {
				return err
			}
			check, err := s.CheckDocuments(cmd.Context(), id, first(args))
			if err != nil {
				return err
			}
			for i, f := range check.Findings {
				check.Findings[i].Text = e.addressed(f.Text)
			}
			if err := e.printCheck(cmd.Context(), s, check); err != nil {
				return err
			}
			if check.Errors() > 0 || strict && len(check.Findings) > 0 {
				return exitWith(exitRefused)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings are errors")
	return cmd
}

// findingDocument is a finding in JSON.
type findingDocument struct {
	Document string            `json:"document"`
	Line     int               `json:"line"` // 0 for none
	Severity document.Severity `json:"severity"`
	Rule     string            `json:"rule"`
	Text     string            `json:"text"`
	// More is how many like it there are, of very many.
	More int `json:"more,omitzero"`
}

// requirementDocument is a requirement in JSON.
type requirementDocument struct {
	ID     string   `json:"id"`
	Source string   `json:"source"` // scope or requirements
	Line   int      `json:"line"`
	Text   string   `json:"text"`
	Phases []string `json:"phases"`
}

// checkDocument is `doc check --json`.
type checkDocument struct {
	Task         task.ID               `json:"task"`
	Document     string                `json:"document"` // "" for all
	Errors       int                   `json:"errors"`
	Warnings     int                   `json:"warnings"`
	Findings     []findingDocument     `json:"findings"`
	Requirements []requirementDocument `json:"requirements"`
	// Planned is where the phases were taken from: task, plan, roadmap; "": none.
	Planned string `json:"planned"`
}

func newCheckDocument(c workflow.DocumentCheck) checkDocument {
	doc := checkDocument{
		Task: c.Task.ID, Document: c.Document, Errors: c.Errors(), Warnings: document.Count(c.Findings) - c.Errors(),
		Findings: []findingDocument{}, Requirements: []requirementDocument{}, Planned: c.Planned,
	}
	for _, f := range c.Findings {
		doc.Findings = append(doc.Findings, findingDocument{f.Document, f.Line, f.Severity, f.Rule, f.Text, f.More})
	}
	for _, r := range c.Requirements {
		doc.Requirements = append(doc.Requirements, requirementDocument{r.ID, r.Source, r.Line, r.Text, view.List(r.Phases)})
	}
	return doc
}

func (e *env) printCheck(ctx context.Context, s *workflow.Service, c workflow.DocumentCheck) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, newCheckDocument(c))
	case e.Flags.Porcelain:
		return e.recordCheck(c)
	}
	style := e.colours(s)
	for _, f := range c.Findings {
		severity := style.Warn(string(f.Severity))
		if f.Severity == document.Error {
			severity = style.Bad(string(f.Severity))
		}
		place := ui.Safe(f.Document)
		if f.Line > 0 {
			place += ":" + strconv.Itoa(f.Line)
		}
		e.tell("%s: %s: %s %s\n", place, severity, ui.Safe(f.Text), style.Dim("("+f.Rule+")"))
	}
	if err := e.printMatrix(style, c); err != nil {
		return err
	}
	what := ui.Safe(c.Document)
	if what == "" {
		what = "the documents of " + e.name(ctx, s, c.Task.ID)
	}
	if len(c.Findings) == 0 {
		e.say("Nothing is missing in %s", what)
		return nil
	}
	e.say("%s", counted(c.Errors(), document.Count(c.Findings)-c.Errors()))
	if name := toMend(c.Findings); name != "" {
		if e.isAgent() { // who has no editor
			e.next(ctx, s, "git brew doc set %s -", ui.Safe(name))
		} else {
			e.next(ctx, s, "git brew doc edit %s", ui.Safe(name))
		}
	}
	return nil
}

// toMend is the document to begin with: the first one with an error, else with a
// warning; "" where no document by itself lacks anything.
func toMend(all []document.Finding) string {
	for _, severity := range []document.Severity{document.Error, document.Warning} {
		for _, f := range all {
			if f.Severity == severity && f.Document != document.Whole {
				return f.Document
			}
		}
	}
	return ""
}

// counted says how many errors and warnings there are, as people do.
func counted(errors, warnings int) string {
	var parts []string
	for _, n := range []struct {
		count int
		word  string
	}{{errors, "error"}, {warnings, "warning"}} {
		switch {
		case n.count == 1:
			parts = append(parts, "1 "+n.word)
		case n.count > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", n.count, n.word))
		}
	}
	return strings.Join(parts, ", ")
}

// printMatrix shows which phases cover what the spec asks for (BC-18).
func (e *env) printMatrix(style ui.Style, c workflow.DocumentCheck) error {
	if len(c.Requirements) == 0 || c.Planned == "" || c.Document != "" && c.Document != document.Spec && c.Document != document.Plan || e.Flags.Quiet {
		return nil
	}
	if len(c.Findings) > 0 {
		fmt.Fprintln(e.Out)
	}
	table := e.table("  ")
	table.Give = []int{2, 1}
	for _, r := range c.Requirements {
		phases := ui.Safe(strings.Join(r.Phases, ", "))
		if phases == "" {
			phases = style.Bad("none")
		}
		table.Add(ui.Safe(r.ID), phases, ui.Safe(r.Text))
	}
	return table.Write(e.Out)
}

// recordCheck is the porcelain: "finding", document, line, severity, rule, text;
// "requirement", id, source, line, phases parted by commas, text.
func (e *env) recordCheck(c workflow.DocumentCheck) error {
	for _, f := range c.Findings {
		if err := ui.Record(e.Out, "finding", f.Document, strconv.Itoa(f.Line), string(f.Severity), f.Rule, f.Text); err != nil {
			return err
		}
	}
	for _, r := range c.Requirements {
		if err := ui.Record(e.Out, "requirement", r.ID, r.Source, strconv.Itoa(r.Line), strings.Join(r.Phases, ","), r.Text); err != nil {
			return err
		}
	}
	return nil
}

func (d *docCommand) template() *cobra.Command {
	return &cobra.Command{
		Use: "template <name>", Short: "print a document to be filled in", Args: between(1, 1),
		Long: `Prints what a document needs, with {NAMES} where something is to be filled
in; what is known of the task is in it already. A project that wants it
otherwise has a template of its own in .brew/templates/<name>.md.`,
		Example: `  git brew doc template spec > spec.md
  git brew doc template phases/2/plan | git brew doc set phases/2/plan -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			e := d.env
			s, err := e.service()
			if err != nil {
				return err
			}
			id, _, err := e.readTask(cmd.Context(), s, d.task)
			if err != nil {
				return err
			}
			out, err := s.Template(cmd.Context(), id, args[0])
			if err != nil {
				return err
			}
			if e.Flags.JSON {
				return ui.JSON(e.Out, struct {
					Name    string `json:"name"`
					Project bool   `json:"project"`
					Text    string `json:"text"`
				}{out.Name, out.Project, string(out.Text)})
			}
			return e.printText(out.Text)
		},
	}
}
