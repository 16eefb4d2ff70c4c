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
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/ledger"
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
	case repo.WorkTree() == "":
		return
	case r.Err != nil:
		x.add(doctor.Problem, r.Broken, "the agent does not read it either; correct it", "%v", r.Err)
		return
	case !r.Any():
		x.add(doctor.Remark, "agent", "'git brew init' registers them",
			"no hooks of git brew are registered with the agent here")
		return
	}
	if !r.Complete() || r.Twice() {
		what := "only some of git brew's hooks are registered"
		if r.Twice() {
			what = "git brew's hooks are registered twice"
		}
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

// trialCall is the client's payload for a call of tool in dir.
func trialCall(tool, dir, input string) string {
	const form = `{"hook_event_name":"PreToolUse","session_id":"doctor","cwd":%q,"tool_name":%q,"tool_input":%s}`
	return fmt.Sprintf(form, filepath.ToSlash(dir), tool, input)
}

// answers asks what the hook says in this repository of a tool that changes
// nothing.
func (x *examination) answers(ctx context.Context) {
	a := &adapter.Agent{Env: x.env, Open: map[hooks.Place]*app.App{}}
	defer a.Close()
	payload := trialCall("Read", x.service.Clone.Repo.WorkTree(), "{}")
	answer := hooks.Handle(ctx, unrecorded{a},
		hooks.Input{Stdin: strings.NewReader(payload), Getenv: x.env.Getenv, Now: x.env.Now})
	if answer.Exit != cli.ExitDone || answer.Stderr != "" {
		x.add(doctor.Problem, "agent", "the agent goes on without git brew until this is mended",
			"a hook answers with exit %d: %s", answer.Exit, answer.Stderr)
	}
}

// unrecorded is the agent's side of a call that leaves no event.
type unrecorded struct{ *adapter.Agent }

func (unrecorded) Record(context.Context, hooks.Place, event.Event) error { return nil }

// answerPatience is how long the program that the agent starts may take to
// answer: a hook is over in 2 s.
const answerPatience = 5 * time.Second

// programAnswers starts git-brew as it is found, with a recorded call, and looks
// at what it answers. It does so in a repository that is made for that, where
// writing is denied, so that nothing of it stays.
func (x *examination) programAnswers(ctx context.Context) {
	dir, err := os.MkdirTemp("", "git-brew-doctor-")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		err = makeGated(dir)
	}
	var repo *gitstore.Repo
	if err == nil {
		repo, err = gitstore.Open(gitstore.Options{
			Dir: dir, Environ: elsewhere(x.env.Environ), Name: cli.StoreName,
			Now: x.env.Now,
		})
	}
	if err != nil {
		x.add(doctor.Remark, "agent", "", "whether hooks answer could not be tried: %v", err)
		return
	}
	defer func() { _ = repo.Close() }()
	ctx, cancel := context.WithTimeout(ctx, answerPatience)
	defer cancel()
	input := fmt.Sprintf(`{"file_path":%q,"content":""}`, filepath.ToSlash(filepath.Join(dir, "file")))
	payload := trialCall("Write", dir, input)
	const hint = "the agent goes on without git brew until this is mended"
	answer, err := repo.Git.Input(ctx, []byte(payload), "brew", "hook")
	switch {
	case err != nil:
		x.add(doctor.Problem, "agent", hint, "the hook does not answer: %v", err)
		return
	case !strings.Contains(string(answer), `"permissionDecision":"deny"`):
		x.add(doctor.Problem, "agent", hint, "the hook does not deny what it should: it answers %s",
			ui.Truncate(ui.Safe(string(answer)), 200))
	}
	version, err := repo.Git.Run(ctx, "brew", "version")
	here := build.Current()
	if ours := fmt.Sprintf("git-brew version %s (%s)", here.Version, here.Detail()); err == nil &&
		strings.TrimSpace(string(version)) != ours {
		x.add(doctor.Remark, "agent", "", "the agent starts another git-brew than this one, %s: %s", ours,
			ui.Safe(strings.TrimSpace(string(version))))
	}
}

// makeGated makes a repository in which an agent may not write.
func makeGated(dir string) error {
	top := filepath.Join(dir, ".git")
	for _, name := range []string{"objects", ledger.Prefix} {
		if err := os.MkdirAll(filepath.Join(top, filepath.FromSlash(name)), 0o700); err != nil {
			return err
		}
	}
	const config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[brew]\n\tgate = always\n[brew \"mode\"]\n" +
		"\tdefault = discussion\n"
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": config} {
		if err := os.WriteFile(filepath.Join(top, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// elsewhere is the environment without what tells git, or git-brew, where it is
// and for whom.
func elsewhere(environ []string) []string {
	return gitcmd.WithoutPlace(environ, func(name string) bool {
		return name == "GIT_CEILING_DIRECTORIES" || name == "GIT_CONFIG_PARAMETERS" || strings.HasPrefix(name, "CLAUDE")
	})
}
