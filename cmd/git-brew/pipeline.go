package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// pipelineCommand is what the pipeline commands share.
type pipelineCommand struct {
	env  *env
	task string // --task
}

func newPipelineCmd(e *env) *cobra.Command {
	p := &pipelineCommand{env: e}
	cmd := &cobra.Command{
		Use:   "pipeline <command> [<args>]",
		Short: "which steps there are, and what runs around them",
		Long: `The pipeline says which workflow each step follows, where a person is asked, and
which hooks are around it: programs that git brew runs, and texts that the agent
follows. In force is .brew/pipeline.json of the work tree, else
.specd/pipeline.json, else the one that is shared with 'pipeline set', else the
built-in one. See docs/pipelines.md.`,
	}
	onTask := []*cobra.Command{p.retry(), p.skip(), p.failed()}
	for _, sub := range onTask {
		taskFlag(sub, &p.task)
	}
	set := p.set()
	dryRunFlag(e, dryRunHelp, append(onTask, set)...)
	cmd.AddCommand(p.show(), p.check(), set)
	cmd.AddCommand(onTask...)
	return cmd
}

func (p *pipelineCommand) show() *cobra.Command {
	return &cobra.Command{
		Use:   "show [<workflow>]",
		Short: "show the pipeline in force, or a workflow of it",
		Long: `Shows the pipeline in force and what runs around each step; or the text that a
step follows, such as execute.md: one of git brew's own by its bare name, one of
the project by its path, once the user has trusted it.

Porcelain has records pipeline (where from, schema, what waits for trust), step
(list, name, workflow, list that it stands for, pause) and hook (list, step, pre
or post, scope, path, kind, mode, required or optional, trusted or why not).`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := p.env.service()
			if err != nil {
				return err
			}
			if len(args) > 0 {
				return p.env.printWorkflow(cmd.Context(), service, args[0])
			}
			view, err := service.PipelineView(cmd.Context())
			if err != nil {
				return err
			}
			return p.env.printPipeline(service, view)
		},
	}
}

// workflowTextDocument is `pipeline show <workflow> --json`.
type workflowTextDocument struct {
	Path    string `json:"path"`
	BuiltIn bool   `json:"built_in"`
	Text    string `json:"text"`
}

// printWorkflow prints the text that a step follows.
func (e *env) printWorkflow(ctx context.Context, s *workflow.Service, name string) error {
	text, builtIn, err := s.WorkflowText(ctx, name)
	if err != nil {
		return err
	}
	if e.Flags.JSON {
		return ui.JSON(e.Out, workflowTextDocument{name, builtIn, string(text)})
	}
	e.printText(text)
	return nil
}

// pipelineCheckDocument is `pipeline check --json`.
type pipelineCheckDocument struct {
	From     string                    `json:"from"`
	Errors   int                       `json:"errors"`
	Findings []pipelineFindingDocument `json:"findings"`
}

// pipelineFindingDocument is one thing that was found in a pipeline.
type pipelineFindingDocument struct {
	Level pipeline.Level `json:"level"`
	Line  int            `json:"line,omitempty"`
	Place string         `json:"place,omitempty"`
	Text  string         `json:"text"`
}

func newPipelineFindings(all []pipeline.Finding) []pipelineFindingDocument {
	docs := []pipelineFindingDocument{}
	for _, f := range all {
		docs = append(docs, pipelineFindingDocument(f))
	}
	return docs
}

