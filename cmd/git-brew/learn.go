package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// scopeOptions say whose knowledge a command is about.
type scopeOptions struct {
	task    string
	project bool
}

// addTo adds the options to a command, or to each of its subcommands.
func (o *scopeOptions) addTo(cmd *cobra.Command) {
	taskFlag(cmd, &o.task)
	for _, taker := range append(cmd.Commands(), cmd) {
		if taker.Runnable() {
			taker.Flags().BoolVar(&o.project, "project", false, "the project's instead of a task's")
		}
	}
}

// scope finds the task, unless the project is meant. Reading commands do
// without one: ok is false where there is none here.
func (o *scopeOptions) scope(ctx context.Context, e *env) (s *workflow.Service, in workflow.Scope, ok bool, err error) {
	if o.project && o.task != "" {
		return nil, in, false, &usageError{"--project and --task exclude each other", "give one of them"}
	}
	if s, err = e.service(); err != nil || o.project {
		return s, in, err == nil, err
	}
	in.Task, ok, err = e.readTask(ctx, s, o.task)
	return s, in, ok, err
}

// mustScope is scope for commands that write.
func (o *scopeOptions) mustScope(ctx context.Context, e *env) (*workflow.Service, workflow.Scope, error) {
	s, in, ok, err := o.scope(ctx, e)
	if err == nil && !ok {
		_, err = s.Resolve(ctx, "") // says what there is to do
	}
	return s, in, err
}

// owner names whose knowledge it is, for people.
func (e *env) owner(ctx context.Context, in workflow.Scope) string {
	if in.Task == "" {
		return "the project"
	}
	return e.name(ctx, e.opened, in.Task)
}

// ownerID is the task in JSON; null is the project.
func ownerID(in workflow.Scope) *task.ID {
	if in.Task == "" {
		return nil
	}
	return &in.Task
}

// entryDocument is one entry of knowledge, and whose it is.
type entryDocument struct {
	Task  *task.ID        `json:"task"`
	Entry knowledge.Entry `json:"entry"`
	Known bool            `json:"known,omitzero"` // it was there before
	Undo  string          `json:"undo,omitzero"`  // as in view.Change
}

func newLearnCmd(e *env) *cobra.Command {
	var scope scopeOptions
	var kind string
	var r workflow.LearnRequest
	cmd := &cobra.Command{
		Use:   "learn [-t avoid|practice|fact] [<options>] <text>",
		Short: "remember something for whoever works on the task next",
		Long: `Remembers one sentence: what to avoid, what has proved itself, or a fact.
Agents are shown it when they start. What is no knowledge (progress, praise,
intentions) is refused. learn never compacts; reports and hand-offs do.`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if r.Kind, err = knowledge.ParseKind(kind); err != nil {
				return &usageError{err.Error(), "give -t avoid, practice or fact"}
			}
			service, in, err := scope.mustScope(cmd.Context(), e)
			if err != nil {
				return err
			}
			r.Text = args[0]
			learned, err := service.Learn(cmd.Context(), in, r)
			if err != nil {
				return err
			}
			return e.answerEntry(cmd.Context(), "Learned", in, learned)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&kind, "type", "t", "fact", "what it is: avoid, practice or fact (`kind`)")
	flags.StringVar(&r.Src, "src", "", "who found it out: an agent's or a person's `name`")
	flags.StringArrayVar(&r.Paths, "path", nil, "it is about files that match this `glob`; repeatable")
	scope.addTo(cmd)
	return cmd
}

// answerEntry says what was done with an entry.
func (e *env) answerEntry(ctx context.Context, did string, in workflow.Scope, entry workflow.Learned) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, entryDocument{ownerID(in), entry.Entry, entry.Known, e.undoneBy(ctx)})
	case e.Flags.Porcelain:
		return recordEntry(e, entry.Entry)
	case entry.Known:
		did = "Known already"
	}
	head := fmt.Sprintf("%s for %s: %s ", did, e.owner(ctx, in), entry.T)
	e.say("%s%s  %s", head, ui.Truncate(ui.Safe(`"`+entry.Txt+`"`), e.room(ui.Width(head)+10, 20)), shortID(string(entry.ID)))
	return nil
}

func recordEntry(e *env, k knowledge.Entry) error {
	return ui.Record(e.Out, append([]string{string(k.ID), string(k.T), k.TS, k.Src, k.Txt}, k.Paths...)...)
}

// shortID is the beginning of an id that is enough to type.
func shortID(id string) string { return id[:min(8, len(id))] }
