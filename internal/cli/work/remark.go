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
		Use: "remark <command> [<args>]", Short: "what reviewers say of a document or a phase",
		Subs: []cli.Command{
			{
				Use:   "add <board> <text> [--severity <how>] [--reviewer <name>]",
				Short: "say what is wrong with a document or a phase",
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
				Use:    "confirm <remark>...|<board> [<options>]",
				Short:  "say that remarks are right, or that a board has nothing grave left",
				Flags:  []cli.Flag{reviewer(&vote.Reviewer), cli.Opt("m, message", &vote.Reason, "say `why`")},
				DryRun: cli.DryRunHelp,
				Check:  checkReviewer,
				Task: changeRemarks("Confirmed", func(c *cli.Call) (review.BoardResult, error) {
					vote.About = c.Args
					return c.App.Reviews.Vote(c.Ctx, c.ID, vote)
				}),
			},
			{
				Use: "reject <remark>... -m <why> [--reviewer <name>]", Short: "say that remarks are not right",
				Flags:  []cli.Flag{cli.Opt("m, message", &vote.Reason, "say `why`"), reviewer(&vote.Reviewer)},
				DryRun: cli.DryRunHelp,
				Check:  checkReviewer,
				Task: changeRemarks("Rejected", func(c *cli.Call) (review.BoardResult, error) {
					vote.About, vote.Against = c.Args, true
					return c.App.Reviews.Vote(c.Ctx, c.ID, vote)
				}),
			},
			{
				Use: "resolve <remark>... [-m <how>]", Short: "say that something was done about remarks",
				Flags:  []cli.Flag{cli.Opt("m, message", &vote.Reason, "say `how`")},
				DryRun: cli.DryRunHelp,
				Task: changeRemarks("Resolved", func(c *cli.Call) (review.BoardResult, error) {
					return c.App.Reviews.ResolveRemarks(c.Ctx, c.ID, c.Args, vote.Reason)
				}),
			},
			{
				Use: "tally [<board>]", Short: "count what was said: READY, or why not",
				Look: func(c *cli.Call) (cli.Answer, error) {
					all, err := c.App.Reviews.Tallies(c.Ctx, c.ID, cli.FirstArg(c.Args))
					return talliesAnswer(c, all), err
				},
			},
			{
				Use: "list [<board>] [--open]", Short: "list the remarks",
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
				Use: "show <remark>", Short: "print a remark, and who says what about it",
				Task: func(c *cli.Call) (cli.Answer, error) {
					remark, err := c.App.Reviews.Remark(c.Ctx, c.ID, c.Args[0])
					return remarkAnswer(c, remark), err
				},
			},
		},
	}
}

func reviewer(name *string) cli.Flag {
	return cli.Opt("reviewer", name, "`name` of who says so; else it is the user")
}

// checkReviewer refuses an empty name, as of a script's variable that is not set: it is
// not the user's word.
func checkReviewer(c *cli.Call) error {
	name := c.Cmd.Flags().Lookup("reviewer")
	if name.Changed && strings.TrimSpace(name.Value.String()) == "" {
		return cli.Misused("--reviewer is empty", "give the reviewer's name, or leave it out to speak as the user")
	}
	return nil
}

// changeRemarks is a command that changes what was said on a board, and tells what it came to.
func changeRemarks(did string, does func(*cli.Call) (review.BoardResult, error)) cli.Action {
	return func(c *cli.Call) (cli.Answer, error) {
		out, err := does(c)
		return boardAnswer(c, did, out), err
	}
}
