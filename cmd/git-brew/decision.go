package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// decisionCommand is what the decision commands share.
type decisionCommand struct {
	env  *env
	task string // --task
}

func newDecisionCmd(e *env) *cobra.Command {
	d := &decisionCommand{env: e}
	cmd := &cobra.Command{
		Use:   "decision <command> [<args>]",
		Short: "what was decided, and why",
		Long: `Decisions are numbered, DEC-001 and on. One that changes is superseded by
another, one that is given up is revoked: none is lost. They are read as the
document decisions, also with plain git.`,
	}
	writing := []*cobra.Command{d.add(), d.supersede(), d.revoke()}
	dryRunFlag(e, dryRunHelp, writing...)
	cmd.AddCommand(d.list(), d.show())
	cmd.AddCommand(writing...)
	taskFlag(cmd, &d.task)
	return cmd
}

// decisionDocument is a decision in JSON.
type decisionDocument struct {
	ID           string              `json:"id"`
	Title        string              `json:"title"`
	Why          string              `json:"why"`
	Rejected     []task.Alternative  `json:"rejected"`
	Phase        string              `json:"phase"`
	At           string              `json:"at"`
	Status       task.DecisionStatus `json:"status"`
	SupersededBy string              `json:"superseded_by"`
	Supersedes   string              `json:"supersedes"`
	Reason       string              `json:"reason"` // why it was revoked
}

func newDecisionDocument(t task.Task, d task.Decision) decisionDocument {
	return decisionDocument{
		ID: t.DecisionID(d.UID), Title: d.Title, Why: d.Why, Rejected: view.List(d.Rejected), Phase: view.PhaseID(t, d.Phase), At: d.At,
		Status: d.Status, SupersededBy: t.DecisionID(d.By), Supersedes: t.DecisionID(d.Supersedes), Reason: d.Reason,
	}
}

// newDecisionDocuments are the decisions that hold, or all.
func newDecisionDocuments(t task.Task, all bool) []decisionDocument {
	docs := []decisionDocument{}
	for _, d := range t.Decisions {
		if all || d.Status == task.DecisionActive {
			docs = append(docs, newDecisionDocument(t, d))
		}
	}
	return docs
}

func recordDecision(e *env, d decisionDocument) error {
	return ui.Record(e.Out, d.ID, string(d.Status), d.SupersededBy, d.At, d.Title)
}

// changed prints what became of a decision.
func (d *decisionCommand) changed(ctx context.Context, did string, does func(s *workflow.Service, id task.ID) (workflow.DecisionResult, error)) error {
	e := d.env
	s, id, err := e.target(ctx, d.task)
	if err != nil {
		return err
	}
	out, err := does(s, id)
	if err != nil {
		return err
	}
	doc := struct {
		view.Change
		Decision decisionDocument `json:"decision"`
	}{newChange(ctx, s, out.Task, task.Phase{}, nil), newDecisionDocument(out.Task, out.Decision)}
	doc.DryRun, doc.Undo = e.Flags.DryRun, s.UndoHint(ctx)
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, doc)
	case e.Flags.Porcelain:
		return recordDecision(e, doc.Decision)
	}
	instead := ""
	if doc.Decision.Supersedes != "" && doc.Decision.Status == task.DecisionActive {
		instead = " instead of " + doc.Decision.Supersedes
	}
	return e.changed(ctx, s, doc.Change, "%s %s%s: %s", did, doc.Decision.ID, instead, ui.Safe(doc.Decision.Title))
}

// reasons gives a command the options that say why something was decided.
func reasons(cmd *cobra.Command, r *workflow.DecisionRequest) {
	messageFlag(cmd, &r.Why, "say `why`")
	cmd.Flags().StringArrayVar(&r.Rejected, "rejected", nil, "`what` was not chosen, as \"WHAT: why\"; repeatable")
	cmd.Flags().StringVar(&r.Phase, "phase", "", "the `phase` that it is about")
}

func (d *decisionCommand) add() *cobra.Command {
	var r workflow.DecisionRequest
	cmd := &cobra.Command{
		Use:     "add <title> [<options>]",
		Short:   "record a decision",
		Example: `  git brew decision add "Hash: SHA-256" -m stable --rejected "MD5: broken"`,
		Args:    between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Title = args[0]
			return d.changed(cmd.Context(), "Decided", func(s *workflow.Service, id task.ID) (workflow.DecisionResult, error) {
				return s.AddDecision(cmd.Context(), id, r)
			})
		},
	}
	reasons(cmd, &r)
	return cmd
}