func (p *pipelineCommand) check() *cobra.Command {
	return &cobra.Command{
		Use:   "check [<file>|-]",
		Short: "say what is wrong with the pipeline",
		Long: `Reads the pipeline in force with the files that it names, or a document before
it is one, and says in a line each what is an error, a warning or a note. With
an error no step can be taken; then it ends with 5. Porcelain has level, line,
place and text.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := p.env
			if len(args) > 0 {
				return e.checkDocument(cmd.Context(), args[0])
			}
			service, err := e.service()
			if err != nil {
				return err
			}
			view, err := service.PipelineView(cmd.Context())
			if err != nil {
				return err
			}
			return e.printFindings(view.From, append(view.Findings, view.FileFindings()...))
		},
	}
}

// checkDocument says what is wrong with a document, and with the files that it
// names where there is a work tree that may have them.
func (e *env) checkDocument(ctx context.Context, name string) error {
	text, err := e.textUpTo(name, pipeline.MaxSize, "a pipeline has at most 64 KiB")
	if err != nil {
		return err
	}
	service, err := e.service()
	switch {
	case errors.Is(err, gitstore.ErrNotRepository): // the document alone
		_, found := pipeline.Parse(text)
		return e.printFindings(name, found)
	case err != nil:
		return err
	}
	found, err := service.CheckPipeline(ctx, text)
	if err != nil {
		return err
	}
	return e.printFindings(name, found)
}

func (e *env) printFindings(from string, found []pipeline.Finding) error {
	bad := len(pipeline.Errors(found))
	switch {
	case e.Flags.JSON:
		if err := ui.JSON(e.Out, pipelineCheckDocument{from, bad, newPipelineFindings(found)}); err != nil {
			return err
		}
	case e.Flags.Porcelain:
		for _, f := range found {
			if err := ui.Record(e.Out, string(f.Level), strconv.Itoa(f.Line), f.Place, f.Text); err != nil {
				return err
			}
		}
	default:
		table := e.facts("")
		for _, f := range found {
			table.Add(string(f.Level), ui.Safe(f.String()))
		}
		if err := table.Write(e.Out); err != nil {
			return err
		}
		if bad > 0 {
			e.say("%s can't be used: %s", sentence(pipelineName(from)), counted(bad, 0))
			break
		}
		e.say("%s holds together.", sentence(pipelineName(from)))
	}
	if bad > 0 {
		return exitWith(exitRefused)
	}
	return nil
}

// sharedDocument is `pipeline set --json`.
type sharedDocument struct {
	pipelineCheckDocument
	// InForce is where the pipeline in force here comes from now.
	InForce string `json:"in_force"`
	Undo    string `json:"undo,omitzero"` // as in view.Change
	DryRun  bool   `json:"dry_run,omitzero"`
}

func (p *pipelineCommand) set() *cobra.Command {
	var standard bool
	cmd := &cobra.Command{
		Use:   "set <file>|- | --default",
		Short: "share a pipeline with everybody, or go back to the built-in one",
		Long: `Shares a pipeline in refs/brew/config. Elsewhere it is in force once the person
there has trusted it; a .brew/pipeline.json in a work tree goes before it. What
'pipeline check' calls an error is refused: a required file that is not here,
too.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, ctx := p.env, cmd.Context()
			if standard == (len(args) > 0) {
				return usageOf(cmd, "share which pipeline?")
			}
			service, err := e.service()
			if err != nil {
				return err
			}
			doc := sharedDocument{pipelineCheckDocument: pipelineCheckDocument{From: workflow.FromDefault, Findings: []pipelineFindingDocument{}}, DryRun: e.Flags.DryRun}
			if standard {
				err = service.UnsetPipeline(ctx)
			} else {
				doc, err = e.sharePipeline(ctx, service, args[0])
			}
			if err != nil {
				return err
			}
			return e.sharedPipeline(ctx, service, doc)
		},
	}
	cmd.Flags().BoolVar(&standard, "default", false, "take the shared one back")
	return cmd
}

func (e *env) sharePipeline(ctx context.Context, s *workflow.Service, name string) (sharedDocument, error) {
	doc := sharedDocument{pipelineCheckDocument: pipelineCheckDocument{From: workflow.FromShared}, DryRun: e.Flags.DryRun}
	text, err := e.textUpTo(name, pipeline.MaxSize, "a pipeline has at most 64 KiB")
	if err != nil {
		return doc, err
	}
	found, err := s.SetPipeline(ctx, text)
	doc.Findings = newPipelineFindings(found)
	return doc, err
}

