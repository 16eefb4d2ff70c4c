package work

import (
	"strconv"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Report() cli.Command { //nolint:funlen // a table
	var q phase.ReportQuery
	var r phase.ReportRequest
	return cli.Command{
		Use:   "report <phase> --agent <name> [--verify] <file>|-",
		Short: "store an agent's report on a phase, and check what is owed",
		Flags: []cli.Flag{
			cli.Opt("agent", &r.Agent, "`name` of the agent that reports"),
			cli.Opt("verify", &r.Verify, "the report is on verifying the phase"),
		},
		DryRun: cli.DryRunHelp,
		Check: func(c *cli.Call) error {
			if r.Agent == "" {
				return cli.UsageOf(c.Cmd, "a report needs --agent")
			}
			return nil
		},
		Task: func(c *cli.Call) (_ cli.Answer, err error) {
			r.Phase = c.Args[0]
			if r.Text, err = c.Text(c.Args[1]); err != nil {
				return cli.Answer{}, err
			}
			out, err := c.App.Phases.AddReport(c.Ctx, c.ID, r)
			doc := c.Change(out.Task, out.Phase, out.Notes)
			a := c.Changed(doc, "Stored %s", ui.Safe(out.Path))
			a.JSON = ui.Object{doc, "path", out.Path, "missing", out.Missing}
			a.Records = cli.Record(out.Path)
			return a, err
		},
		Subs: []cli.Command{
			{
				Use: "list [<phase>]", Short: "list the reports",
				Look: func(c *cli.Call) (cli.Answer, error) {
					reports, err := c.App.Phases.Reports(c.Ctx, c.ID, phase.ReportQuery{Phase: cli.FirstArg(c.Args)})
					return cli.Answer{
						JSON: view.Reports(c.ID, reports),
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
				},
			},
			{
				Use: "show <phase> [--agent <name>] [--iteration <n>]", Short: "print the reports on a phase",
				Flags: []cli.Flag{
					cli.Opt("agent", &q.Agent, "only what the agent with this `name` reported"),
					cli.Opt("iteration", &q.Iteration, "only what was reported on iteration `n`"),
				},
				Task: func(c *cli.Call) (cli.Answer, error) {
					q.Phase, q.Texts = c.Args[0], true
					reports, err := c.App.Phases.Reports(c.Ctx, c.ID, q)
					return cli.Answer{JSON: view.Reports(c.ID, reports), Text: func() {
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
				},
			},
			{
				Use: "check [<phase>]", Short: "check that every report on a phase is there",
				Task: func(c *cli.Call) (cli.Answer, error) {
					p, err := c.App.Phases.CheckReports(c.Ctx, c.ID, cli.FirstArg(c.Args))
					return cli.Answer{
						JSON: ui.Object{"task", c.ID, "phase", p.ID, "missing", []string{}},
						Text: func() { c.Say("No report on phase %s is missing", ui.Safe(p.ID)) },
					}, err
				},
			},
		},
	}
}
