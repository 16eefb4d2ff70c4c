package work

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// remarkOptions say who speaks, and why; nobody is the user.
type remarkOptions struct{ reviewer, reason string }

func Remark() cli.Command {
	return cli.Command{
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
		Subs: []cli.Command{
			remarkAdd(),
			remarkConfirm(),
			remarkReject(),
			remarkResolve(),
			{
				Use:   "tally [<board>]",
				Short: "count what was said: READY, or why not",
				Long: `Prints who spoke on a board, each remark with its votes, and the verdict: READY,
REVIEW (reviewers have to speak), CHANGES (something grave counts and is open),
ASK (so it is after three rounds). Ends with 5 unless all are READY.

Porcelain has board, verdict, round, how many spoke, how many have to, and why.`,
				Look: func(c *cli.Call) (cli.Answer, error) {
					all, err := c.App.Reviews.Tallies(c.Ctx, c.ID, cli.FirstArg(c.Args))
					return talliesAnswer(c, all), err
				},
			},
			remarkList(),
			{
				Use:   "show <remark>",
				Short: "print a remark, and who says what about it",
				Task: func(c *cli.Call) (cli.Answer, error) {
					remark, err := c.App.Reviews.Remark(c.Ctx, c.ID, c.Args[0])
					return remarkAnswer(c, remark), err
				},
			},
		},
	}
}

// flag is the option of who says something.
func (o *remarkOptions) flag() cli.Flag {
	return cli.Opt("reviewer", &o.reviewer, "`name` of who says so; else it is the user")
}

// check refuses an empty name, as of a script's variable that is not set: it is not the
// user's word.
func (o *remarkOptions) check(c *cli.Call) error {
	if c.Cmd.Flags().Changed("reviewer") && strings.TrimSpace(o.reviewer) == "" {
		return &cli.UsageError{
			Msg:  "--reviewer is empty",
			Hint: "give the reviewer's name, or leave it out to speak as the user",
		}
	}
	return nil
}

// changeRemarks is a command that changes what was said on a board, and tells what it came to.
func changeRemarks(did string, does func(*cli.Call) (review.BoardResult, error)) cli.Action {
	return func(c *cli.Call) (cli.Answer, error) {
		out, err := does(c)
		if err != nil {
			return cli.Answer{}, err
		}
		return boardAnswer(c, did, out), nil
	}
}

func remarkAdd() cli.Command {
	var o remarkOptions
	r := review.RemarkRequest{Severity: task.Major}
	return cli.Command{
		Use:   "add <board> <text> [--severity <how>] [--reviewer <name>]",
		Short: "say what is wrong with a document or a phase",
		Long: `Records what a reviewer found; who finds the same confirms that. The board is a
document (spec, plan, phases/2/plan) or a phase (2, FR).`,
		Flags: []cli.Flag{
			cli.Opt("severity", (*string)(&r.Severity), "`how` grave: critical, major, minor, info; else major"),
			cli.Opt("file", &r.Where, "the `place`, as FILE or FILE:LINE"),
			o.flag(),
		},
		DryRun: cli.DryRunHelp,
		Check: func(c *cli.Call) (err error) {
			if r.Severity, err = task.ParseSeverity(string(r.Severity)); err != nil {
				return err
			}
			r.On, r.Text, r.Reviewer = c.Args[0], c.Args[1], o.reviewer
			return o.check(c)
		},
		Task: changeRemarks("Kept", func(c *cli.Call) (review.BoardResult, error) {
			return c.App.Reviews.AddRemark(c.Ctx, c.ID, r)
		}),
	}
}

func remarkConfirm() cli.Command {
	var o remarkOptions
	return cli.Command{
		Use:   "confirm <remark>...|<board> [<options>]",
		Short: "say that remarks are right, or that a board has nothing grave left",
		Long: `Of remarks: a reviewer agrees, or says that what was resolved is there still;
the user's word makes them count, however many reviewers agree. Of a document or
a phase: a reviewer finds nothing grave in it, or the user takes it as it is,
which needs a reason where its board is not READY.`,
		Flags: []cli.Flag{o.flag(), cli.Opt("m, message", &o.reason, "say `why`")}, DryRun: cli.DryRunHelp, Check: o.check,
		Task: changeRemarks("Confirmed", func(c *cli.Call) (review.BoardResult, error) {
			return c.App.Reviews.Vote(c.Ctx, c.ID, review.VoteRequest{About: c.Args, Reviewer: o.reviewer, Reason: o.reason})
		}),
	}
}

func remarkReject() cli.Command {
	var o remarkOptions
	return cli.Command{
		Use:   "reject <remark>... -m <why> [--reviewer <name>]",
		Short: "say that remarks are not right",
		Long: `A reviewer disagrees, and takes back a vote of their own; by the user's word
nothing is to be done about them.`,
		Flags: []cli.Flag{cli.Opt("m, message", &o.reason, "say `why`"), o.flag()}, DryRun: cli.DryRunHelp, Check: o.check,
		Task: changeRemarks("Rejected", func(c *cli.Call) (review.BoardResult, error) {
			return c.App.Reviews.Vote(c.Ctx, c.ID,
				review.VoteRequest{About: c.Args, Reviewer: o.reviewer, Against: true, Reason: o.reason})
		}),
	}
}

func remarkResolve() cli.Command {
	var how string
	return cli.Command{
		Use:   "resolve <remark>... [-m <how>]",
		Short: "say that something was done about remarks",
		Long: `With the last one that kept a board from being READY a round ends: the reviewers
look again.`,
		Flags: []cli.Flag{cli.Opt("m, message", &how, "say `how`")}, DryRun: cli.DryRunHelp,
		Task: changeRemarks("Resolved", func(c *cli.Call) (review.BoardResult, error) {
			return c.App.Reviews.ResolveRemarks(c.Ctx, c.ID, c.Args, how)
		}),
	}
}

func remarkList() cli.Command {
	var open bool
	return cli.Command{
		Use:   "list [<board>] [--open]",
		Short: "list the remarks",
		Long: `Lists the remarks, of a board if one is named. Porcelain has number, board,
severity, open, resolved or rejected, whether it counts, who is for it, place
and text.`,
		Flags: []cli.Flag{cli.Opt("open", &open, "only those that are open")},
		Look: func(c *cli.Call) (cli.Answer, error) {
			boards, err := c.App.Reviews.Tallies(c.Ctx, c.ID, cli.FirstArg(c.Args))
			var all []rules.TalliedRemark
			for _, t := range boards {
				all = append(all, t.Remarks...)
			}
			if open {
				all = slices.DeleteFunc(all, func(r rules.TalliedRemark) bool { return !r.Open() })
			}
			return remarksAnswer(c, all), err
		},
	}
}
