package share

import (
	"os"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/build"
	"github.com/git-brew/git-brew/internal/plugin"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Plugin() cli.Command {
	return cli.Command{
		Use: "plugin", Short: "skills and agents for an agent's client, which init puts here",
		Subs: []cli.Command{
			{Use: "list", Short: "list the skills that people type, and the agents", Bare: listPlugin},
			{
				Use: "export <dir>", Short: "write them as a plugin, with its hooks and a marketplace",
				DryRun: cli.DryRunHelp, Bare: exportPlugin,
			},
		},
	}
}

func listPlugin(c *cli.Call) (cli.Answer, error) {
	files := plugin.InProject(build.Current().Version)
	records := cli.Each(files, func(f plugin.File) []string { return []string{kindWord(f), f.Name(), f.About()} })
	docs := view.Each(files, func(f plugin.File) ui.Object {
		return ui.Object{"kind", kindWord(f), "name", f.Name(), "about", f.About()}
	})
	return cli.Answer{JSON: ui.Object{"files", docs}, Records: records, Text: func() {
		table := c.Facts("")
		for _, f := range files {
			name := ui.Either(f.Kind() == plugin.Skills, "/", "") + "brew-" + f.Name()
			table.Add(name, f.About())
		}
		c.WriteTable(table)
	}}, nil
}

func kindWord(f plugin.File) string {
	return ui.Either(f.Kind() == plugin.Skills, "skill", "agent")
}

func exportPlugin(c *cli.Call) (cli.Answer, error) {
	dir, err := absolute(c, c.Args[0])
	if err != nil {
		return cli.Answer{}, err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return cli.Answer{}, clone.Refuse("name another one", "%s: it is no directory", ui.Safe(dir))
	}
	p, err := setup.Export(dir, build.Current().Version)
	if err != nil {
		return cli.Answer{}, err
	}
	did := "Would write"
	if !c.Flags.DryRun {
		did = "Wrote"
		if err := p.Apply(c.Ctx); err != nil {
			return cli.Answer{}, err
		}
	}
	changed := cli.Each(p.Visible(), func(one setup.Change) []string {
		return []string{one.Kind(), one.Name, ""}
	})
	var style ui.Style // there may be no repository that says which
	return cli.Answer{JSON: view.Plan(p, nil, c.Flags.DryRun), Records: changed, Text: func() {
		switch {
		case len(p.Changes) == 0:
			c.Say("Written already; nothing to change")
		case !c.Flags.Quiet:
			c.Say("%s:", did)
			c.WriteTable(changesTable(c, p, style, did))
		}
		if c.Flags.Quiet {
			return
		}
		cli.ShowKept(c.Env, p, style)
		if !c.Flags.DryRun && len(p.Changes) > 0 {
			c.Say("  next: claude plugin marketplace add %s", ui.Safe(change.ShellWord(dir)))
		}
	}}, nil
}
