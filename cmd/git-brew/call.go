package main

import (
	"context"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// call is a command that was typed: what it may touch, the use cases on the repository
// here, and the task that it is about, where it is about one.
type call struct {
	*env
	ctx  context.Context
	cmd  *cobra.Command
	args []string
	s    *app.App
	id   task.ID
}

// action is what a command does. What it answers is printed in one place, call.print.
type action func(*call) (answer, error)

// runE is what cobra runs.
type runE func(*cobra.Command, []string) error

// answer is what a command says, in each of its forms. One of them is printed.
type answer struct {
	// JSON is the document, or an iter.Seq[any] of several, one a line; nil: none, the text
	// is printed.
	JSON any
	// Records are the lines of porcelain; nil: scripts read the text.
	Records porcelain
	// Text prints the answer for people. What can't be written shows when the output is
	// flushed.
	Text func()
	// End is how the command ends all the same, with an exit code.
	End error
}

// porcelain are lines of porcelain, each by its fields.
type porcelain = iter.Seq[[]string]

// record is one line of porcelain.
func record(fields ...string) porcelain {
	return func(yield func([]string) bool) { yield(fields) }
}

// each is a line of porcelain for every item.
func each[T any](items []T, fields func(T) []string) porcelain {
	return func(yield func([]string) bool) {
		for _, item := range items {
			if !yield(fields(item)) {
				return
			}
		}
	}
}

// joined are several in a row.
func joined(all ...porcelain) porcelain {
	return func(yield func([]string) bool) {
		for _, lines := range all {
			for fields := range lines {
				if !yield(fields) {
					return
				}
			}
		}
	}
}

// print prints an answer in the form that was asked for.
func (c *call) print(a answer) error {
	var err error
	switch lines, many := a.JSON.(iter.Seq[any]); {
	case c.Flags.JSON && many:
		for doc := range lines {
			if err = ui.JSONLine(c.Out, doc); err != nil {
				break
			}
		}
	case c.Flags.JSON && a.JSON != nil:
		err = ui.JSON(c.Out, a.JSON, c.undoneBy(c.ctx))
	case c.Flags.Porcelain && a.Records != nil:
		for fields := range a.Records {
			if err = ui.Record(c.Out, fields...); err != nil {
				break
			}
		}
	case a.Text != nil:
		a.Text()
	}
	if err != nil {
		return err
	}
	return a.End
}

// run is a command in the repository here. find says what it is about, and false where
// there is nothing to do it to, which its answer says.
func (e *env) run(find func(*call) (answer, bool, error), do action) runE {
	return func(cmd *cobra.Command, args []string) error {
		s, err := e.service()
		if err != nil {
			return err
		}
		c := &call{env: e, ctx: cmd.Context(), cmd: cmd, args: args, s: s}
		a, found, err := find(c)
		if err == nil && found {
			a, err = do(c)
		}
		if err != nil {
			return err
		}
		return c.print(a)
	}
}

// onRepo is a command that is about no task.
func (e *env) onRepo(do action) runE {
	return e.run(func(*call) (answer, bool, error) { return answer{}, true, nil }, do)
}

// onTask is a command on the task that name gives, nil: the first argument. Where none is
// named, there has to be one here.
func (e *env) onTask(name *string, do action) runE {
	return e.run(func(c *call) (_ answer, _ bool, err error) {
		c.id, err = c.resolve(c.taskNamed(name))
		return answer{}, true, err
	}, do)
}

// looksAt is onTask for commands that only look: no task here is no error, and is said.
func (e *env) looksAt(name *string, do action) runE {
	return e.run(func(c *call) (answer, bool, error) { return c.look(c.taskNamed(name)) }, do)
}

// look finds the task that a reading command is about; false where none was named and
// there is none here, which the answer says.
func (c *call) look(name string) (a answer, found bool, err error) {
	c.id, found, err = c.readTask(c.ctx, c.s, name)
	if err == nil && !found {
		a = c.noTask()
	}
	if several, ok := c.several(err); ok {
		return several, false, nil
	}
	return a, found, err
}

// taskNamed is the name of a task that was typed, "" for none.
func (c *call) taskNamed(name *string) string {
	if name == nil {
		return first(c.args)
	}
	return *name
}

// resolve finds the task of a name.
func (c *call) resolve(name string) (task.ID, error) {
	id, err := c.s.Tasks.Resolve(c.ctx, name)
	c.mean(c.ctx, c.s, name, id)
	return id, err
}

// next prints what comes next, for a person who wants to be told: not with -q,
// not with brew.advice=false, not in the forms for programs.
func (c *call) next(format string, args ...any) {
	if c.advises(c.ctx, c.s) {
		c.say("  %s", c.style().Dim("next: "+c.addressed(fmt.Sprintf(format, args...))))
	}
}

// name is how a task is called in a sentence, or a command.
func (c *call) name(id task.ID) string {
	if c.Flags.JSON || c.Flags.Porcelain {
		return string(id) // nobody reads the sentence
	}
	return ui.Safe(c.s.Records.Name(c.ctx, id))
}

// hasNone says that the task has nothing of what was asked for, and what makes some.
func (c *call) hasNone(things, command string) {
	name := c.name(c.id)
	c.say("%s has no %s.", name, things)
	if here, err := c.s.Place.Here(c.ctx); err != nil || here != c.id {
		command += " --task " + name
	}
	c.next("%s", command)
}

// style is how text is coloured.
func (c *call) style() ui.Style { return c.colours(c.s) }

// write prints a table.
func (e *env) write(table *ui.Table) { _ = table.Write(e.Out) } // the flush reports what can't be written

// notes prints remarks below a line.
func (e *env) notes(notes []string) {
	for _, note := range notes {
		e.say("  %s", ui.Safe(note))
	}
}

// change is the document of a change that was made to a task, and the phase it was about.
func (c *call) change(t task.Task, p task.Phase, notes []string) view.Change {
	if t.ID == "" {
		return view.Change{} // nothing was done
	}
	doc := view.NewChange(t, p, c.s.Next.Step(c.ctx, t), c.addressedAll(notes))
	doc.DryRun, doc.Hooks = c.Flags.DryRun, view.NewHooks(c.s.Pipelines.HooksDone())
	return doc
}

// changed answers what a change of a task did: a line, remarks, and what comes next.
func (c *call) changed(doc view.Change, format string, args ...any) answer {
	phase := view.Phase{}
	if doc.Phase != nil {
		phase = *doc.Phase
	}
	return answer{
		JSON:    doc,
		Records: record(string(doc.Task.ID), string(doc.Task.Status), phase.ID, string(phase.Status), string(phase.Review)),
		Text: func() {
			c.did(format, args...)
			c.notes(doc.Notes)
			c.sayHooks(c.s)
			if !doc.Others && !doc.Task.Deleted {
				c.next("%s", c.hint(doc.Next.Taken()))
			}
		},
	}
}

// wrote is changed for what is no phase's: a line, and what comes next.
func (c *call) wrote(t task.Task, format string, args ...any) answer {
	return c.changed(c.change(t, task.Phase{}, nil), format, args...)
}

// dryVerb is what was done, or in a dry run what would have been: "Deleted", "Would delete".
func (e *env) dryVerb(did, would string) string {
	if e.Flags.DryRun {
		return "Would " + would
	}
	return did
}

// printed answers with a text, whatever the form.
func printed(print func()) answer { return answer{Text: print} }

// documents are many, one a line, each made when it is printed.
func documents[T any](items []T, doc func(T) any) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, item := range items {
			if !yield(doc(item)) {
				return
			}
		}
	}
}

// textAnswer prints a text as it is, or harmless where it goes to a terminal; doc is its JSON.
func (e *env) textAnswer(doc any, text []byte) answer {
	return answer{JSON: doc, Text: func() { e.printText(text) }}
}

// line prints a line that was asked for.
func (e *env) line(text string) { fmt.Fprintln(e.Out, text) }
