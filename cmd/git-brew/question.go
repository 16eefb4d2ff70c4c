package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
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

// questionDocument is a question in JSON.
type questionDocument struct {
	N    int    `json:"n"`
	Text string `json:"text"`
	Open bool   `json:"open"`
}

func (g *questionCommand) list() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "list the questions, with their numbers", Args: between(0, 0),
		Long: `Lists the questions, with their numbers. Porcelain has number, open or
resolved, and text.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e := g.env
			s, id, ok, err := e.reading(cmd.Context(), g.task)
			if err != nil || !ok {
				return err
			}
			areas, err := s.Questions(cmd.Context(), id)
			if err != nil {
				return err
			}
			return e.printQuestions(cmd.Context(), s, id, areas)
		},
	}
}

func (e *env) printQuestions(ctx context.Context, s *workflow.Service, id task.ID, areas []task.Question) error {
	if e.Flags.JSON {
		docs := make([]questionDocument, 0, len(areas))
		for _, a := range areas {
			docs = append(docs, questionDocument{a.N, a.Text, a.Open})
		}
		return ui.JSON(e.Out, struct {
			Task      task.ID            `json:"task"`
			Questions []questionDocument `json:"questions"`
		}{id, docs})
	}
	if len(areas) == 0 && !e.Flags.Porcelain {
		e.hasNone(ctx, s, id, "questions", "git brew question add QUESTION")
		return nil
	}
	for _, a := range areas {
		state, box := "resolved", "[x]"
		if a.Open {
			state, box = "open", "[ ]"
		}
		if e.Flags.Porcelain {
			if err := ui.Record(e.Out, strconv.Itoa(a.N), state, a.Text); err != nil {
				return err
			}
			continue
		}
		e.tell("%2d %s %s\n", a.N, box, ui.Safe(a.Text))
	}
	if i := slices.IndexFunc(areas, func(a task.Question) bool { return a.Open }); i >= 0 {
		e.next(ctx, s, "git brew question resolve %d -m ANSWER", areas[i].N)
	}
	return nil
}

func (g *questionCommand) add() *cobra.Command {
	return &cobra.Command{
		Use: "add <question>", Short: "add an open question", Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := g.env
			s, id, err := e.target(cmd.Context(), g.task)
			if err != nil {
				return err
			}
			t, err := s.AddQuestion(cmd.Context(), id, args[0])
			if err != nil {
				return err
			}
			return e.changed(cmd.Context(), s, newChange(cmd.Context(), s, t, task.Phase{}, nil), "Added a question; %s", questionCount(t))
		},
	}
}

func (g *questionCommand) resolve() *cobra.Command {
	answer := ""
	cmd := &cobra.Command{
		Use: "resolve <n> [-m <answer>]", Short: "tick an open question off, by its number in question list", Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := g.env
			n, err := strconv.Atoi(args[0])
			if err != nil {
				return usageOf(cmd, fmt.Sprintf("%q is no number", args[0]))
			}
			s, id, err := e.target(cmd.Context(), g.task)
			if err != nil {
				return err
			}
			t, err := s.ResolveQuestion(cmd.Context(), id, n, answer)
			if err != nil {
				return err
			}
			return e.changed(cmd.Context(), s, newChange(cmd.Context(), s, t, task.Phase{}, nil), "Resolved question %d; %s", n, questionCount(t))
		},
	}
	messageFlag(cmd, &answer, "keep the `answer` beside it")
	return cmd
}

func questionCount(t task.Task) string {
	return fmt.Sprintf("%d of %d open", t.Questions.Open, t.Questions.Total)
}
