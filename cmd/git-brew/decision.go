package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
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

// change is a command that changes a decision, and tells what became of it.
func (d *decisionCommand) change(did string, does func(*call) (review.DecisionResult, error)) runE {
	return d.env.onTask(&d.task, func(c *call) (answer, error) {
		out, err := does(c)
		if err != nil {
			return answer{}, err
		}
		made := view.NewDecision(out.Task, out.Decision)
		instead := ""
		if made.Supersedes != "" && made.Status == task.DecisionActive {
			instead = " instead of " + made.Supersedes
		}
		a := c.wrote(out.Task, "%s %s%s: %s", did, made.ID, instead, ui.Safe(made.Title))
		a.JSON = view.DecisionChange{Change: c.change(out.Task, task.Phase{}, nil), Decision: made}
		a.Records = record(decisionRecord(made)...)
		return a, nil
	})
}

// reasons gives a command the options that say why something was decided.
func reasons(cmd *cobra.Command, r *review.DecisionRequest) {
	messageFlag(cmd, &r.Why, "say `why`")
	cmd.Flags().StringArrayVar(&r.Rejected, "rejected", nil, "`what` was not chosen, as \"WHAT: why\"; repeatable")
	cmd.Flags().StringVar(&r.Phase, "phase", "", "the `phase` that it is about")
}

func (d *decisionCommand) add() *cobra.Command {
	var r review.DecisionRequest
	cmd := &cobra.Command{
		Use:     "add <title> [<options>]",
		Short:   "record a decision",
		Example: `  git brew decision add "Hash: SHA-256" -m stable --rejected "MD5: broken"`,
		Args:    between(1, 1),
		RunE: d.change("Decided", func(c *call) (review.DecisionResult, error) {
			r.Title = c.args[0]
			return c.s.Reviews.AddDecision(c.ctx, c.id, r)
		}),
	}
	reasons(cmd, &r)
	return cmd
}

func (d *decisionCommand) supersede() *cobra.Command {
	var r review.DecisionRequest
	cmd := &cobra.Command{
		Use:   "supersede <decision> --by <title> [<options>]",
		Short: "put a new decision in another's place",
		Args:  between(1, 1),
		RunE: d.change("Decided", func(c *call) (review.DecisionResult, error) {
			if r.Title == "" {
				return review.DecisionResult{}, usageOf(c.cmd, "what takes its place is not said")
			}
			r.Supersedes = c.args[0]
			return c.s.Reviews.AddDecision(c.ctx, c.id, r)
		}),
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
		RunE: d.change("Revoked", func(c *call) (review.DecisionResult, error) {
			return c.s.Reviews.RevokeDecision(c.ctx, c.id, c.args[0], reason)
		}),
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
		RunE: d.env.looksAt(&d.task, func(c *call) (answer, error) {
			t, err := c.s.Records.Task(c.ctx, c.id)
			docs := view.NewDecisions(t, all)
			return answer{
				JSON:    view.Decisions{Task: c.id, Decisions: docs},
				Records: each(docs, decisionRecord),
				Text:    func() { c.printDecisions(docs, len(t.Decisions)) },
			}, err
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "those too that were superseded or revoked")
	return cmd
}

func decisionRecord(d view.Decision) []string {
	return []string{d.ID, string(d.Status), d.SupersededBy, d.At, d.Title}
}

// printDecisions prints decisions, of as many as there are.
func (c *call) printDecisions(docs []view.Decision, of int) {
	switch {
	case len(docs) == 0 && of > 0:
		c.say("No decision of %s holds, of %d.", c.name(c.id), of)
		c.next("git brew decision list --all")
		return
	case len(docs) == 0:
		c.hasNone("decisions", "git brew decision add TITLE -m WHY")
		return
	}
	style := c.style()
	table := c.table("")
	table.Leave, table.Give = []int{1}, []int{2, 3}
	for _, d := range docs {
		standing := ""
		switch d.Status {
		case task.DecisionSuperseded:
			standing = strings.TrimSpace("superseded by " + d.SupersededBy)
		case task.DecisionRevoked:
			standing = "revoked"
		case task.DecisionActive:
		}
		table.Add(style.Bright(d.ID), c.ago(d.At), ui.Safe(d.Title), style.Dim(standing))
	}
	c.write(table)
}

func (d *decisionCommand) show() *cobra.Command {
	return &cobra.Command{
		Use:   "show <decision>",
		Short: "print a decision with its reasons",
		Args:  between(1, 1),
		RunE: d.env.onTask(&d.task, func(c *call) (answer, error) {
			out, err := c.s.Reviews.Decision(c.ctx, c.id, c.args[0])
			doc := view.NewDecision(out.Task, out.Decision)
			return answer{
				JSON:    view.OneDecision{Task: c.id, Decision: doc},
				Records: record(decisionRecord(doc)...),
				Text:    func() { c.printDecision(doc) },
			}, err
		}),
	}
}

func (c *call) printDecision(doc view.Decision) {
	c.tell("%s  %s\n", c.style().Bright(doc.ID), ui.Safe(doc.Title))
	facts := c.facts("  ")
	for _, fact := range [][2]string{
		{"status", string(doc.Status)},
		{"by", doc.SupersededBy},
		{"instead of", doc.Supersedes},
		{"because", doc.Reason},
		{"phase", doc.Phase},
		{"decided", c.ago(doc.At)},
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
	c.write(facts)
}
