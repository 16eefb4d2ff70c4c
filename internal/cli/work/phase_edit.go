package work

import (
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
)

func phaseEdit() cli.Command {
	var r phase.PhaseEditRequest
	var tier string
	return cli.Command{
		Use:   "edit [<phase>] <options>",
		Short: "change what a phase is called, needs and waits for",
		Long: `Changes a phase; what is not named stays. An agent can add commands that verify
a phase, which wait for your trust, but takes none out.`,
		Flags: []cli.Flag{
			cli.Opt("title", &r.Title, "the new `title`"),
			cli.Opt("tier", &tier, "the worker's `tier`: auto, junior, senior, executive"),
			cli.Opt("acceptance", &r.Acceptance, "`text` of what has to hold in the end, too; repeatable"),
			cli.Opt("no-acceptance", &r.NoAcceptance, "`text` of what has to hold no longer; repeatable"),
			cli.Opt("verify", &r.Verify, "a `command` that checks it, too; repeatable"),
			cli.Opt("no-verify", &r.NoVerify, "a `command` that checks it no longer; repeatable"),
			cli.Opt("agent", &r.Agents, "`name` of an agent that owes a report, too; repeatable"),
			cli.Opt("no-agent", &r.NoAgents, "`name` of an agent that owes none any more; repeatable"),
			cli.Opt("depends-on", &r.DependsOn, "a `phase` to be completed first, too; repeatable"),
			cli.Opt("no-depends-on", &r.NoLongerDepends, "a `phase` that it waits for no longer; repeatable"),
		},
		Check: func(*cli.Call) (err error) {
			if tier != "" {
				r.Tier, err = task.ParseTier(tier)
			}
			return err
		},
		Task: changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
			return c.App.Phases.EditPhase(c.Ctx, c.ID, cli.FirstArg(c.Args), r)
		}),
	}
}
