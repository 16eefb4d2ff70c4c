package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
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
		RunE: r.store(),
	}
	cmd.Flags().StringVar(&r.agent, "agent", "", "`name` of the agent that reports")
	cmd.Flags().BoolVar(&r.verify, "verify", false, "the report is on verifying the phase")
	dryRunFlag(r.env, dryRunHelp, cmd)
	cmd.AddCommand(r.list(), r.show(), r.check())
	taskFlag(cmd, &r.task)
	return cmd
}

func (r *reportCommand) store() runE {
	return func(cmd *cobra.Command, args []string) error {
		if r.agent == "" {
			return usageOf(cmd, "a report needs --agent")
		}
		return r.env.onTask(&r.task, func(c *call) (answer, error) {
			text, err := c.text(args[1])
			if err != nil {
				return answer{}, err
			}
			request := phase.ReportRequest{Phase: args[0], Agent: r.agent, Verify: r.verify, Text: text}
			out, err := c.s.Phases.AddReport(c.ctx, c.id, request)
			if err != nil {
				return answer{}, err
			}
			doc := c.change(out.Task, out.Phase, out.Notes())
			a := c.changed(doc, "Stored %s", ui.Safe(out.Path))
			a.JSON, a.Records = view.StoredReport{Change: doc, Path: out.Path, Missing: view.List(out.Missing)}, record(out.Path)
			return a, nil
		})(cmd, args)
	}
}

func (r *reportCommand) list() *cobra.Command {
	return &cobra.Command{
		Use: "list [<phase>]", Short: "list the reports", Args: between(0, 1),
		Long: `Lists the reports, of a phase if one is named. Porcelain has path, phase,
iteration, agent and time.`,
		RunE: r.env.looksAt(&r.task, func(c *call) (answer, error) {
			reports, err := c.s.Phases.Reports(c.ctx, c.id, phase.ReportQuery{Phase: first(c.args)})
			return answer{
				JSON: view.NewReports(c.id, reports),
				Records: each(reports, func(v phase.ReportView) []string {
					return []string{v.Path, v.Phase, strconv.Itoa(v.Iteration), v.Agent, v.At}
				}),
				Text: func() {
					if len(reports) == 0 {
						c.hasNone("reports", "git brew report PHASE --agent NAME -")
					}
					for _, v := range reports {
						c.line(ui.Safe(v.Path))
					}
				},
			}, err
		}),
	}
}

func (r *reportCommand) show() *cobra.Command {
	var q phase.ReportQuery
	cmd := &cobra.Command{
		Use: "show <phase> [--agent <name>] [--iteration <n>]", Short: "print the reports on a phase", Args: between(1, 1),
		RunE: r.env.onTask(&r.task, func(c *call) (answer, error) {
			q.Phase, q.Texts = c.args[0], true
			reports, err := c.s.Phases.Reports(c.ctx, c.id, q)
			return answer{JSON: view.NewReports(c.id, reports), Text: func() {
				for i, v := range reports {
					if i > 0 {
						c.line("")
					}
					if len(reports) > 1 {
						c.line("==> " + ui.Safe(v.Path) + " <==")
					}
					c.printText(v.Text)
				}
			}}, err
		}),
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
		RunE: r.env.onTask(&r.task, func(c *call) (answer, error) {
			p, err := c.s.Phases.CheckReports(c.ctx, c.id, first(c.args))
			return answer{
				JSON: view.MissingReports{Task: c.id, Phase: p.ID, Missing: []string{}},
				Text: func() { c.say("No report on phase %s is missing", ui.Safe(p.ID)) },
			}, err
		}),
	}
}
