package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// reportCommand is what the report commands share.
type reportCommand struct {
	env    *env
	task   string // --task
	agent  string
	verify bool
}

func newReportCmd(e *env) *cobra.Command {
	r := &reportCommand{env: e}
	cmd := &cobra.Command{
		Use:   "report <phase> --agent <name> [--verify] <file>|-",
		Short: "store an agent's report on a phase, and check what is owed",
		Long: `Stores a report on the phase's current iteration; --verify: by who verified it.
A phase is approved once every agent that was assigned to it, or launched for
it, has reported. What stands under "Knowledge" in it is learned, an item each,
such as "- avoid: ints as ids", with the checks of 'git brew learn'.`,
		Args: between(2, 2),
		RunE: r.store,
	}
	cmd.Flags().StringVar(&r.agent, "agent", "", "`name` of the agent that reports")
	cmd.Flags().BoolVar(&r.verify, "verify", false, "the report is on verifying the phase")
	dryRunFlag(r.env, dryRunHelp, cmd)
	cmd.AddCommand(r.list(), r.show(), r.check())
	taskFlag(cmd, &r.task)
	return cmd
}

func (r *reportCommand) store(cmd *cobra.Command, args []string) error {
	e := r.env
	if r.agent == "" {
		return usageOf(cmd, "a report needs --agent")
	}
	s, id, err := e.target(cmd.Context(), r.task)
	if err != nil {
		return err
	}
	text, err := e.text(args[1])
	if err != nil {
		return err
	}
	out, err := s.AddReport(cmd.Context(), id, workflow.ReportRequest{Phase: args[0], Agent: r.agent, Verify: r.verify, Text: text})
	if err != nil {
		return err
	}
	doc := struct {
		view.Change
		Path    string   `json:"path"`
		Missing []string `json:"missing"`
	}{newChange(cmd.Context(), s, out.Task, out.Phase, out.Notes()), out.Path, view.List(out.Missing)}
	doc.DryRun, doc.Undo = e.Flags.DryRun, e.undoneBy(cmd.Context())
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, doc)
	case e.Flags.Porcelain:
		return ui.Record(e.Out, out.Path)
	}
	return e.changed(cmd.Context(), s, doc.Change, "Stored %s", ui.Safe(out.Path))
}

// reportDocument is a report in JSON.
type reportDocument struct {
	Phase     string  `json:"phase"`
	Iteration int     `json:"iteration"`
	Verify    bool    `json:"verify"`
	Agent     string  `json:"agent"`
	At        string  `json:"at"`
	Path      string  `json:"path"`
	Text      *string `json:"text,omitempty"`
}

func newReportDocuments(reports []workflow.ReportView) []reportDocument {
	docs := make([]reportDocument, 0, len(reports))
	for _, r := range reports {
		doc := reportDocument{Phase: r.Phase, Iteration: r.Iteration, Verify: r.Verify, Agent: r.Agent, At: r.At, Path: r.Path}
		if r.Text != nil {
			text := string(r.Text)
			doc.Text = &text
		}
		docs = append(docs, doc)
	}
	return docs
}

// reportsDocument is `report list --json` and `report show --json`.
type reportsDocument struct {
	Task    task.ID          `json:"task"`
	Reports []reportDocument `json:"reports"`
}

func (r *reportCommand) list() *cobra.Command {
	return &cobra.Command{
		Use: "list [<phase>]", Short: "list the reports", Args: between(0, 1),
		Long: `Lists the reports, of a phase if one is named. Porcelain has path, phase,
iteration, agent and time.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			e := r.env
			s, id, ok, err := e.reading(cmd.Context(), r.task)
			if err != nil || !ok {
				return err
			}
			reports, err := s.Reports(cmd.Context(), id, workflow.ReportQuery{Phase: first(args)})
			if err != nil {
				return err
			}
			switch {
			case e.Flags.JSON:
				return ui.JSON(e.Out, reportsDocument{id, newReportDocuments(reports)})
			case e.Flags.Porcelain:
				for _, v := range reports {
					if err := ui.Record(e.Out, v.Path, v.Phase, fmt.Sprint(v.Iteration), v.Agent, v.At); err != nil {
						return err
					}
				}
				return nil
			case len(reports) == 0:
				e.hasNone(cmd.Context(), s, id, "reports", "git brew report PHASE --agent NAME -")
				return nil
			}
			for _, v := range reports {
				fmt.Fprintln(e.Out, ui.Safe(v.Path))
			}
			return nil
		},
	}
}

func (r *reportCommand) show() *cobra.Command {
	var q workflow.ReportQuery
	cmd := &cobra.Command{
		Use: "show <phase> [--agent <name>] [--iteration <n>]", Short: "print the reports on a phase", Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := r.env
			s, id, err := e.target(cmd.Context(), r.task)
			if err != nil {
				return err
			}
			q.Phase, q.Texts = args[0], true
			reports, err := s.Reports(cmd.Context(), id, q)
			if err != nil {
				return err
			}
			if e.Flags.JSON {
				return ui.JSON(e.Out, reportsDocument{id, newReportDocuments(reports)})
			}
			for i, v := range reports {
				if len(reports) > 1 {
					if i > 0 {
						fmt.Fprintln(e.Out)
					}
					fmt.Fprintf(e.Out, "==> %s <==\n", ui.Safe(v.Path))
				}
				if err := e.printText(v.Text); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&q.Agent, "agent", "", "only what the agent with this `name` reported")
	cmd.Flags().IntVar(&q.Iteration, "iteration", 0, "only what was reported on iteration `n`")
	return cmd
}

func (r *reportCommand) check() *cobra.Command {
	return &cobra.Command{
		Use: "check [<phase>]", Short: "check that every report on a phase is there", Args: between(0, 1),
		Long: `Checks that every agent that owes a report on a phase has stored one for this
iteration. Ends with 5 where one is missing, and names the path of each.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			e := r.env
			s, id, err := e.target(cmd.Context(), r.task)
			if err != nil {
				return err
			}
			p, err := s.CheckReports(cmd.Context(), id, first(args))
			if err != nil {
				return err
			}
			if e.Flags.JSON {
				return ui.JSON(e.Out, struct {
					Task    task.ID  `json:"task"`
					Phase   string   `json:"phase"`
					Missing []string `json:"missing"`
				}{id, p.ID, []string{}})
			}
			e.say("No report on phase %s is missing", ui.Safe(p.ID))
			return nil
		},
	}
}
