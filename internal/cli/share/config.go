// Package share has the commands about this clone: setting git brew up and taking it away,
// settings, trust, the exchange with a remote, and the doctor.
package share

import (
	"cmp"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ui"
)

func Config() cli.Command {
	var describe bool
	return cli.Command{
		Use: "config", Short: "list and change settings",
		Subs: []cli.Command{
			{
				Use: "list [--describe]", Short: "list all settings, their values, and where each comes from",
				Flags: []cli.Flag{cli.Opt("describe", &describe, "also say what each one is for")},
				Repo: func(c *cli.Call) (cli.Answer, error) {
					all, warnings, err := c.App.Config.ConfigList(c.Ctx)
					for _, w := range warnings {
						c.Complain("%s; the default is used", cli.OneLine(w))
					}
					return cli.Answer{JSON: ui.Object{"settings", all}, Records: cli.Each(all, settingRecord), Text: func() {
						listSettings(c, all, describe)
					}}, err
				},
			},
			{
				Use: "get <key>", Short: "print a setting, one value a line",
				Repo: func(c *cli.Call) (cli.Answer, error) {
					value, err := c.App.Config.ConfigGet(c.Ctx, settingKey(c.Args[0]))
					return cli.Answer{JSON: value, Records: cli.Record(settingRecord(value)...), Text: func() {
						for _, v := range value.Values {
							c.Line(ui.Safe(v))
						}
					}}, err
				},
			},
			configChange("set [--shared] <key> <value>...", "change a setting; a list takes several values at once",
				func(c *cli.Call, key string, shared bool) (string, error) {
					values := c.Args[1:]
					return "is now " + strings.Join(values, ", "), c.App.Config.ConfigSet(c.Ctx, key, values, shared)
				}),
			configChange("unset [--shared] <key>", "take a setting back",
				func(c *cli.Call, key string, shared bool) (string, error) {
					return "is no longer set", c.App.Config.ConfigUnset(c.Ctx, key, shared)
				}),
		},
	}
}

func settingRecord(s config.SettingValue) []string {
	return append([]string{s.Key, s.From}, s.Values...)
}

func listSettings(c *cli.Call, all []config.SettingValue, describe bool) {
	style, table := c.Style(), c.Table("")
	table.Give, table.Ease = []int{1, 2}, 4 // a key is copied
	for _, s := range all {
		value := cmp.Or(ui.Safe(strings.Join(s.Values, ", ")), "-")
		from := ui.Either(s.From == "default", "", style.Dim(s.From))
		if s.Waiting != nil {
			from = style.Warn(waitingWords(s))
		}
		if !describe {
			table.Add(s.Key, value, from)
			continue
		}
		c.Tell("%s\n", strings.TrimRight(s.Key+"  "+value+"  "+from, " "))
		about := c.Facts("    ")
		about.Width = c.Width()
		about.Add(s.Help)
		c.WriteTable(about)
	}
	c.WriteTable(table)
}

// configChange is set and unset: change says behind the key what it did.
func configChange(
	use, short string, change func(c *cli.Call, key string, shared bool) (did string, err error),
) cli.Command {
	var shared bool
	return cli.Command{
		Use: use, Short: short,
		Flags: []cli.Flag{cli.Opt("shared", &shared, "for everybody who works on the project")},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			key := settingKey(c.Args[0])
			did, err := change(c, key, shared)
			if err != nil {
				return cli.Answer{}, err
			}
			now, err := c.App.Config.ConfigGet(c.Ctx, key)
			if len(c.Args) > 1 {
				if missing := c.App.Runs.CheckCommand(config.Key(now.Key), c.Args[1]); missing != nil {
					c.Complain("it is set, but 'git brew run' can't run it here: %s", ui.Safe(cli.OneLine(missing.Error())))
				}
			}
			return cli.Answer{JSON: now, Records: cli.Record(settingRecord(now)...), Text: func() {
				c.Say("%s %s%s", now.Key, ui.Safe(did), ui.Either(shared, " for everybody", ""))
				if now.Waiting != nil {
					c.Say("  %s", waitingWords(now))
				}
				if now.From != ui.Either(shared, "shared", "git") && len(now.Values) > 0 { // something else is in force
					c.Say("  in force: %s (%s)", ui.Safe(strings.Join(now.Values, ", ")), now.From)
				}
			}}, err
		},
	}
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
