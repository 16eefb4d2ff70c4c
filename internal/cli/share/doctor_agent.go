package share

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/doctor"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/adapter"
	"github.com/git-brew/git-brew/internal/cli/build"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
)

// gitHooks checks that git calls git brew when it rewrites commits and pushes.
func (x *examination) gitHooks(ctx context.Context) {
	missing, err := setup.HooksMissing(ctx, x.service.Clone.Repo)
	if err != nil {
		x.add(doctor.Problem, "git's hooks", "", "%v", err)
	}
	for _, hook := range missing {
		what, hint, _ := strings.Cut(hook.Why, "; ")
		x.add(doctor.Remark, hook.Name, hint, "%s", what)
	}
}

// agent checks that the agent's hooks are registered, can be found and answer.
func (x *examination) agent(ctx context.Context) {
	repo := x.service.Clone.Repo
	r := setup.Registered(repo)
	switch {
	case repo.WorkTree == "":
		return
	case r.Err != nil:
		x.add(doctor.Problem, r.Broken, "the agent does not read it either; correct it", "%v", r.Err)
		return
	case len(r.Local)+len(r.Shared) == 0:
		x.add(doctor.Remark, "agent", "'git brew init' registers them",
			"no hooks of git brew are registered with the agent here")
		return
	}
	twice := len(r.Local) > 0 && len(r.Shared) > 0 // each call is answered twice
	if twice || len(r.Local)+len(r.Shared) != len(claude.Events()) {
		what := ui.Either(twice, "git brew's hooks are registered twice",
			"only some of git brew's hooks are registered")
		found := x.add(doctor.Problem, "agent", "'git brew doctor --fix' registers each once", "%s", what)
		found.Mends = "registers each once"
		if x.fix {
			there, err := x.service.Config.Namespace(ctx)
			if err != nil {
				return
			}
			plan, err := setup.Init(ctx, repo, setup.Options{NoAllow: true, Shared: len(r.Shared) > 0, Namespace: there})
			found.Fixed = err == nil && plan.Apply() == nil
		}
	}
	if !x.onPath("git-brew") {
		x.add(doctor.Problem, "agent", "put the directory of git-brew into PATH",
			"the agent starts git-brew by its name, which is not in PATH")
	}
	x.answers(ctx)
	x.programAnswers(ctx)
	x.agentVersion(ctx)
}

// agentVersion holds the agent's version to those that its hooks were recorded with.
func (x *examination) agentVersion(ctx context.Context) {
	if !x.onPath(claude.Client) {
		return
	}
	said, err := runner.Run(ctx, runner.Command{
		Args: []string{claude.Client, "--version"}, Env: x.env.Environ,
		Limit: answerPatience,
	})
	if err != nil || said.Failed() {
		return
	}
	word, _, _ := strings.Cut(strings.TrimSpace(said.Output), " ")
	have, err := semver.NewVersion(word)
	if err != nil {
		return
	}
	if of, err := semver.NewConstraint(claude.Recorded); err == nil && !of.Check(have) {
		x.add(doctor.Remark, "agent", "should a hook be ignored, or answer with an error, take a version in that range",
			"the agent is %s %s; git brew's hooks were tried with %s", claude.Client, have, claude.Recorded)
	}
}

func (x *examination) onPath(name string) bool {
	for _, dir := range filepath.SplitList(x.env.Getenv("PATH")) {
		for _, suffix := range []string{"", ".exe"} {
			if info, err := os.Stat(filepath.Join(dir, name+suffix)); err == nil && !info.IsDir() {
				return true
			}
		}
	}
	return false
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
		x.add(doctor.Problem, "agent", "the agent goes on without git brew until this is mended",
			"the program that the agent starts does not answer: %v", err)
	case said != ours:
		x.add(doctor.Remark, "agent", "", "the agent starts another git-brew than this one, %s: %s", ours, ui.Safe(said))
	}
}
