package work

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// reportCommand is what the report commands share.
type reportCommand struct {
	env    *cli.Env
	task   string // --task
	agent  string
	verify bool
}

func NewReportCmd(e *cli.Env) *cobra.Command {
	r := &reportCommand{env: e}
	cmd := &cobra.Command{
		Use:   "report <phase> --agent <name> [--verify] <file>|-",
		Short: "store an agent's report on a phase, and check what is owed",
		Long: `Stores a report on the phase's current iteration; --verify: by who verified it.
A phase is approved once every agent that was assigned to it, or launched for
it, has reported. What stands under "Knowledge" in it is learned, an item each,
such as "- avoid: ints as ids", with the checks of 'git brew learn'.`,
		Args: cli.Between(2, 2),
		RunE: r.store(),
	}
	cmd.Flags().StringVar(&r.agent, "agent", "", "`name` of the agent that reports")
	cmd.Flags().BoolVar(&r.verify, "verify", false, "the report is on verifying the phase")
	cli.DryRunFlag(r.env, cli.DryRunHelp, cmd)
	cmd.AddCommand(r.list(), r.show(), r.check())
	cli.TaskFlag(cmd, &r.task)
	return cmd
}

func (r *reportCommand) store() cli.RunE {
	return func(cmd *cobra.Command, args []string) error {
		if r.agent == "" {
			return cli.UsageOf(cmd, "a report needs --agent")
		}
		return r.env.OnTask(&r.task, func(c *cli.Call) (cli.Answer, error) {
			text, err := c.Text(args[1])
			if err != nil {
				return cli.Answer{}, err
			}
			request := phase.ReportRequest{Phase: args[0], Agent: r.agent, Verify: r.verify, Text: text}
			out, err := c.App.Phases.AddReport(c.Ctx, c.ID, request)
			if err != nil {
				return cli.Answer{}, err
			}
			doc := c.Change(out.Task, out.Phase, out.Notes())
			a := c.Changed(doc, "Stored %s", ui.Safe(out.Path))
			a.JSON, a.Records = view.StoredReport{Change: doc, Path: out.Path, Missing: view.List(out.Missing)},
				cli.Record(out.Path)
			return a, nil
		})(cmd, args)
	}
}

func (r *reportCommand) list() *cobra.Command {
	return &cobra.Command{
		Use: "list [<phase>]", Short: "list the reports", Args: cli.Between(0, 1),
		Long: `Lists the reports, of a phase if one is named. Porcelain has path, phase,
iteration, agent and time.`,
		RunE: r.env.LooksAt(&r.task, func(c *cli.Call) (cli.Answer, error) {
			reports, err := c.App.Phases.Reports(c.Ctx, c.ID, phase.ReportQuery{Phase: cli.FirstArg(c.Args)})
			return cli.Answer{
				JSON: view.NewReports(c.ID, reports),
				Records: cli.Each(reports, func(v phase.ReportView) []string {
					return []string{v.Path, v.Phase, strconv.Itoa(v.Iteration), v.Agent, v.At}
				}),
				Text: func() {
					if len(reports) == 0 {
						c.HasNone("reports", "git brew report PHASE --agent NAME -")
					}
					for _, v := range reports {
						c.Line(ui.Safe(v.Path))
					}
				},
			}, err
		}),
	}
}

func (r *reportCommand) show() *cobra.Command {
	var q phase.ReportQuery
	cmd := &cobra.Command{
		Use: "show <phase> [--agent <name>] [--iteration <n>]", Short: "print the reports on a phase",
		Args: cli.Between(1, 1),
		RunE: r.env.OnTask(&r.task, func(c *cli.Call) (cli.Answer, error) {
			q.Phase, q.Texts = c.Args[0], true
			reports, err := c.App.Phases.Reports(c.Ctx, c.ID, q)
			return cli.Answer{JSON: view.NewReports(c.ID, reports), Text: func() {
				for i, v := range reports {
					if i > 0 {
						c.Line("")
					}
					if len(reports) > 1 {
						c.Line("==> " + ui.Safe(v.Path) + " <==")
					}
					cli.PrintText(c.Env, v.Text)
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
		Use: "check [<phase>]", Short: "check that every report on a phase is there", Args: cli.Between(0, 1),
		Long: `Checks that every agent that owes a report on a phase has stored one for this
iteration. Ends with 5 where one is missing, and names the path of each.`,
		RunE: r.env.OnTask(&r.task, func(c *cli.Call) (cli.Answer, error) {
			p, err := c.App.Phases.CheckReports(c.Ctx, c.ID, cli.FirstArg(c.Args))
			return cli.Answer{
				JSON: view.MissingReports{Task: c.ID, Phase: p.ID, Missing: []string{}},
				Text: func() { c.Say("No report on phase %s is missing", ui.Safe(p.ID)) },
			}, err
		}),
	}
}
