package work

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// questionCommand is what the question commands share.
type questionCommand struct {
	env  *cli.Env
	task string // --task
}

func NewQuestionCmd(e *cli.Env) *cobra.Command {
	g := &questionCommand{env: e}
	cmd := &cobra.Command{
		Use:   "question list|add|resolve",
		Short: "the open questions of a task",
		Long: `A question is to be answered before the work begins. The questions are the
boxes under the heading "Open Questions" of the document context.`,
	}
	cmd.AddCommand(g.list(), g.add(), g.resolve())
	cli.TaskFlag(cmd, &g.task)
	return cmd
}

func (g *questionCommand) list() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "list the questions, with their numbers", Args: cli.Between(0, 0),
		Long: `Lists the questions, with their numbers. Porcelain has number, open or
resolved, and text.`,
		RunE: g.env.LooksAt(&g.task, func(c *cli.Call) (cli.Answer, error) {
			all, err := c.App.Documents.Questions(c.Ctx, c.ID)
			return questionsAnswer(c, all), err
		}),
	}
}

func questionsAnswer(c *cli.Call, all []question.Question) cli.Answer {
	return cli.Answer{
		JSON: view.Questions{Task: c.ID, Questions: view.List(all)},
		Records: cli.Each(all, func(q question.Question) []string {
			state := "resolved"
			if q.Open {
				state = "open"
			}
			return []string{strconv.Itoa(q.N), state, q.Text}
		}),
		Text: func() {
			if len(all) == 0 {
				c.HasNone("questions", "git brew question add QUESTION")
			}
			for _, q := range all {
				box := "[x]"
				if q.Open {
					box = "[ ]"
				}
				c.Tell("%2d %s %s\n", q.N, box, ui.Safe(q.Text))
			}
			if i := slices.IndexFunc(all, func(q question.Question) bool { return q.Open }); i >= 0 {
				c.Next("git brew question resolve %d -m ANSWER", all[i].N)
			}
		},
	}
}

func (g *questionCommand) add() *cobra.Command {
	return &cobra.Command{
		Use: "add <question>", Short: "add an open question", Args: cli.Between(1, 1),
		RunE: g.env.OnTask(&g.task, func(c *cli.Call) (cli.Answer, error) {
			t, err := c.App.Documents.AddQuestion(c.Ctx, c.ID, c.Args[0])
			return c.Wrote(t, "Added a question; %s", questionCount(t)), err
		}),
	}
}

func (g *questionCommand) resolve() *cobra.Command {
	text := ""
	cmd := &cobra.Command{
		Use: "resolve <n> [-m <answer>]", Short: "tick an open question off, by its number in question list",
		Args: cli.Between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil {
				return cli.UsageOf(cmd, fmt.Sprintf("%q is no number", args[0]))
			}
			return g.env.OnTask(&g.task, func(c *cli.Call) (cli.Answer, error) {
				t, err := c.App.Documents.ResolveQuestion(c.Ctx, c.ID, n, text)
				return c.Wrote(t, "Resolved question %d; %s", n, questionCount(t)), err
			})(cmd, args)
		},
	}
	cli.MessageFlag(cmd, &text, "keep the `answer` beside it")
	return cmd
}

func questionCount(t task.Task) string {
	return fmt.Sprintf("%d of %d open", t.Questions.Open, t.Questions.Total)
}
