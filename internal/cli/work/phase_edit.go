package work

import (
	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
)

func (p *phaseCommand) edit() *cobra.Command {
	var r phase.PhaseEditRequest
	var tier string
	cmd := &cobra.Command{
		Use:   "edit [<phase>] <options>",
		Short: "change what a phase is called, needs and waits for",
		Long: `Changes a phase; what is not named stays. An agent can add commands that verify
a phase, which wait for your trust, but takes none out.`,
		Args: cli.Between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if tier != "" {
				var err error
				if r.Tier, err = task.ParseTier(tier); err != nil {
					return err
				}
			}
			return p.change(func(c *cli.Call) (phase.PhaseResult, error) {
				return c.App.Phases.EditPhase(c.Ctx, c.ID, cli.FirstArg(args), r)
			})(cmd, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.Title, "title", "", "the new `title`")
	f.StringVar(&tier, "tier", "", "the worker's `tier`: auto, junior, senior, executive")
	f.StringArrayVar(&r.Acceptance, "acceptance", nil, "`text` of what has to hold in the end, too; repeatable")
	f.StringArrayVar(&r.NoAcceptance, "no-acceptance", nil, "`text` of what has to hold no longer; repeatable")
	f.StringArrayVar(&r.Verify, "verify", nil, "a `command` that checks it, too; repeatable")
	f.StringArrayVar(&r.NoVerify, "no-verify", nil, "a `command` that checks it no longer; repeatable")
	f.StringArrayVar(&r.Agents, "agent", nil, "`name` of an agent that owes a report, too; repeatable")
	f.StringArrayVar(&r.NoAgents, "no-agent", nil, "`name` of an agent that owes none any more; repeatable")
	f.StringArrayVar(&r.DependsOn, "depends-on", nil, "a `phase` to be completed first, too; repeatable")
	f.StringArrayVar(&r.NoLongerDepends, "no-depends-on", nil, "a `phase` that it waits for no longer; repeatable")
	return cmd
}
