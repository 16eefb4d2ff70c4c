package work

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
	"github.com/git-brew/git-brew/internal/ui"
)

func Question() cli.Command {
	var n int
	text := ""
	return cli.Command{
		Use:   "question list|add|resolve",
		Short: "the open questions of a task",
		Subs: []cli.Command{
			{
				Use: "list", Short: "list the questions, with their numbers",
				Look: func(c *cli.Call) (cli.Answer, error) {
					all, err := c.App.Documents.Questions(c.Ctx, c.ID)
					return questionsAnswer(c, all), err
				},
			},
			{
				Use: "add <question>", Short: "add an open question",
				Task: func(c *cli.Call) (cli.Answer, error) {
					t, err := c.App.Documents.AddQuestion(c.Ctx, c.ID, c.Args[0])
					return c.Wrote(t, "Added a question; %s", questionCount(t)), err
				},
			},
			{
				Use: "resolve <n> [-m <answer>]", Short: "tick an open question off, by its number in question list",
				Flags: []cli.Flag{cli.Opt("m, message", &text, "keep the `answer` beside it")},
				Check: func(c *cli.Call) (err error) {
					if n, err = strconv.Atoi(c.Args[0]); err != nil {
						return cli.UsageOf(c.Cmd, fmt.Sprintf("%q is no number", c.Args[0]))
					}
					return nil
				},
				Task: func(c *cli.Call) (cli.Answer, error) {
					t, err := c.App.Documents.ResolveQuestion(c.Ctx, c.ID, n, text)
					return c.Wrote(t, "Resolved question %d; %s", n, questionCount(t)), err
				},
			},
		},
	}
}

func questionsAnswer(c *cli.Call, all []question.Question) cli.Answer {
	return cli.Answer{
		JSON: ui.Object{"task", c.ID, "questions", all},
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

func questionCount(t task.Task) string {
	return fmt.Sprintf("%d of %d open", t.Questions.Open, t.Questions.Total)
}
