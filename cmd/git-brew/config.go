package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
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
		RunE: e.onRepo(func(c *call) (answer, error) {
			all, warnings, err := c.s.Config.ConfigList(c.ctx)
			for _, w := range warnings {
				c.complain("%s; the default is used", oneLine(w))
			}
			return answer{JSON: view.NewSettings(all), Records: each(all, settingRecord), Text: func() {
				listSettings(c, all, describe)
			}}, err
		}),
	}
	cmd.Flags().BoolVar(&describe, "describe", false, "also say what each one is for")
	return cmd
}

func settingRecord(s config.SettingValue) []string {
	return append([]string{s.Key, s.From}, s.Values...)
}

func listSettings(c *call, all []config.SettingValue, describe bool) {
	style, table := c.style(), c.table("")
	table.Give = []int{1, 2}
	for _, s := range all {
		value, from := cmp.Or(ui.Safe(strings.Join(s.Values, ", ")), "-"), ""
		if s.From != "default" {
			from = style.Dim(s.From)
		}
		if s.Waiting != nil {
			from = style.Warn(waitingWords(s))
		}
		if describe {
			c.describe(s.Key+"  "+value+"  "+from, s.Help)
		} else {
			table.Add(s.Key, value, from)
		}
	}
	c.write(table)
}

// describe prints a line, and below it what it means.
func (e *env) describe(line, help string) {
	e.tell("%s\n", strings.TrimRight(line, " "))
	about := e.facts("    ")
	about.Width = e.width()
	about.Add(help)
	e.write(about)
}

func newConfigGetCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "get <key>",
		Short: "print a setting, one value a line",
		Args:  between(1, 1),
		RunE: e.onRepo(func(c *call) (answer, error) {
			value, err := c.s.Config.ConfigGet(c.ctx, settingKey(c.args[0]))
			return answer{JSON: view.NewSetting(value), Records: record(settingRecord(value)...), Text: func() {
				for _, v := range value.Values {
					c.line(ui.Safe(v))
				}
			}}, err
		}),
	}
}

func newConfigSetCmd(e *env) *cobra.Command {
	var shared bool
	cmd := &cobra.Command{
		Use:   "set [--shared] <key> <value>...",
		Short: "change a setting; a list takes several values at once",
		Args:  between(2, -1),
		RunE: e.onRepo(func(c *call) (answer, error) {
			key, values := settingKey(c.args[0]), c.args[1:]
			if err := c.s.Config.ConfigSet(c.ctx, key, values, shared); err != nil {
				return answer{}, err
			}
			return changedSetting(c, key, shared, "is now "+strings.Join(values, ", "))
		}),
	}
	sharedFlag(cmd, &shared)
	return cmd
}

func newConfigUnsetCmd(e *env) *cobra.Command {
	var shared bool
	cmd := &cobra.Command{
		Use:   "unset [--shared] <key>",
		Short: "take a setting back",
		Args:  between(1, 1),
		RunE: e.onRepo(func(c *call) (answer, error) {
			key := settingKey(c.args[0])
			if err := c.s.Config.ConfigUnset(c.ctx, key, shared); err != nil {
				return answer{}, err
			}
			return changedSetting(c, key, shared, "is no longer set")
		}),
	}
	sharedFlag(cmd, &shared)
	return cmd
}

// changedSetting says what was done, and what is in force now where that is
// something else.
func changedSetting(c *call, key string, shared bool, what string) (answer, error) {
	now, err := c.s.Config.ConfigGet(c.ctx, key)
	return answer{JSON: view.NewSetting(now), Records: record(settingRecord(now)...), Text: func() {
		where, wanted := "", "git"
		if shared {
			where, wanted = " for everybody", "shared"
		}
		c.say("%s %s%s", now.Key, ui.Safe(what), where)
		if now.Waiting != nil {
			c.say("  %s", waitingWords(now))
		}
		if now.From != wanted && len(now.Values) > 0 {
			c.say("  in force: %s (%s)", ui.Safe(strings.Join(now.Values, ", ")), now.From)
		}
	}}, err
}

// waitingWords say that a setting's shared value is not in force here.
func waitingWords(s config.SettingValue) string {
	return "shared, not trusted (git brew trust add " + clone.ShortTrust(s.Waiting.Hash) + ")"
}

// settingKey is a key as it is typed here, or as git writes it.
func settingKey(typed string) string {
	if len(typed) > 5 && strings.EqualFold(typed[:5], "brew.") {
		return typed[5:]
	}
	return typed
}

func sharedFlag(cmd *cobra.Command, shared *bool) {
	cmd.Flags().BoolVar(shared, "shared", false, "for everybody who works on the project")
}
