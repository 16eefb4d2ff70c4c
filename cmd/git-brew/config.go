package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

func newConfigCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "list and change settings",
		Long: `Settings are git's own: config set writes brew.<key> into this clone's git
configuration, and what 'git config --global' says counts too. With --shared
they stand in refs/brew/config, for everybody who works on the project; a
person's own setting goes before the shared one, and that before the default.
A shared one that loosens something, or is said to an agent, is in force for
others once they have trusted it ('git brew trust').`,
	}
	cmd.AddCommand(newConfigListCmd(e), newConfigGetCmd(e), newConfigSetCmd(e), newConfigUnsetCmd(e))
	return cmd
}

func newConfigListCmd(e *env) *cobra.Command {
	var describe bool
	cmd := &cobra.Command{
		Use:   "list [--describe]",
		Short: "list all settings, their values, and where each comes from",
		Args:  between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			all, warnings, err := service.ConfigList(cmd.Context())
			if err != nil {
				return err
			}
			for _, w := range warnings {
				e.complain("%s; the default is used", oneLine(w))
			}
			return e.listSettings(all, e.colours(service), describe)
		},
	}
	cmd.Flags().BoolVar(&describe, "describe", false, "also say what each one is for")
	return cmd
}

// settingList is `config list --json`.
type settingList struct {
	Settings []workflow.SettingValue `json:"settings"`
}

func (e *env) listSettings(all []workflow.SettingValue, style ui.Style, describe bool) error {
	for i := range all {
		all[i].Values = view.List(all[i].Values)
	}
	if e.Flags.JSON {
		return ui.JSON(e.Out, settingList{all})
	}
	if e.Flags.Porcelain {
		for _, s := range all {
			if err := ui.Record(e.Out, append([]string{s.Key, s.From}, s.Values...)...); err != nil {
				return err
			}
		}
		return nil
	}
	table := e.table("")
	table.Give = []int{1, 2}
	for _, s := range all {
		value, from := ui.Safe(strings.Join(s.Values, ", ")), ""
		if s.From != "default" {
			from = style.Dim(s.From)
		}
		if s.Waiting != nil {
			from = style.Warn(waitingWords(s))
		}
		if len(s.Values) == 0 {
			value = "-"
		}
		if describe {
			if err := e.describe(s.Key+"  "+value+"  "+from, s.Help); err != nil {
				return err
			}
			continue
		}
		table.Add(s.Key, value, from)
	}
	return table.Write(e.Out)
}

// describe prints a line, and below it what it means.
func (e *env) describe(line, help string) error {
	e.tell("%s\n", strings.TrimRight(line, " "))
	about := e.facts("    ")
	about.Width = e.width()
	about.Add(help)
	return about.Write(e.Out)
}

func newConfigGetCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "get <key>",
		Short: "print a setting, one value a line",
		Args:  between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			value, err := service.ConfigGet(cmd.Context(), settingKey(args[0]))
			if err != nil {
				return err
			}
			switch {
			case e.Flags.JSON:
				value.Values = view.List(value.Values)
				return ui.JSON(e.Out, value)
			case e.Flags.Porcelain:
				return ui.Record(e.Out, append([]string{value.Key, value.From}, value.Values...)...)
			}
			for _, v := range value.Values {
				if _, err := fmt.Fprintln(e.Out, ui.Safe(v)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func newConfigSetCmd(e *env) *cobra.Command {
	var shared bool
	cmd := &cobra.Command{
		Use:   "set [--shared] <key> <value>...",
		Short: "change a setting; a list takes several values at once",
		Args:  between(2, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			key := settingKey(args[0])
			if err := service.ConfigSet(cmd.Context(), key, args[1:], shared); err != nil {
				return err
			}
			return e.changedSetting(cmd, service, key, shared, "is now "+strings.Join(args[1:], ", "))
		},
	}
	cmd.Flags().BoolVar(&shared, "shared", false, "for everybody who works on the project")
	return cmd
}

func newConfigUnsetCmd(e *env) *cobra.Command {
	var shared bool
	cmd := &cobra.Command{
		Use:   "unset [--shared] <key>",
		Short: "take a setting back",
		Args:  between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			key := settingKey(args[0])
			if err := service.ConfigUnset(cmd.Context(), key, shared); err != nil {
				return err
			}
			return e.changedSetting(cmd, service, key, shared, "is no longer set")
		},
	}
	cmd.Flags().BoolVar(&shared, "shared", false, "for everybody who works on the project")
	return cmd
}

// changedSetting says what was done, and what is in force now where that is
// something else.
func (e *env) changedSetting(cmd *cobra.Command, service *workflow.Service, key string, shared bool, what string) error {
	now, err := service.ConfigGet(cmd.Context(), key)
	if err != nil {
		return err
	}
	switch {
	case e.Flags.JSON:
		now.Values = view.List(now.Values)
		return ui.JSON(e.Out, struct {
			workflow.SettingValue
			Undo string `json:"undo,omitzero"` // as in view.Change
		}{now, e.undoneBy(cmd.Context())})
	case e.Flags.Porcelain:
		return ui.Record(e.Out, append([]string{now.Key, now.From}, now.Values...)...)
	}
	where := ""
	if shared {
		where = " for everybody"
	}
	e.say("%s %s%s", now.Key, ui.Safe(what), where)
	if now.Waiting != nil {
		e.say("  %s", waitingWords(now))
	}
	if wanted := map[bool]string{false: "git", true: "shared"}[shared]; now.From != wanted && len(now.Values) > 0 {
		e.say("  in force: %s (%s)", ui.Safe(strings.Join(now.Values, ", ")), now.From)
	}
	return nil
}

// waitingWords say that a setting's shared value is not in force here.
func waitingWords(s workflow.SettingValue) string {
	return "shared, not trusted (git brew trust add " + workflow.ShortTrust(s.Waiting.Hash) + ")"
}

// settingKey is a key as it is typed here, or as git writes it.
func settingKey(typed string) string {
	if len(typed) > 5 && strings.EqualFold(typed[:5], "brew.") {
		return typed[5:]
	}
	return typed
}