func (d *decisionCommand) supersede() *cobra.Command {
	var r workflow.DecisionRequest
	cmd := &cobra.Command{
		Use:   "supersede <decision> --by <title> [<options>]",
		Short: "put a new decision in another's place",
		Args:  between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.Title == "" {
				return usageOf(cmd, "what takes its place is not said")
			}
			r.Supersedes = args[0]
			return d.changed(cmd.Context(), "Decided", func(s *workflow.Service, id task.ID) (workflow.DecisionResult, error) {
				return s.AddDecision(cmd.Context(), id, r)
			})
		},
	}
	cmd.Flags().StringVar(&r.Title, "by", "", "the new decision's `title`")
	reasons(cmd, &r)
	return cmd
}

func (d *decisionCommand) revoke() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "revoke <decision> -m <why>",
		Short: "give a decision up, with nothing in its place",
		Args:  between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.changed(cmd.Context(), "Revoked", func(s *workflow.Service, id task.ID) (workflow.DecisionResult, error) {
				return s.RevokeDecision(cmd.Context(), id, args[0], reason)
			})
		},
	}
	messageFlag(cmd, &reason, "say `why`")
	return cmd
}

func (d *decisionCommand) list() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "list [--all]",
		Short: "list the decisions that hold",
		Long: `Lists the decisions that hold. Porcelain has number, status, what superseded it,
time and title.`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			e := d.env
			s, id, ok, err := e.reading(cmd.Context(), d.task)
			if err != nil || !ok {
				return err
			}
			t, err := s.Task(cmd.Context(), id)
			if err != nil {
				return err
			}
			return e.printDecisions(cmd.Context(), s, t, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "those too that were superseded or revoked")
	return cmd
}

func (e *env) printDecisions(ctx context.Context, s *workflow.Service, t task.Task, all bool) error {
	docs := newDecisionDocuments(t, all)
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, struct {
			Task      task.ID            `json:"task"`
			Decisions []decisionDocument `json:"decisions"`
		}{t.ID, docs})
	case len(docs) == 0 && !e.Flags.Porcelain:
		if past := len(t.Decisions); past > 0 {
			e.say("No decision of %s holds, of %d.", e.name(ctx, s, t.ID), past)
			e.next(ctx, s, "git brew decision list --all")
			return nil
		}
		e.hasNone(ctx, s, t.ID, "decisions", "git brew decision add TITLE -m WHY")
		return nil
	}
	style := e.colours(s)
	table := e.table("")
	table.Leave, table.Give = []int{1}, []int{2, 3}
	for _, d := range docs {
		if e.Flags.Porcelain {
			if err := recordDecision(e, d); err != nil {
				return err
			}
			continue
		}
		standing := ""
		switch d.Status {
		case task.DecisionSuperseded:
			standing = strings.TrimSpace("superseded by " + d.SupersededBy)
		case task.DecisionRevoked:
			standing = "revoked"
		case task.DecisionActive:
		}
		table.Add(style.Bright(d.ID), e.ago(d.At), ui.Safe(d.Title), style.Dim(standing))
	}
	return table.Write(e.Out)
}

func (d *decisionCommand) show() *cobra.Command {
	return &cobra.Command{
		Use:   "show <decision>",
		Short: "print a decision with its reasons",
		Args:  between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := d.env
			s, id, err := e.target(cmd.Context(), d.task)
			if err != nil {
				return err
			}
			out, err := s.Decision(cmd.Context(), id, args[0])
			if err != nil {
				return err
			}
			return e.printDecision(s, out)
		},
	}
}

func (e *env) printDecision(s *workflow.Service, r workflow.DecisionResult) error {
	doc := newDecisionDocument(r.Task, r.Decision)
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, struct {
			Task     task.ID          `json:"task"`
			Decision decisionDocument `json:"decision"`
		}{r.Task.ID, doc})
	case e.Flags.Porcelain:
		return recordDecision(e, doc)
	}
	e.tell("%s  %s\n", e.colours(s).Bright(doc.ID), ui.Safe(doc.Title))
	facts := e.facts("  ")
	for _, fact := range [][2]string{
		{"status", string(doc.Status)},
		{"by", doc.SupersededBy},
		{"instead of", doc.Supersedes},
		{"because", doc.Reason},
		{"phase", doc.Phase},
		{"decided", e.ago(doc.At)},
		{"why", doc.Why},
	} {
		if fact[1] != "" {
			facts.Add(fact[0], ui.Safe(fact[1]))
		}
	}
	for i, a := range doc.Rejected {
		text := a.What
		if a.Why != "" {
			text += ": " + a.Why
		}
		facts.Add(firstOnly("rejected", i), ui.Safe(text))
	}
	return facts.Write(e.Out)
}
