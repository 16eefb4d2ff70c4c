package share

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/build"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks/settings"
	"github.com/git-brew/git-brew/internal/plugin"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

type setupOptions struct {
	setup.Options
	agent  string
	dryRun bool
	all    bool // the refs, too
	yes    bool
}

func (o *setupOptions) flags(own ...cli.Flag) []cli.Flag {
	return append([]cli.Flag{
		cli.Opt("no-agent", &o.NoAgent, "leave the agent's settings alone"),
		cli.Opt("shared", &o.Shared, "in files for everybody, as .claude/settings.json"),
		cli.Opt("n, dry-run", &o.dryRun, "show what would change, and change nothing"),
	}, own...)
}

func (o *setupOptions) check(c *cli.Call) error {
	if o.NoAgent && (o.Shared || o.agent != "") {
		return cli.Misused("--no-agent excludes --agent and --shared", "give one of them")
	}
	return nil
}

// agents are the clients that --agent means, by their names.
func (o *setupOptions) agents(c *cli.Call) ([]string, error) {
	var names, here []string
	top := c.App.Clone.Repo.WorkTree
	for _, client := range settings.Clients() {
		names = append(names, client.Name)
		if c.Has(client.Program) || setup.HasClient(top, client) {
			here = append(here, client.Name)
		}
	}
	switch {
	case o.agent == "":
		return nil, nil
	case o.agent == "all":
		return names, nil
	case o.agent == "auto":
		return here, nil // none: Claude Code
	case slices.Contains(names, o.agent):
		return []string{o.agent}, nil
	}
	if slices.Contains([]string{"claude", "vscode", "devin"}, o.agent) {
		return nil, cli.Misused(fmt.Sprintf("agent %q is unknown", o.agent),
			"VS Code and Devin read Claude Code's: --agent claude-code")
	}
	return nil, cli.Misused(fmt.Sprintf("agent %q is unknown", o.agent),
		"give all, auto or one of "+strings.Join(names, ", "))
}

func Init() cli.Command {
	var o setupOptions
	return cli.Command{
		Use:   "init [--agent <client>] [--shared] [--remote <name>] [<options>]",
		Short: "set git brew up here: the agent's hooks, git's, fetched refs",
		Flags: o.flags(
			cli.Opt("agent", &o.agent, "a `client`, all, or auto: those that are here"),
			cli.Opt("agents-md", &o.AgentsFile, "tell agents in AGENTS.md, too, for everybody"),
			cli.Opt("no-allow", &o.NoAllow, "add no rules: be asked about each command"),
			cli.Opt("remote", &o.Remote, "share state with the remote of this `name`"),
		),
		Check: o.check,
		Repo: func(c *cli.Call) (cli.Answer, error) {
			return setUp(c, o, setup.Init, "Set up", "Set up already; nothing to change")
		},
	}
}

func Uninit() cli.Command {
	var o setupOptions
	return cli.Command{
		Use: "uninit [--shared | --no-agent | --all] [-n]", Short: "take out what init put in; tasks stay",
		Flags: o.flags(
			cli.Opt("all", &o.all, "every ref of git brew's too: all tasks here are gone"),
			cli.Opt("yes", &o.yes, "do not ask"),
		),
		Check: func(c *cli.Call) error {
			if err := o.check(c); err != nil {
				return err
			}
			if err := c.ForPeople("take git brew's hooks out"); err != nil {
				return err
			}
			if o.all && (o.NoAgent || o.Shared) {
				return cli.Misused("--all excludes --no-agent and --shared", "give one of them")
			}
			return nil
		},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			return setUp(c, o, setup.Uninit, tookOut, "Not set up; nothing to take out")
		},
	}
}

const tookOut = "Took out"

type planFunc func(context.Context, *gitstore.Repo, setup.Options) (setup.Plan, error)

