package share

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/doctor"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/adapter"
	"github.com/git-brew/git-brew/internal/cli/build"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
)

func Doctor() cli.Command {
	var fix bool
	return cli.Command{
		Use: "doctor [--fix [-n]]", Short: "check what git brew keeps here, and what init arranged",
		Flags:  []cli.Flag{cli.Opt("fix", &fix, "mend what can be mended without loss")},
		DryRun: "with --fix: only say what would be mended",
		Check: cli.RefuseIf(func(c *cli.Call) bool { return c.Flags.DryRun && !fix },
			"-n is for --fix", "without --fix nothing is changed"),
		Repo: func(c *cli.Call) (cli.Answer, error) {
			x := &examination{env: c.Env, service: c.App, fix: fix && !c.Flags.DryRun}
			err := x.run(c.Ctx)
			return x.answer(c), err
		},
	}
}

type examination struct {
	env     *cli.Env
	service *app.App
	fix     bool
	git     string
	found   []doctor.Finding
}

func (x *examination) add(severity doctor.Severity, what, hint, format string, args ...any) *doctor.Finding {
	x.found = append(x.found, doctor.Finding{
		Severity: severity, What: what, Message: fmt.Sprintf(format, args...),
		Hint: hint,
	})
	return &x.found[len(x.found)-1]
}

func (x *examination) run(ctx context.Context) error {
	if err := x.gitVersion(ctx); err != nil {
		return err
	}
	if err := x.service.Config.Required(ctx); err != nil {
		text, hint, _ := strings.Cut(err.Error(), "; ")
		x.add(doctor.Problem, "git brew", hint, "%s", text)
	}
	line := cli.NewProgress(x.env)
	defer line.Clear()
	found, err := x.service.Doctor.Doctor(ctx,
		doctor.DoctorRequest{Fix: x.fix, Progress: func(step string, done, total int) {
			if done%10 == 0 { // a terminal is slower than a look
				line.Show(refsync.Step("checking "+step), done, total)
			}
		}})
	if err != nil {
		return err
	}
	x.found = append(x.found, found...)
	x.gitHooks(ctx)
	x.agent(ctx)
	return nil
}

func (x *examination) gitVersion(ctx context.Context) error {
	var err error
	if x.git, err = adapter.VersionOfGit(ctx, x.service); err != nil {
		return err
	}
	if adapter.TooOld(x.git) {
		x.add(doctor.Problem, "git", fmt.Sprintf("install git %d.%d or newer", adapter.OldestGit[0], adapter.OldestGit[1]),
			"git %s is too old", x.git)
	}
	return nil
}

func (x *examination) answer(c *cli.Call) cli.Answer {
	remain := 0
	for _, f := range x.found {
		if f.Severity == doctor.Problem && !f.Fixed {
			remain++
		}
	}
	a := cli.Answer{
		JSON: ui.Object{
			"ok", remain == 0, "git", x.git, "findings", x.found, "dry_run?", c.Flags.DryRun,
		},
		Records: cli.Each(x.found, func(f doctor.Finding) []string {
			return []string{string(f.Severity), strconv.FormatBool(f.Fixed), f.What, f.Message, f.Hint}
		}),
		Text: func() { x.say(c, remain) },
	}
	if remain > 0 {
		a.End = cli.ExitWith(cli.ExitFailed)
	}
	return a
}

func (x *examination) say(c *cli.Call, remain int) {
	style, mendable := c.Style(), 0
	for _, f := range x.found {
		sign, hint := style.Warn(string(f.Severity)), f.Hint
		switch {
		case c.Flags.DryRun && f.Mends != "":
			mendable++
			sign, hint = style.Busy("to mend"), "--fix "+f.Mends
		case f.Fixed:
			sign, hint = style.Good("fixed"), ""
		case f.Severity == doctor.Problem:
			sign = style.Bad(string(f.Severity))
		}
		c.Tell("%s  %s: %s\n", ui.Pad(sign, 7), ui.Safe(f.What), cli.OneLine(f.Message))
		if hint != "" {
			c.Tell("         %s\n", style.Dim(ui.Safe(hint)))
		}
	}
	switch {
	case c.Flags.DryRun:
		c.Say("%d of %s would be mended (dry run).", mendable, ui.Plural(len(x.found), "finding"))
	case remain == 0:
		c.Say("No problems (git %s).", ui.Safe(x.git))
	}
}

