package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
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

func (d *docCommand) list() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "list the documents that there are", Args: between(0, 0),
		Long: `Lists the documents that there are, and what 'git brew doc check' finds in each.
Porcelain has name, size and blob.`,
		RunE: d.env.looksAt(&d.task, func(c *call) (answer, error) {
			docs, conflicts, err := c.s.Documents.Documents(c.ctx, c.id)
			if err != nil {
				return answer{}, err
			}
			found, err := c.s.Documents.DocumentFindings(c.ctx, c.id)
			return documentsAnswer(c, docs, found, conflicts), err
		}),
	}
}

func (d *docCommand) get() *cobra.Command {
	return &cobra.Command{
		Use: "get <name>", Short: "print a document", Args: between(1, 1),
		RunE: d.env.onTask(&d.task, func(c *call) (answer, error) {
			doc, err := c.s.Documents.Document(c.ctx, c.id, c.args[0])
			return answer{JSON: view.NewWhole(doc), Text: func() {
				for _, other := range doc.Beside {
					look, settle := task.SettleCommands(doc.Beside, other)
					c.complain("another text of it stands beside: %s",
						ui.Safe(c.addressed("'"+look+"' prints that, '"+settle+"' settles it")))
				}
				c.printText(doc.Text)
			}}, err
		}),
	}
}

// printText prints a text as it is, or harmless where it goes to a terminal.
func (e *env) printText(text []byte) {
	if e.paged() {
		text = []byte(ui.SafeLines(string(text)))
	}
	_, _ = e.Out.Write(text) // the flush reports what can't be written
}

func (d *docCommand) set() *cobra.Command {
	var base string
	cmd := &cobra.Command{
		Use: "set <name> <file>|-", Short: "write a document", Args: between(2, 2),
		RunE: d.env.onTask(&d.task, func(c *call) (answer, error) {
			text, err := c.text(c.args[1])
			if err != nil {
				return answer{}, err
			}
			r := texts.SetDocumentRequest{Name: c.args[0], Text: text}
			if c.cmd.Flags().Changed("base") {
				r.Base = &base
			}
			out, err := c.s.Documents.SetDocument(c.ctx, c.id, r)
			return wroteDocument(c, out), err
		}),
	}
	cmd.Flags().StringVar(&base, "base", "", "the `oid` that was read: what changed since is merged")
	return cmd
}

func (d *docCommand) edit() *cobra.Command {
	return &cobra.Command{
		Use: "edit <name>", Short: "change a document in git's editor", Args: between(1, 1),
		RunE: d.env.onTask(&d.task, func(c *call) (answer, error) {
			out, err := c.s.Documents.EditDocument(c.ctx, c.id, c.args[0], gitstore.Streams{In: c.In, Out: c.Screen, Err: c.Err})
			return wroteDocument(c, out), err
		}),
	}
}

func (d *docCommand) resolve() *cobra.Command {
	return &cobra.Command{
		Use: "resolve <name> <file>|-", Short: "settle a document that could not be merged", Args: between(1, 2),
		Long: `Settles a conflict: the file becomes the document. 'git brew doc list' names
the other text, and 'git brew doc get' prints it: read it first. The name is the
document's, or the conflict's own id.`,
		Example: `  git brew doc resolve plan both.md
  git brew doc get plan | git brew doc resolve plan -`,
		RunE: d.env.onTask(&d.task, func(c *call) (answer, error) {
			var text []byte
			if len(c.args) > 1 {
				var err error
				if text, err = c.text(c.args[1]); err != nil {
					return answer{}, err
				}
			}
			t, err := c.s.Documents.ResolveConflict(c.ctx, c.id, c.args[0], text)
			return c.wrote(t, "Settled the conflict of %s", ui.Safe(c.args[0])), err
		}),
	}
}

// documentsAnswer lists documents, with what is found in each: errors and warnings.
func documentsAnswer(
	c *call, docs []records.Document, found map[string][2]int, conflicts []task.Conflict,
) answer {
	return answer{
		JSON: view.NewDocuments(c.id, docs, found, conflicts),
		Records: each(docs, func(doc records.Document) []string {
			return []string{doc.Name, strconv.Itoa(doc.Size), doc.OID}
		}),
		Text: func() {
			if len(docs) == 0 {
				c.hasNone("documents", "git brew doc set spec -")
				return
			}
			table := c.table("")
			table.Right, table.Leave, table.Give = map[int]bool{1: true}, []int{1}, []int{0}
			for _, doc := range docs {
				n := found[doc.Name]
				table.Add(ui.Safe(doc.Name), fmt.Sprintf("%d bytes", doc.Size), counted(n[0], n[1]))
			}
			c.write(table)
			for _, other := range conflicts {
				c.tell("! %s could not be merged with %s\n", ui.Safe(other.Path), ui.Safe(task.ConflictPath(other)))
			}
			if len(conflicts) > 0 {
				look, settle := task.SettleCommands(conflicts, conflicts[0])
				c.next("%s, then %s", ui.Safe(look), ui.Safe(settle))
			}
		},
	}
}

// wroteDocument is the answer of what changes a document.
func wroteDocument(c *call, r texts.DocumentResult) answer {
	return answer{
		JSON:    view.NewWrittenDocument(c.change(r.Task, task.Phase{}, nil), r),
		Records: record(r.Document.Name, strconv.Itoa(r.Document.Size), r.Document.OID),
		Text: func() {
			doc, name := ui.Safe(r.Document.Name), c.name(r.Task.ID)
			switch {
			case r.Conflict != nil:
				look, settle := task.SettleCommands(r.Task.Conflicts, *r.Conflict)
				c.say("Wrote %s of %s; what somebody else wrote meanwhile stands beside:\n  %s",
					doc, name, ui.Safe(c.addressed(look)))
				c.next("%s", ui.Safe(settle))
				return
			case r.Merged:
				c.say("Wrote %s of %s, merged with what somebody else wrote meanwhile", doc, name)
			case r.Changed:
				c.say("Wrote %s of %s (%d bytes)", doc, name, r.Document.Size)
			default:
				c.say("%s of %s is unchanged", sentence(doc), name)
			}
			c.sayHooks(c.s)
			c.next("%s", c.hint(c.s.Next.Step(c.ctx, r.Task)))
		},
	}
}
