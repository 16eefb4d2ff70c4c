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

// grayCommand is what the gray commands share.
type grayCommand struct {
	env  *env
	task string // --task
}

func newGrayCmd(e *env) *cobra.Command {
	g := &grayCommand{env: e}
	cmd := &cobra.Command{
		Use:   "gray list|add|resolve",
		Short: "the open questions of a task",
		Long: `Gray areas are the questions to settle before the work: the boxes under the
heading "Gray Areas Remaining" of the document context.`,
	}
	cmd.AddCommand(g.list(), g.add(), g.resolve())
	taskFlag(cmd, &g.task)
	return cmd
}

// grayDocument is a gray area in JSON.
type grayDocument struct {
	N    int    `json:"n"`
	Text string `json:"text"`
	Open bool   `json:"open"`
}

func (g *grayCommand) list() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "list the gray areas, with their numbers", Args: between(0, 0),
		Long: `Lists the gray areas, with their numbers. Porcelain has number, open or
resolved, and text.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e := g.env
			s, id, ok, err := e.reading(cmd.Context(), g.task)
			if err != nil || !ok {
				return err
			}
			areas, err := s.GrayAreas(cmd.Context(), id)
			if err != nil {
				return err
			}
			return e.printGray(cmd.Context(), s, id, areas)
		},
	}
}

func (e *env) printGray(ctx context.Context, s *workflow.Service, id task.ID, areas []task.GrayArea) error {
	if e.Flags.JSON {
		docs := make([]grayDocument, 0, len(areas))
		for _, a := range areas {
			docs = append(docs, grayDocument{a.N, a.Text, a.Open})
		}
		return ui.JSON(e.Out, struct {
			Task task.ID        `json:"task"`
			Gray []grayDocument `json:"gray"`
		}{id, docs})
	}
	if len(areas) == 0 && !e.Flags.Porcelain {
		e.say("%s has no gray areas.", e.name(ctx, s, id))
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
		fmt.Fprintf(e.Out, "%2d %s %s\n", a.N, box, ui.Safe(a.Text))
	}
	if i := slices.IndexFunc(areas, func(a task.GrayArea) bool { return a.Open }); i >= 0 {
		e.next(ctx, s, "git brew gray resolve %d ANSWER", areas[i].N)
	}
	return nil
}

func (g *grayCommand) add() *cobra.Command {
	return &cobra.Command{
		Use: "add <question>", Short: "add an open question", Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e := g.env
			s, id, err := e.target(cmd.Context(), g.task)
			if err != nil {
				return err
			}
			t, err := s.AddGray(cmd.Context(), id, args[0])
			if err != nil {
				return err
			}
			return e.changed(cmd.Context(), s, newChangeDocument(cmd.Context(), s, t, task.Phase{}, nil), "Added a gray area; %s", grayCount(t))
		},
	}
}

func (g *grayCommand) resolve() *cobra.Command {
	return &cobra.Command{
		Use: "resolve <n> [<answer>]", Short: "tick an open question off, by its number in gray list", Args: between(1, 2),
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
			t, err := s.ResolveGray(cmd.Context(), id, n, first(args[1:]))
			if err != nil {
				return err
			}
			return e.changed(cmd.Context(), s, newChangeDocument(cmd.Context(), s, t, task.Phase{}, nil), "Resolved gray area %d; %s", n, grayCount(t))
		},
	}
}

func grayCount(t task.Task) string {
	return fmt.Sprintf("%d of %d open", t.Gray.Open, t.Gray.Total)
}
