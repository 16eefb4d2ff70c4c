package cli

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// Call is a command that was typed: what it may touch, the use cases on the repository
// here, and the task that it is about, where it is about one.
type Call struct {
	*Env
	Ctx  context.Context
	Cmd  *cobra.Command
	Args []string
	App  *app.App
	ID   task.ID
}

// Answer is what a command says, in each of its forms. One of them is printed.
type Answer struct {
	// JSON is the document, or an iter.Seq[any] of several, one a line; nil: none, the text
	// is printed.
	JSON any
	// Records are the lines of porcelain; nil: scripts read the text.
	Records Porcelain
	// Text prints the answer for people. What can't be written shows when the output is
	// flushed.
	Text func()
	// End is how the command ends all the same, with an exit code.
	End error
}

// Porcelain are lines of porcelain, each by its fields.
type Porcelain = iter.Seq[[]string]

// Record is one line of porcelain.
func Record(fields ...string) Porcelain { return slices.Values([][]string{fields}) }

// Each is a line of porcelain, or a document, for every item, made when it is printed.
func Each[T, L any](items []T, line func(T) L) iter.Seq[L] {
	return func(yield func(L) bool) {
		for _, item := range items {
			if !yield(line(item)) {
				return
			}
		}
	}
}

// Joined are several in a row.
func Joined(all ...Porcelain) Porcelain {
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

// Print prints an answer in the form that was asked for.
func (c *Call) Print(a Answer) error {
	var err error
	switch lines, many := a.JSON.(iter.Seq[any]); {
	case c.Flags.JSON && many:
		for doc := range lines {
			if err = ui.JSONLine(c.Out, doc); err != nil {
				break
			}
		}
	case c.Flags.JSON && a.JSON != nil:
		err = ui.JSON(c.Out, ui.Object{a.JSON, "undo?", undoneBy(c.Env, c.Ctx)})
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

// OnRepo opens the repository here, and does something in it.
func (c *Call) OnRepo(do Action) (_ Answer, err error) {
	if c.App, err = c.Service(); err != nil {
		return Answer{}, err
	}
	return do(c)
}

// OnTask does something to the task that was named. Where none is, there has to be one here.
func (c *Call) OnTask(do Action) (Answer, error) {
	var err error
	if c.ID, err = c.Resolve(c.TaskName()); err != nil {
		return Answer{}, err
	}
	return do(c)
}

// LookAt is OnTask for what only looks: no task here is no error, and is said.
func (c *Call) LookAt(do Action) (Answer, error) {
	a, found, err := c.Look(c.TaskName())
	if err != nil || !found {
		return a, err
	}
	return do(c)
}

// Look finds the task that a reading command is about; false where none was named and
// there is none here, which the answer says.
func (c *Call) Look(name string) (a Answer, found bool, err error) {
	c.ID, found, err = c.ReadTask(c.Ctx, c.App, name)
	if err == nil && !found {
		a = c.noTask()
	}
	return a, found, err
}

// TaskName is what was typed for a task, "" for none: by --task, or else as an argument.
func (c *Call) TaskName() string {
	if option := c.Cmd.Flags().Lookup("task"); option != nil {
		return option.Value.String()
	}
	return FirstArg(c.Args)
}

// Resolve finds the task of a name.
func (c *Call) Resolve(name string) (task.ID, error) {
	id, err := c.App.Tasks.Resolve(c.Ctx, name)
	c.Mean(c.Ctx, c.App, name, id)
	return id, err
}

// Next prints what comes next, for a person who wants to be told: not with -q,
// not with brew.advice=false, not in the forms for programs.
func (c *Call) Next(format string, args ...any) {
	if advises(c.Env, c.Ctx, c.App) {
		c.Say("  %s", c.Style().Dim("next: "+c.Addressed(fmt.Sprintf(format, args...))))
	}
}

// Name is how a task is called in a sentence, or a command.
func (c *Call) Name(id task.ID) string {
	if c.Flags.JSON || c.Flags.Porcelain {
		return string(id) // nobody reads the sentence
	}
	return ui.Safe(c.App.Records.Name(c.Ctx, id))
}

// HasNone says that the task has nothing of what was asked for, and what makes some.
func (c *Call) HasNone(things, command string) {
	name := c.Name(c.ID)
	c.Say("%s has no %s.", name, things)
	if here, err := c.App.Place.Here(c.Ctx); err != nil || here != c.ID {
		command += " --task " + name
	}
	c.Next("%s", command)
}

// OrNone prints n of something, or says that the task has none, and what makes some.
func (c *Call) OrNone(n int, things, command string, print func()) func() {
	return func() {
		if n == 0 {
			c.HasNone(things, command)
		} else {
			print()
		}
	}
}

// Style is how text is coloured.
func (c *Call) Style() ui.Style { return c.Colours(c.App) }

// WriteTable prints a table.
func (e *Env) WriteTable(table *ui.Table) { _ = table.Write(e.Out) } // the flush reports what can't be written

// Notes prints remarks below a line.
func (e *Env) Notes(notes []string) {
	for _, note := range notes {
		e.Say("  %s", ui.Safe(note))
	}
}

// Change is the document of a change that was made to a task, and the phase it was about.
func (c *Call) Change(t task.Task, p task.Phase, notes []string) view.Change {
	if t.ID == "" {
		return view.Change{} // nothing was done
	}
	if p.UID == "" {
		p, _ = t.CurrentPhase()
	}
	doc := view.Change{Task: t, Phase: p, Next: c.App.Next.Step(c.Ctx, t), Notes: c.AddressedAll(notes)}
	doc.DryRun, doc.Hooks = c.Flags.DryRun, c.App.Pipelines.HooksDone()
	return doc
}

// Changed answers what a change of a task did: a line, remarks, and what comes next.
func (c *Call) Changed(doc view.Change, format string, args ...any) Answer {
	t, phase := doc.Task, doc.Phase
	return Answer{
		JSON:    doc,
		Records: Record(string(t.ID), string(t.Status), phase.ID, string(phase.Status), string(phase.Review)),
		Text: func() {
			c.Did(format, args...)
			c.Notes(doc.Notes)
			SayHooks(c.Env, c.App)
			if !doc.Others && !t.Deleted {
				c.Next("%s", c.Hint(doc.Next))
			}
		},
	}
}

// Wrote is changed for what is no phase's: a line, and what comes next.
func (c *Call) Wrote(t task.Task, format string, args ...any) Answer {
	return c.Changed(c.Change(t, task.Phase{}, nil), format, args...)
}

// TextAnswer prints a text as it is, or harmless where it goes to a terminal; doc is its JSON.
func TextAnswer(e *Env, doc any, text []byte) Answer {
	return Answer{JSON: doc, Text: func() { PrintText(e, text) }}
}

// Line prints a line that was asked for.
func (e *Env) Line(text string) { fmt.Fprintln(e.Out, text) }
