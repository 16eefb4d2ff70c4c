package work

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// remarkCommand is what the remark commands share.
type remarkCommand struct {
	env      *cli.Env
	task     string // --task
	reviewer string
	reason   string
}

func NewRemarkCmd(e *cli.Env) *cobra.Command {
	r := &remarkCommand{env: e}
	cmd := &cobra.Command{
		Use:   "remark <command> [<args>]",
		Short: "what reviewers say of a document or a phase",
		Long: `Several reviewers look at a document or at a phase's work: its board. A remark
counts once enough of them made or confirmed it; where the user confirms or
rejects it, that decides. READY is what has no critical or major remark that
counts and is open. After three rounds the user is asked.`,
		Example: `  git brew remark add plan "no way back" --severity major --reviewer ann
  git brew remark confirm 1 --reviewer bob
  git brew remark confirm plan --reviewer cid
  git brew remark tally plan`,
	}
	writing := []*cobra.Command{r.add(), r.confirm(), r.reject(), r.resolve()}
	cli.DryRunFlag(e, cli.DryRunHelp, writing...)
	cmd.AddCommand(writing...)
	cmd.AddCommand(r.tally(), r.list(), r.show())
	cli.TaskFlag(cmd, &r.task)
	return cmd
}

// speaks gives commands the options of who says something. An empty name, as of a
// script's variable that is not set, is not the user's word.
func (r *remarkCommand) speaks(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.reviewer, "reviewer", "", "`name` of who says so; else it is the user")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("reviewer") && strings.TrimSpace(r.reviewer) == "" {
			return &cli.UsageError{
				Msg:  "--reviewer is empty",
				Hint: "give the reviewer's name, or leave it out to speak as the user",
			}
		}
		return nil
	}
}

// change is a command that changes what was said on a board, and tells what it came to.
func (r *remarkCommand) change(did string, does func(*cli.Call) (review.BoardResult, error)) cli.RunE {
	return r.env.OnTask(&r.task, func(c *cli.Call) (cli.Answer, error) {
		out, err := does(c)
		if err != nil {
			return cli.Answer{}, err
		}
		return boardAnswer(c, did, out), nil
	})
}

func (r *remarkCommand) add() *cobra.Command {
	var o struct{ severity, file string }
	cmd := &cobra.Command{
		Use:   "add <board> <text> [--severity <how>] [--reviewer <name>]",
		Short: "say what is wrong with a document or a phase",
		Long: `Records what a reviewer found; who finds the same confirms that. The board is a
document (spec, plan, phases/2/plan) or a phase (2, FR).`,
		Args: cli.Between(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			severity, err := task.ParseSeverity(o.severity)
			if err != nil {
				return err
			}
			said := review.RemarkRequest{On: args[0], Reviewer: r.reviewer, Severity: severity, Text: args[1], Where: o.file}
			return r.change("Kept", func(c *cli.Call) (review.BoardResult, error) {
				return c.App.Reviews.AddRemark(c.Ctx, c.ID, said)
			})(cmd, args)
		},
	}
	cmd.Flags().StringVar(&o.severity, "severity", string(task.Major),
		"`how` grave: critical, major, minor, info; else major")
	cmd.Flags().StringVar(&o.file, "file", "", "the `place`, as FILE or FILE:LINE")
	r.speaks(cmd)
	return cmd
}

func (r *remarkCommand) confirm() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "confirm <remark>...|<board> [<options>]",
		Short: "say that remarks are right, or that a board has nothing grave left",
		Long: `Of remarks: a reviewer agrees, or says that what was resolved is there still;
the user's word makes them count, however many reviewers agree. Of a document or
a phase: a reviewer finds nothing grave in it, or the user takes it as it is,
which needs a reason where its board is not READY.`,
		Args: cli.Between(1, -1),
		RunE: r.change("Confirmed", func(c *cli.Call) (review.BoardResult, error) {
			return c.App.Reviews.Vote(c.Ctx, c.ID, review.VoteRequest{About: c.Args, Reviewer: r.reviewer, Reason: r.reason})
		}),
	}
	r.speaks(cmd)
	cli.MessageFlag(cmd, &r.reason, "say `why`")
	return cmd
}

func (r *remarkCommand) reject() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reject <remark>... -m <why> [--reviewer <name>]",
		Short: "say that remarks are not right",
		Long: `A reviewer disagrees, and takes back a vote of their own; by the user's word
nothing is to be done about them.`,
		Args: cli.Between(1, -1),
		RunE: r.change("Rejected", func(c *cli.Call) (review.BoardResult, error) {
			return c.App.Reviews.Vote(c.Ctx, c.ID,
				review.VoteRequest{About: c.Args, Reviewer: r.reviewer, Against: true, Reason: r.reason})
		}),
	}
	cli.MessageFlag(cmd, &r.reason, "say `why`")
	r.speaks(cmd)
	return cmd
}

func (r *remarkCommand) resolve() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resolve <remark>... [-m <how>]",
		Short: "say that something was done about remarks",
		Long: `With the last one that kept a board from being READY a round ends: the reviewers
look again.`,
		Args: cli.Between(1, -1),
		RunE: r.change("Resolved", func(c *cli.Call) (review.BoardResult, error) {
			return c.App.Reviews.ResolveRemarks(c.Ctx, c.ID, c.Args, r.reason)
		}),
	}
	cli.MessageFlag(cmd, &r.reason, "say `how`")
	return cmd
}

func (r *remarkCommand) tally() *cobra.Command {
	return &cobra.Command{
		Use:   "tally [<board>]",
		Short: "count what was said: READY, or why not",
		Long: `Prints who spoke on a board, each remark with its votes, and the verdict: READY,
REVIEW (reviewers have to speak), CHANGES (something grave counts and is open),
ASK (so it is after three rounds). Ends with 5 unless all are READY.

Porcelain has board, verdict, round, how many spoke, how many have to, and why.`,
		Args: cli.Between(0, 1),
		RunE: r.env.LooksAt(&r.task, func(c *cli.Call) (cli.Answer, error) {
			all, err := c.App.Reviews.Tallies(c.Ctx, c.ID, cli.FirstArg(c.Args))
			return talliesAnswer(c, all), err
		}),
	}
}

func (r *remarkCommand) list() *cobra.Command {
	var open bool
	cmd := &cobra.Command{
		Use:   "list [<board>] [--open]",
		Short: "list the remarks",
		Long: `Lists the remarks, of a board if one is named. Porcelain has number, board,
severity, open, resolved or rejected, whether it counts, who is for it, place
and text.`,
		Args: cli.Between(0, 1),
		RunE: r.env.LooksAt(&r.task, func(c *cli.Call) (cli.Answer, error) {
			boards, err := c.App.Reviews.Tallies(c.Ctx, c.ID, cli.FirstArg(c.Args))
			var all []rules.TalliedRemark
			for _, t := range boards {
				all = append(all, t.Remarks...)
			}
			if open {
				all = slices.DeleteFunc(all, func(r rules.TalliedRemark) bool { return !r.Open() })
			}
			return remarksAnswer(c, all), err
		}),
	}
	cmd.Flags().BoolVar(&open, "open", false, "only those that are open")
	return cmd
}

func (r *remarkCommand) show() *cobra.Command {
	return &cobra.Command{
		Use:   "show <remark>",
		Short: "print a remark, and who says what about it",
		Args:  cli.Between(1, 1),
		RunE: r.env.OnTask(&r.task, func(c *cli.Call) (cli.Answer, error) {
			remark, err := c.App.Reviews.Remark(c.Ctx, c.ID, c.Args[0])
			return remarkAnswer(c, remark), err
		}),
	}
}
