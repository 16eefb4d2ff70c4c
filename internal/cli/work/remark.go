package work

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

func Remark() cli.Command { //nolint:funlen // a table
	var open bool
	r := review.RemarkRequest{Severity: task.Major}
	var vote review.VoteRequest
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
			{
				Use:   "add <board> <text> [--severity <how>] [--reviewer <name>]",
				Short: "say what is wrong with a document or a phase",
				Long: `Records what a reviewer found; who finds the same confirms that. The board is a
document (spec, plan, phases/2/plan) or a phase (2, FR).`,
				Flags: []cli.Flag{
					cli.Opt("severity", (*string)(&r.Severity), "`how` grave: critical, major, minor, info; else major"),
					cli.Opt("file", &r.Where, "the `place`, as FILE or FILE:LINE"),
					reviewer(&r.Reviewer),
				},
				DryRun: cli.DryRunHelp,
				Check: func(c *cli.Call) (err error) {
					if r.Severity, err = task.ParseSeverity(string(r.Severity)); err != nil {
						return err
					}
					r.On, r.Text = c.Args[0], c.Args[1]
					return checkReviewer(c)
				},
				Task: changeRemarks("Kept", func(c *cli.Call) (review.BoardResult, error) {
					return c.App.Reviews.AddRemark(c.Ctx, c.ID, r)
				}),
			},
			{
				Use:   "confirm <remark>...|<board> [<options>]",
				Short: "say that remarks are right, or that a board has nothing grave left",
				Long: `Of remarks: a reviewer agrees, or says that what was resolved is there still;
the user's word makes them count, however many reviewers agree. Of a document or
a phase: a reviewer finds nothing grave in it, or the user takes it as it is,
which needs a reason where its board is not READY.`,
				Flags:  []cli.Flag{reviewer(&vote.Reviewer), cli.Opt("m, message", &vote.Reason, "say `why`")},
				DryRun: cli.DryRunHelp,
				Check:  checkReviewer,
				Task: changeRemarks("Confirmed", func(c *cli.Call) (review.BoardResult, error) {
					vote.About = c.Args
					return c.App.Reviews.Vote(c.Ctx, c.ID, vote)
				}),
			},
			{
				Use:   "reject <remark>... -m <why> [--reviewer <name>]",
				Short: "say that remarks are not right",
				Long: `A reviewer disagrees, and takes back a vote of their own; by the user's word
nothing is to be done about them.`,
				Flags:  []cli.Flag{cli.Opt("m, message", &vote.Reason, "say `why`"), reviewer(&vote.Reviewer)},
				DryRun: cli.DryRunHelp,
				Check:  checkReviewer,
				Task: changeRemarks("Rejected", func(c *cli.Call) (review.BoardResult, error) {
					vote.About, vote.Against = c.Args, true
					return c.App.Reviews.Vote(c.Ctx, c.ID, vote)
				}),
			},
			{
				Use:   "resolve <remark>... [-m <how>]",
				Short: "say that something was done about remarks",
				Long: `With the last one that kept a board from being READY a round ends: the reviewers
look again.`,
				Flags:  []cli.Flag{cli.Opt("m, message", &vote.Reason, "say `how`")},
				DryRun: cli.DryRunHelp,
				Task: changeRemarks("Resolved", func(c *cli.Call) (review.BoardResult, error) {
					return c.App.Reviews.ResolveRemarks(c.Ctx, c.ID, c.Args, vote.Reason)
				}),
			},
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
			{
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
			},
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

// reviewer is the option of who says something.
func reviewer(name *string) cli.Flag {
	return cli.Opt("reviewer", name, "`name` of who says so; else it is the user")
}

// checkReviewer refuses an empty name, as of a script's variable that is not set: it is
// not the user's word.
func checkReviewer(c *cli.Call) error {
	name := c.Cmd.Flags().Lookup("reviewer")
	if name.Changed && strings.TrimSpace(name.Value.String()) == "" {
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
