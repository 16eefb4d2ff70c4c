package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// docCommand is what the doc commands share.
type docCommand struct {
	env  *env
	task string // --task
}

func newDocCmd(e *env) *cobra.Command {
	d := &docCommand{env: e}
	cmd := &cobra.Command{
		Use:   "doc list|get|set|edit|check|template|resolve",
		Short: "the documents of a task",
		Long: `A document is spec, plan, research, roadmap, context, final, changelog, or a
phase's own plan, phases/<id>/plan. What several people write at once, git brew
merges line by line; what it can't merge it keeps beside the document, until
'doc resolve'. Where nobody wrote a changelog, it tells one from what was done.`,
	}
	cmd.AddCommand(d.list(), d.get(), d.set(), d.edit(), d.check(), d.template(), d.resolve())
	taskFlag(cmd, &d.task)
	return cmd
}

// documentDocument is a document in JSON.
type documentDocument struct {
	Name string  `json:"name"`
	Path string  `json:"path"`
	OID  string  `json:"oid"`
	Size int     `json:"size"`
	Text *string `json:"text,omitempty"`
	// Errors and Warnings are what 'doc check' finds in it; in 'doc list'.
	Errors   int `json:"errors,omitempty"`
	Warnings int `json:"warnings,omitempty"`
	// Derived: nobody wrote it, it is told from the task.
	Derived bool `json:"derived,omitempty"`
}

func newDocumentDocument(d workflow.Document) documentDocument {
	return documentDocument{Name: d.Name, Path: d.Path, OID: d.OID, Size: d.Size, Derived: d.Derived}
}