// setUp makes a plan, and carries it out or shows it.
func setUp(c *cli.Call, o setupOptions, plan planFunc, did, nothing string) (cli.Answer, error) {
	style := c.Style() // before: the configuration's cache may go
	var err error
	if o.Namespace, err = c.App.Config.Namespace(c.Ctx); err != nil {
		return cli.Answer{}, err
	}
	o.Version = build.Current().Version
	if o.Agents, err = o.agents(c); err != nil {
		return cli.Answer{}, err
	}
	p, err := plan(c.Ctx, c.App.Clone.Repo, o.Options)
	if err != nil {
		return cli.Answer{}, err
	}
	refs := p.Refs()
	if o.all {
		var left []string
		if refs, left, err = allRefs(c.Env, c.Ctx, c.App, p, o); err != nil {
			return cli.Answer{}, err
		}
		p.Remarks = append(p.Remarks, left...)
	}
	if !o.dryRun {
		if err := carryOut(c.Ctx, c.App, p, refs, o.all); err != nil {
			return cli.Answer{}, err
		}
	}
	removed := cli.Each(refs, func(ref gitstore.RefName) []string { return []string{"remove", string(ref), ""} })
	changed := cli.Each(p.Visible(), func(change setup.Change) []string {
		return []string{change.Kind(), change.Name, change.MovedFrom}
	})
	return cli.Answer{JSON: view.Plan(p, refs, o.dryRun), Records: cli.Joined(removed, changed), Text: func() {
		switch {
		case o.dryRun:
			cli.ShowPlan(c.Env, p, refs, style)
		case len(p.Visible()) == 0 && len(refs) == 0:
			c.Say("%s", nothing)
		case !c.Flags.Quiet:
			c.Say("%s:", did)
			table := changesTable(c, p, style, did)
			if o.all {
				table.Add("refs/brew", style.Dim(ui.Plural(len(refs), "ref")+", with every task in this clone"))
			}
			c.WriteTable(table)
		}
		for _, remark := range p.Remarks {
			c.Say("  note: %s", ui.Safe(remark))
		}
		if !c.Flags.Quiet {
			cli.ShowKept(c.Env, p, style)
		}
		if !o.dryRun && len(p.Changes) > 0 && did == "Set up" && c.App.Clone.Repo.WorkTree != "" {
			sayAfterSetUp(c)
		}
	}}, nil
}

// changesTable has a row for each change of a plan, but one for all skills to which the
// same happens, and for all agents. Did is what is said above it: a text that is removed there
// says so, where that does not.
func changesTable(c *cli.Call, p setup.Plan, style ui.Style, did string) *ui.Table {
	table := c.Facts("  ")
	all := p.Visible()
	for i, change := range all {
		dir := change.Name[:strings.Index(change.Name, change.Text)+len(change.Text)]
		alike := func(other setup.Change) bool {
			return change.Text != "" && strings.HasPrefix(other.Name, dir+"/") && other.Kind() == change.Kind()
		}
		n := len(all) - len(slices.DeleteFunc(slices.Clone(all), alike))
		switch {
		case slices.ContainsFunc(all[:i], alike):
			continue
		case n > 1:
			typed := path.Base(path.Dir(change.Name)) // most are to begin with a spec
			if slices.ContainsFunc(all, func(other setup.Change) bool { return other.Name == dir+"/brew-spec/SKILL.md" }) {
				typed = "brew-spec"
			}
			change.Name, change.About = dir, fmt.Sprintf("%d %s", n, change.Text)
			if change.Text == plugin.Skills && change.Kind() == "create" && dir != plugin.Skills { // of a plugin
				change.About += " to type: /" + typed + ", …"
			}
		}
		if change.Text != "" && change.Kind() == "remove" && did != tookOut {
			change.About += ", removed"
		}
		table.Add(ui.Safe(change.Name), style.Dim(ui.Safe(change.About)))
	}
	return table
}

// sayAfterSetUp says what comes next: the task here goes on, or one is begun.
func sayAfterSetUp(c *cli.Call) {
	switch v, err := c.App.Status(c.Ctx, ""); {
	case err != nil: // the next command says so
	case v.Task == nil:
		c.Next("%s", cli.FirstStep(c.Env))
	default:
		c.Next("%s", c.Hint(v.Next))
	}
}

// allRefs are what uninit --all removes, once a person has said so again, and what
// stays elsewhere.
func allRefs(e *cli.Env, ctx context.Context, s *app.App, p setup.Plan,
	o setupOptions,
) (refs []gitstore.RefName, left []string, err error) {
	if !p.Whole() {
		return nil, nil, clone.Refuse("run 'git brew uninit' in it first", "another work tree is set up, too")
	}
	if refs, left, err = s.Doctor.Everything(ctx); err != nil || o.dryRun {
		return refs, left, err
	}
	question := fmt.Sprintf("Remove %s of git brew's from this clone, with every task?", ui.Plural(len(refs), "ref"))
	return refs, left, e.Sure(o.yes, question)
}

// carryOut removes refs, and carries a plan out. What is not in git yet goes there
// before the cache goes.
func carryOut(ctx context.Context, s *app.App, p setup.Plan, refs []gitstore.RefName, all bool) error {
	if p.Whole() && !all {
		if err := s.Journal.Seal(ctx); err != nil {
			return err
		}
	}
	if err := s.Clone.Repo.Refs.Delete(ctx, refs...); err != nil {
		return err
	}
	return p.Apply(ctx)
}