// sharedPipeline says what was shared, and what is in force here by that.
func (e *env) sharedPipeline(ctx context.Context, s *workflow.Service, doc sharedDocument) error {
	now, err := s.Pipeline(ctx)
	if err != nil {
		return err
	}
	doc.InForce, doc.Undo = now.From, e.undoneBy(ctx)
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, doc)
	case e.Flags.Porcelain:
		return ui.Record(e.Out, doc.From, doc.InForce)
	case doc.From == workflow.FromDefault:
		e.did("No pipeline is shared any more")
	default:
		e.did("The pipeline is shared with everybody")
	}
	for _, f := range doc.Findings {
		e.say("  %s: %s", f.Level, ui.Safe(pipeline.Finding(f).String()))
	}
	switch {
	case e.Flags.DryRun:
	case now.Waiting != "":
		e.say("  here it waits for the user's trust (git brew trust add %s)", workflow.ShortTrust(now.Waiting))
	case now.From != doc.From:
		e.say("  in force here: %s", pipelineName(now.From))
	}
	return nil
}

func (p *pipelineCommand) retry() *cobra.Command {
	return &cobra.Command{
		Use:   "retry",
		Short: "run again what failed after a step",
		Long: `Runs the hooks again that failed after their step. Until they pass, or are
passed over with 'pipeline skip', no other step begins. A text that failed is
told again, to a person alone.`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, id, err := p.env.target(cmd.Context(), p.task)
			if err != nil {
				return err
			}
			t, err := s.RetryHooks(cmd.Context(), id)
			if err != nil {
				return err
			}
			words := "What follows a step of %s passed"
			if _, stopped := s.HookStopped(); stopped {
				words = "What follows a step of %s did not do its part"
			} else if slices.ContainsFunc(s.HooksDone(), func(h workflow.HookDone) bool { return h.Outcome == task.HookTold }) {
				words = "What is around a step of %s is told again" // what becomes of a text nobody sees
			}
			return p.env.changed(cmd.Context(), s, newChange(cmd.Context(), s, t, task.Phase{}, nil), words, p.env.name(cmd.Context(), s, id))
		},
	}
}

func (p *pipelineCommand) skip() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "skip -m <why>",
		Short: "pass over what failed after a step, with a record",
		Args:  between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, id, err := p.env.target(cmd.Context(), p.task)
			if err != nil {
				return err
			}
			t, passed, err := s.SkipHooks(cmd.Context(), id, reason)
			if err != nil {
				return err
			}
			return p.env.changed(cmd.Context(), s, newChange(cmd.Context(), s, t, task.Phase{}, nil), "Passed over %s: %s", ui.Safe(strings.Join(passed, ", ")), ui.Safe(reason))
		},
	}
	messageFlag(cmd, &reason, "say `why`")
	return cmd
}

func (p *pipelineCommand) failed() *cobra.Command {
	var r workflow.HookFailedRequest
	cmd := &cobra.Command{
		Use:   "failed <hook> -m <why>",
		Short: "say that a workflow around a step did not work out",
		Long: `Records that a text which is followed before or after a step, such as
post-execute, did not work out. Where it is required no step begins until a
person passes it over ('pipeline skip'), or has it told again.`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, id, err := p.env.target(cmd.Context(), p.task)
			if err != nil {
				return err
			}
			r.Hook = args[0]
			t, err := s.HookFailed(cmd.Context(), id, r)
			if err != nil {
				return err
			}
			return p.env.changed(cmd.Context(), s, newChange(cmd.Context(), s, t, task.Phase{}, nil), "Recorded that %s failed: %s", ui.Safe(r.Hook), ui.Safe(r.Reason))
		},
	}
	messageFlag(cmd, &r.Reason, "say `why`")
	cmd.Flags().StringVar(&r.Phase, "phase", "", "the `phase` that the step was taken for")
	return cmd
}
