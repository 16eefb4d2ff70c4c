package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/ui"
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
		RunE: e.onRepo(func(c *call) (answer, error) {
			before, err := c.s.Sessions.Mode(c.ctx)
			if err != nil {
				return answer{}, err
			}
			if len(c.args) > 0 {
				return switchMode(c, before)
			}
			return modeAnswer(before, func() {
				c.tell("%s\n", sentence(modeWords(before, c.Now())))
				if v, err := c.s.Overview.Status(c.ctx, ""); err == nil && offWords(v) != "" {
					c.say("%s", offWords(v))
				}
			}), nil
		}),
	}
}

func switchMode(c *call, before clone.ModeState) (answer, error) {
	after, err := c.s.Sessions.SwitchMode(c.ctx, c.args[0])
	return modeAnswer(after, func() {
		if after.Mode == before.Mode {
			c.say("%s mode already", sentence(string(after.Mode)))
		} else {
			c.say("%s mode, was %s", sentence(string(after.Mode)), before.Mode)
		}
	}), err
}

func modeAnswer(m clone.ModeState, text func()) answer {
	return answer{
		JSON:    m,
		Records: record(string(m.Mode), m.Since, string(m.Previous), m.By), Text: text,
	}
}

// modeWords say which mode it is, since when, what switched it, and what was before.
func modeWords(m clone.ModeState, now time.Time) string {
	words := string(m.Mode) + " mode"
	if since, err := time.Parse(time.RFC3339, m.Since); err == nil {
		words += ", switched " + ui.Ago(since, now)
	}
	if m.By != "" {
		words += " (" + ui.Safe(m.By) + ")"
	}
	if m.Previous != "" {
		words += ", was " + string(m.Previous)
	}
	return words
}

// offWords says why the mode restricts nobody, here or anywhere; "" where it may.
func offWords(v session.View) string {
	switch {
	case v.Off == clone.OffCI:
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
