package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

func newModeCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "mode [discussion|implementation|toggle]",
		Short: "show or switch what an agent may do in this work tree",
		Long: `In discussion mode an agent reads and plans; in implementation mode it writes.
Without an argument, mode shows which one this work tree is in, since when,
what switched it, and which one it was in before. People switch to
implementation; an agent only ever goes back to discussion.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				state, err := service.Mode(cmd.Context())
				if err != nil {
					return err
				}
				if err := e.showMode(state, ""); err != nil || e.Flags.JSON || e.Flags.Porcelain {
					return err
				}
				return e.sayOff(cmd.Context(), service)
			}
			return e.switchMode(cmd.Context(), service, args[0])
		},
	}
}

func (e *env) switchMode(ctx context.Context, service *workflow.Service, to string) error {
	before, err := service.Mode(ctx)
	if err != nil {
		return err
	}
	after, err := service.SwitchMode(ctx, to)
	if err != nil {
		return err
	}
	if e.Flags.JSON || e.Flags.Porcelain {
		return e.showMode(after, e.undoneBy(ctx))
	}
	if after.Mode == before.Mode {
		e.say("%s mode already", sentence(string(after.Mode)))
		return nil
	}
	e.say("%s mode, was %s", sentence(string(after.Mode)), before.Mode)
	return nil
}

func (e *env) showMode(m workflow.ModeState, undo string) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, struct {
			workflow.ModeState
			Undo string `json:"undo,omitzero"` // as in view.Change
		}{m, undo})
	case e.Flags.Porcelain:
		return ui.Record(e.Out, string(m.Mode), m.Since, string(m.Previous), m.By)
	}
	line := string(m.Mode) + " mode"
	if since, err := time.Parse(time.RFC3339, m.Since); err == nil {
		line += ", switched " + ui.Ago(since, e.Now())
	}
	if m.By != "" {
		line += fmt.Sprintf(" (%s)", ui.Safe(m.By))
	}
	if m.Previous != "" {
		line += ", was " + string(m.Previous)
	}
	e.tell("%s\n", sentence(line))
	return nil
}

// sayOff says why agents are kept from nothing, where they are not.
func (e *env) sayOff(ctx context.Context, service *workflow.Service) error {
	v, err := service.Status(ctx, "")
	if words := offWords(v); err == nil && words != "" {
		e.say("%s", words)
	}
	return err
}

// offWords says why the mode restricts nobody, here or anywhere; "" where it may.
func offWords(v workflow.View) string {
	switch {
	case v.Off == workflow.OffCI:
		return "CI is set: hooks step aside"
	case v.Off != "":
		return string(v.Off) + " is set: agents are kept from nothing"
	case !v.Guarded:
		return "brew.gate is off: the mode restricts nothing"
	}
	return ""
}

// sentence begins a line with a capital letter.
func sentence(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}
