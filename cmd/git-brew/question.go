package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// questionCommand is what the question commands share.
type questionCommand struct {
	env  *env
	task string // --task
}

func newQuestionCmd(e *env) *cobra.Command {
	g := &questionCommand{env: e}
	cmd := &cobra.Command{
		Use:   "question list|add|resolve",
		Short: "the open questions of a task",
		Long: `A question is to be answered before the work begins. The questions are the
boxes under the heading "Open Questions" of the document context.`,
	}
	cmd.AddCommand(g.list(), g.add(), g.resolve())
	taskFlag(cmd, &g.task)
	return cmd
}

func (g *questionCommand) list() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "list the questions, with their numbers", Args: between(0, 0),
		Long: `Lists the questions, with their numbers. Porcelain has number, open or
resolved, and text.`,
		RunE: g.env.looksAt(&g.task, func(c *call) (answer, error) {
			all, err := c.s.Documents.Questions(c.ctx, c.id)
			return questionsAnswer(c, all), err
		}),
	}
}

func questionsAnswer(c *call, all []task.Question) answer {
	return answer{
		JSON: view.Questions{Task: c.id, Questions: view.List(all)},
		Records: each(all, func(q task.Question) []string {
			state := "resolved"
			if q.Open {
				state = "open"
			}
			return []string{strconv.Itoa(q.N), state, q.Text}
		}),
		Text: func() {
			if len(all) == 0 {
				c.hasNone("questions", "git brew question add QUESTION")
			}
			for _, q := range all {
				box := "[x]"
				if q.Open {
					box = "[ ]"
				}
				c.tell("%2d %s %s\n", q.N, box, ui.Safe(q.Text))
			}
			if i := slices.IndexFunc(all, func(q task.Question) bool { return q.Open }); i >= 0 {
				c.next("git brew question resolve %d -m ANSWER", all[i].N)
			}
		},
	}
}

func (g *questionCommand) add() *cobra.Command {
	return &cobra.Command{
		Use: "add <question>", Short: "add an open question", Args: between(1, 1),
		RunE: g.env.onTask(&g.task, func(c *call) (answer, error) {
			t, err := c.s.Documents.AddQuestion(c.ctx, c.id, c.args[0])
			return c.wrote(t, "Added a question; %s", questionCount(t)), err
		}),
	}
}

func (g *questionCommand) resolve() *cobra.Command {
	text := ""
	cmd := &cobra.Command{
		Use: "resolve <n> [-m <answer>]", Short: "tick an open question off, by its number in question list", Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil {
				return usageOf(cmd, fmt.Sprintf("%q is no number", args[0]))
			}
			return g.env.onTask(&g.task, func(c *call) (answer, error) {
				t, err := c.s.Documents.ResolveQuestion(c.ctx, c.id, n, text)
				return c.wrote(t, "Resolved question %d; %s", n, questionCount(t)), err
			})(cmd, args)
		},
	}
	messageFlag(cmd, &text, "keep the `answer` beside it")
	return cmd
}

func questionCount(t task.Task) string {
	return fmt.Sprintf("%d of %d open", t.Questions.Open, t.Questions.Total)
}
