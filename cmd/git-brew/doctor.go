package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// oldestGit is the oldest git that knows all that is asked of it.
var oldestGit = [2]int{2, 30}

// doctorDocument is `doctor --json`.
type doctorDocument struct {
	OK       bool               `json:"ok"`
	Git      string             `json:"git"`
	Findings []workflow.Finding `json:"findings"`
}

func newDoctorCmd(e *env) *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:   "doctor [--fix]",
		Short: "check what git brew keeps here, and what init arranged",
		Long: `Reads every record anew and compares it with its history, looks for stale
locks, missing refspecs and notes, and whether the agent's hooks are
registered and answer. Exits with 1 while a problem remains; what is only
untidy is a remark. --fix mends what can be mended without loss.`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			x := &examination{env: e, service: service, fix: fix}
			if err := x.run(cmd.Context()); err != nil {
				return err
			}
			return x.print()
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "mend what can be mended without loss")
	return cmd
}

// examination is one run of the doctor.
type examination struct {
	env     *env
	service *workflow.Service
	fix     bool
	git     string
	found   []workflow.Finding
}

func (x *examination) add(severity workflow.Severity, what, hint, format string, args ...any) *workflow.Finding {
	x.found = append(x.found, workflow.Finding{Severity: severity, What: what, Message: fmt.Sprintf(format, args...), Hint: hint})
	return &x.found[len(x.found)-1]
}

func (x *examination) run(ctx context.Context) error {
	if err := x.gitVersion(ctx); err != nil {
		return err
	}
	x.writable()
	found, err := x.service.Doctor(ctx, x.fix)
	if err != nil {
		return err
	}
	x.found = append(x.found, found...)
	x.gitHooks(ctx)
	x.agent(ctx)
	return nil
}

func (x *examination) gitVersion(ctx context.Context) error {
	out, err := x.service.Repo().Git(ctx, "version")
	if err != nil {
		return err
	}
	x.git = strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
	parts := strings.SplitN(x.git, ".", 3)
	if len(parts) < 2 {
		return nil
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	if err1 == nil && err2 == nil && (major < oldestGit[0] || major == oldestGit[0] && minor < oldestGit[1]) {
		x.add(workflow.Problem, "git", fmt.Sprintf("install git %d.%d or newer", oldestGit[0], oldestGit[1]), "git %s is too old", x.git)
	}
	return nil
}

// writable tries whether the git directory can be written to.
func (x *examination) writable() {
	for _, dir := range []string{x.service.Repo().CommonDir(), filepath.Join(x.service.Repo().CommonDir(), "objects")} {
		file, err := os.CreateTemp(dir, "brew-doctor-")
		if err != nil {
			x.add(workflow.Problem, "git directory", "it is read-only, full, or somebody else's", "%s can't be written to: %v", dir, err)
			return
		}
		_ = file.Close()
		_ = os.Remove(file.Name())
	}
}

// gitHooks checks that git calls git brew when it rewrites commits and pushes.
func (x *examination) gitHooks(ctx context.Context) {
	missing, err := setup.HooksMissing(ctx, x.service.Repo())
	if err != nil {
		x.add(workflow.Problem, "git's hooks", "", "%v", err)
	}
	for _, hook := range missing {
		what, hint, _ := strings.Cut(hook.Why, "; ")
		x.add(workflow.Remark, hook.Name, hint, "%s", what)
	}
}

// agent checks that the agent's hooks are registered, can be found and answer.
func (x *examination) agent(ctx context.Context) {
	repo := x.service.Repo()
	r := setup.Registered(repo)
	switch {
	case repo.WorkTree() == "":
		return
	case r.Err != nil:
		x.add(workflow.Problem, r.Broken, "the agent does not read it either; correct it", "%v", r.Err)
		return
	case !r.Any():
		x.add(workflow.Remark, "agent", "'git brew init' registers them", "no hooks of git brew are registered with the agent here")
		return
	}
	if !r.Complete() || r.Twice() {
		what := "only some of git brew's hooks are registered"
		if r.Twice() {
			what = "git brew's hooks are registered twice"
		}
		found := x.add(workflow.Problem, "agent", "'git brew doctor --fix' registers each once", "%s", what)
		if x.fix {
			plan, err := setup.Init(ctx, repo, setup.Options{Shared: len(r.Shared) > 0})
			found.Fixed = err == nil && plan.Apply() == nil
		}
	}
	if !x.onPath("git-brew") {
		x.add(workflow.Problem, "agent", "put the directory of git-brew into PATH", "the agent starts git-brew by its name, which is not in PATH")
	}
	x.answers(ctx)
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

// answers calls the hook as the agent would, for a tool that changes nothing.
func (x *examination) answers(ctx context.Context) {
	a := &agent{env: x.env, open: map[hooks.Place]*workflow.Service{}}
	defer a.close()
	payload := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"doctor","cwd":%q,"tool_name":"Read","tool_input":{}}`,
		filepath.ToSlash(x.service.Repo().WorkTree()))
	answer := hooks.Handle(ctx, unrecorded{a}, hooks.Input{Stdin: strings.NewReader(payload), Getenv: x.env.Getenv, Now: x.env.Now})
	if answer.Exit != exitDone || answer.Stderr != "" {
		x.add(workflow.Problem, "agent", "the agent goes on without git brew until this is mended", "a hook answers with exit %d: %s", answer.Exit, answer.Stderr)
	}
}

// unrecorded is the agent's side of a call that leaves no event.
type unrecorded struct{ *agent }

func (unrecorded) Record(context.Context, hooks.Place, event.Event) error { return nil }

func (x *examination) print() error {
	e := x.env
	remain := 0
	for _, f := range x.found {
		if f.Severity == workflow.Problem && !f.Fixed {
			remain++
		}
	}
	code := exitDone
	if remain > 0 {
		code = exitFailed
	}
	switch {
	case e.Flags.JSON:
		if err := ui.JSON(e.Out, doctorDocument{remain == 0, x.git, list(x.found)}); err != nil {
			return err
		}
		return exitWith(code)
	case e.Flags.Porcelain:
		for _, f := range x.found {
			if err := ui.Record(e.Out, string(f.Severity), strconv.FormatBool(f.Fixed), f.What, f.Message, f.Hint); err != nil {
				return err
			}
		}
		return exitWith(code)
	}
	style := e.colours(x.service)
	for _, f := range x.found {
		sign := style.Warn(string(f.Severity))
		if f.Severity == workflow.Problem {
			sign = style.Bad(string(f.Severity))
		}
		if f.Fixed {
			sign = style.Good("fixed")
		}
		fmt.Fprintf(e.Out, "%s  %s: %s\n", ui.Pad(sign, 7), ui.Safe(f.What), oneLine(f.Message))
		if f.Hint != "" && !f.Fixed {
			fmt.Fprintf(e.Out, "         %s\n", style.Dim(ui.Safe(f.Hint)))
		}
	}
	if remain == 0 {
		e.say("No problems (git %s).", ui.Safe(x.git))
	}
	return exitWith(code)
}