func (d *docCommand) list() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "list the documents that there are", Args: between(0, 0),
		Long: `Lists the documents that there are, and what 'git brew doc check' finds in each.
Porcelain has name, size and blob.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e := d.env
			s, id, ok, err := e.reading(cmd.Context(), d.task)
			if err != nil || !ok {
				return err
			}
			docs, conflicts, err := s.Documents(cmd.Context(), id)
			if err != nil {
				return err
			}
			found, err := s.DocumentFindings(cmd.Context(), id)
			if err != nil {
				return err
			}
			return e.printDocuments(cmd.Context(), s, id, docs, found, conflicts)
		},
	}
}

func (e *env) printDocuments(ctx context.Context, s *workflow.Service, id task.ID, docs []workflow.Document, found map[string][2]int, conflicts []task.Conflict) error {
	if e.Flags.JSON {
		out := struct {
			Task      task.ID            `json:"task"`
			Documents []documentDocument `json:"documents"`
			Conflicts []view.Conflict    `json:"conflicts"`
		}{id, []documentDocument{}, []view.Conflict{}}
		for _, doc := range docs {
			listed := newDocumentDocument(doc)
			listed.Errors, listed.Warnings = found[doc.Name][0], found[doc.Name][1]
			out.Documents = append(out.Documents, listed)
		}
		for _, c := range conflicts {
			out.Conflicts = append(out.Conflicts, view.NewConflict(c))
		}
		return ui.JSON(e.Out, out)
	}
	if e.Flags.Porcelain {
		for _, doc := range docs {
			if err := ui.Record(e.Out, doc.Name, strconv.Itoa(doc.Size), doc.OID); err != nil {
				return err
			}
		}
		return nil
	}
	if len(docs) == 0 {
		e.hasNone(ctx, s, id, "documents", "git brew doc set spec -")
		return nil
	}
	table := e.table("")
	table.Right, table.Leave, table.Give = map[int]bool{1: true}, []int{1}, []int{0}
	for _, doc := range docs {
		table.Add(ui.Safe(doc.Name), fmt.Sprintf("%d bytes", doc.Size), counted(found[doc.Name][0], found[doc.Name][1]))
	}
	if err := table.Write(e.Out); err != nil {
		return err
	}
	for _, c := range conflicts {
		e.tell("! %s could not be merged with %s\n", ui.Safe(c.Path), ui.Safe(task.ConflictPath(c)))
	}
	if len(conflicts) > 0 {
		look, settle := task.SettleCommands(conflicts, conflicts[0])
		e.next(ctx, s, "%s, then %s", ui.Safe(look), ui.Safe(settle))
	}
	return nil
}

func (d *docCommand) get() *cobra.Command {
	return &cobra.Command{
		Use: "get <name>", Short: "print a document", Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := d.env
			s, id, err := e.target(cmd.Context(), d.task)
			if err != nil {
				return err
			}
			doc, err := s.Document(cmd.Context(), id, args[0])
			if err != nil {
				return err
			}
			if e.Flags.JSON {
				out, text := newDocumentDocument(doc), string(doc.Text)
				out.Text = &text
				return ui.JSON(e.Out, out)
			}
			for _, c := range doc.Beside {
				look, settle := task.SettleCommands(doc.Beside, c)
				e.complain("another text of it stands beside: %s", ui.Safe(e.addressed("'"+look+"' prints that, '"+settle+"' settles it")))
			}
			return e.printText(doc.Text)
		},
	}
}

// printText prints a text as it is, or harmless where it goes to a terminal.
func (e *env) printText(text []byte) error {
	if e.paged() {
		text = []byte(ui.SafeLines(string(text)))
	}
	_, err := e.Out.Write(text)
	return err
}

func (d *docCommand) set() *cobra.Command {
	var base string
	cmd := &cobra.Command{
		Use: "set <name> <file>|-", Short: "write a document", Args: between(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := d.env
			s, id, err := e.target(cmd.Context(), d.task)
			if err != nil {
				return err
			}
			text, err := e.text(args[1])
			if err != nil {
				return err
			}
			r := workflow.SetDocumentRequest{Name: args[0], Text: text}
			if cmd.Flags().Changed("base") {
				r.Base = &base
			}
			out, err := s.SetDocument(cmd.Context(), id, r)
			if err != nil {
				return err
			}
			return e.wroteDocument(cmd.Context(), s, out)
		},
	}
	cmd.Flags().StringVar(&base, "base", "", "the `oid` that was read: what changed since is merged")
	return cmd
}

func (d *docCommand) edit() *cobra.Command {
	return &cobra.Command{
		Use: "edit <name>", Short: "change a document in git's editor", Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := d.env
			s, id, err := e.target(cmd.Context(), d.task)
			if err != nil {
				return err
			}
			out, err := s.EditDocument(cmd.Context(), id, args[0], gitstore.Streams{In: e.In, Out: e.Screen, Err: e.Err})
			if err != nil {
				return err
			}
			return e.wroteDocument(cmd.Context(), s, out)
		},
	}
}

// wroteDocument is the answer of what changes a document.
func (e *env) wroteDocument(ctx context.Context, s *workflow.Service, r workflow.DocumentResult) error {
	if e.Flags.JSON {
		out := struct {
			view.Change
			Document documentDocument `json:"document"`
			Changed  bool             `json:"changed"`
			Merged   bool             `json:"merged"`
			Conflict *view.Conflict   `json:"conflict"`
		}{newChange(ctx, s, r.Task, task.Phase{}, nil), newDocumentDocument(r.Document), r.Changed, r.Merged, nil}
		out.Hooks = view.NewHooks(s.HooksDone())
		if r.Conflict != nil {
			c := view.NewConflict(*r.Conflict)
			out.Conflict = &c
		}
		out.Undo = s.Made(ctx).Undo
		return ui.JSON(e.Out, out)
	}
	if e.Flags.Porcelain {
		return ui.Record(e.Out, r.Document.Name, strconv.Itoa(r.Document.Size), r.Document.OID)
	}
	doc, name := ui.Safe(r.Document.Name), e.name(ctx, s, r.Task.ID)
	switch {
	case r.Conflict != nil:
		look, settle := task.SettleCommands(r.Task.Conflicts, *r.Conflict)
		e.say("Wrote %s of %s; what somebody else wrote meanwhile stands beside:\n  %s", doc, name, ui.Safe(e.addressed(look)))
		e.next(ctx, s, "%s", ui.Safe(settle))
		return nil
	case r.Merged:
		e.say("Wrote %s of %s, merged with what somebody else wrote meanwhile", doc, name)
	case r.Changed:
		e.say("Wrote %s of %s (%d bytes)", doc, name, r.Document.Size)
	default:
		e.say("%s of %s is unchanged", sentence(doc), name)
	}
	e.sayHooks(s)
	e.next(ctx, s, "%s", e.hint(s.NextStep(ctx, r.Task)))
	return nil
}

func (d *docCommand) resolve() *cobra.Command {
	return &cobra.Command{
		Use: "resolve <name> <file>|-", Short: "settle a document that could not be merged", Args: between(1, 2),
		Long: `Settles a conflict: the file becomes the document. 'git brew doc list' names
the other text, and 'git brew doc get' prints it: read it first. The name is the
document's, or the conflict's own id.`,
		Example: `  git brew doc resolve plan both.md
  git brew doc get plan | git brew doc resolve plan -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			e := d.env
			s, id, err := e.target(cmd.Context(), d.task)
			if err != nil {
				return err
			}
			var text []byte
			if len(args) > 1 {
				if text, err = e.text(args[1]); err != nil {
					return err
				}
			}
			t, err := s.ResolveConflict(cmd.Context(), id, args[0], text)
			if err != nil {
				return err
			}
			return e.changed(cmd.Context(), s, newChange(cmd.Context(), s, t, task.Phase{}, nil), "Settled the conflict of %s", ui.Safe(args[0]))
		},
	}
}