// gitHooks checks that git calls git brew when it rewrites commits and pushes.
func (x *examination) gitHooks(ctx context.Context) {
	missing, err := setup.HooksMissing(ctx, x.service.Clone.Repo)
	if err != nil {
		x.add(doctor.Problem, "git's hooks", "", "%v", err)
	}
	for _, lost := range missing {
		x.add(doctor.Remark, "git's hooks", "'git brew init' puts the hook in, or says why it can't", "%s", lost)
	}
}

// agent checks that the agent's hooks are registered, can be found and answer.
func (x *examination) agent(ctx context.Context) {
	repo := x.service.Clone.Repo
	if repo.WorkTree == "" {
		return
	}
	local, shared, err := setup.Registered(repo)
	switch {
	case err != nil:
		x.add(doctor.Problem, "agent", "the agent does not read it either; correct it", "%v", err)
		return
	case len(local)+len(shared) == 0 && setup.OtherClient(repo):
		x.answers(ctx)
		x.programAnswers(ctx)
		return
	case len(local)+len(shared) == 0:
		x.add(doctor.Remark, "agent", "'git brew init' registers them",
			"no hooks of git brew are registered with the agent here")
		return
	}
	inBoth := func(event string) bool { return slices.Contains(shared, event) } // each call is answered twice
	twice := slices.ContainsFunc(local, inBoth)
	if twice || len(local)+len(shared) != len(claude.Events()) {
		what := ui.Either(twice, "git brew's hooks are registered twice",
			"only some of git brew's hooks are registered")
		found := x.add(doctor.Problem, "agent", "'git brew doctor --fix' registers each once", "%s", what)
		found.Mends = "registers each once"
		if x.fix {
			there, err := x.service.Config.Namespace(ctx)
			if err != nil {
				return
			}
			plan, err := setup.Init(ctx, repo, setup.Options{NoAllow: true, Shared: len(shared) > 0, Namespace: there})
			found.Fixed = err == nil && plan.Apply(ctx) == nil
		}
	}
	x.answers(ctx)
	x.programAnswers(ctx)
}

// answers asks what the hook says in this repository of a tool that changes
// nothing.
func (x *examination) answers(ctx context.Context) {
	a := &adapter.Agent{Env: x.env, Open: map[hooks.Place]*app.App{}, Unrecorded: true}
	defer a.Close()
	const form = `{"hook_event_name":"PreToolUse","session_id":"doctor","cwd":%q,"tool_name":"Read","tool_input":{}}`
	payload := fmt.Sprintf(form, filepath.ToSlash(x.service.Clone.Repo.WorkTree))
	answer := hooks.Handle(ctx, a,
		hooks.Input{Stdin: strings.NewReader(payload), Getenv: x.env.Getenv, Now: x.env.Now})
	if answer.Exit != cli.ExitDone || answer.Stderr != "" {
		x.add(doctor.Problem, "agent", "the agent goes on without git brew until this is mended",
			"a hook answers with exit %d: %s", answer.Exit, answer.Stderr)
	}
}

// answerPatience is how long a program may take to say its version.
const answerPatience = 5 * time.Second

// programAnswers starts git-brew as the agent does, and looks whether it is this one:
// then a hook of it answers as answers has tried.
func (x *examination) programAnswers(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, answerPatience)
	defer cancel()
	version, err := x.service.Clone.Repo.Git.Run(ctx, "brew", "version")
	here := build.Current()
	ours := fmt.Sprintf("git-brew version %s (%s)", here.Version, here.Detail())
	switch said := strings.TrimSpace(string(version)); {
	case err != nil:
		x.add(doctor.Problem, "agent", "put the directory of git-brew into PATH, or mend it; the agent goes on without it",
			"the program that the agent starts does not answer: %v", err)
	case said != ours:
		x.add(doctor.Remark, "agent", "", "the agent starts another git-brew than this one, %s: %s", ours, ui.Safe(said))
	}
}
