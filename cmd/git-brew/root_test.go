package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// What is built for a command line is what it asks for, under the name that the
// command gives itself.
func TestRoot_buildsWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	all := verbs(newRootCmd(&env{}))
	for _, group := range commandGroups {
		for _, c := range group.commands {
			if name := c.make(&env{}).Name(); name != c.name {
				t.Errorf("%s is in the list of commands as %s", name, c.name)
			}
		}
	}
	for _, tc := range []struct {
		args []string
		want []string
	}{
		{[]string{"next"}, []string{"next"}},
		{[]string{"-C", "x", "--json", "phase", "start"}, []string{"phase"}},
		{withDefaultCommand(nil), []string{"status"}},
		{[]string{"--session", "s1", "-h"}, all},
		{[]string{"help", "next"}, all},
		{[]string{"completion", "bash"}, all},
		{[]string{cobra.ShellCompRequestCmd, "next", ""}, all},
		{[]string{"nxt"}, all},
		{[]string{""}, all},
		{[]string{"-v"}, all},
	} {
		if got := verbs(newRootCmdFor(&env{}, tc.args)); !slices.Equal(got, tc.want) {
			t.Errorf("for %q: %q, want %q", tc.args, got, tc.want)
		}
	}
}

// aboutTasks are the commands that are about a task itself: they name it as an argument.
var aboutTasks = []string{
	"archive", "delete", "diff", "edit", "finish", "graph", "log", "next", "pause", "purge", "show", "start", "status", "switch", "undo",
	"lock acquire", "lock bind", "lock release", "lock renew", "lock show",
}

// aboutNoTask are the commands that act on no task that there is: on the repository, the
// work tree, the project, all tasks.
var aboutNoTask = []string{
	"backlog", "backlog add", "backlog done", "backlog list", "backlog promote", "completion", "config", "config get", "config list", "config set", "config unset",
	"create", "doctor", "help", "hook", "init", "list", "lock", "lock list", "mode", "pipeline", "pipeline check", "pipeline set", "pipeline show",
	"session correlate", "session show", "statusline", "sync", "trigger", "trigger add", "trigger list", "trigger rm",
	"trust", "trust add", "trust list", "trust rm", "uninit", "version",
}

// TestRoot_oneRuleForTasks: a positional <task> stands only where the task is what the
// verb is about; every other command that acts on a task has --task.
func TestRoot_oneRuleForTasks(t *testing.T) {
	e, _, _ := testEnv()
	known := map[string]bool{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		name := strings.TrimPrefix(cmd.CommandPath(), "git brew ")
		if !cmd.HasParent() || !cmd.Runnable() {
			return
		}
		known[name] = true
		positional, option := strings.Contains(strings.SplitN(cmd.Use, "--task", 2)[0], "<task>"), cmd.Flags().Lookup("task") != nil
		switch about, none := slices.Contains(aboutTasks, name), slices.Contains(aboutNoTask, name); {
		case positional && !about:
			t.Errorf("%s takes a task as an argument, and is not about one", name)
		case about && (!positional || option):
			t.Errorf("%s is about a task: it takes one as an argument, and has no --task", name)
		case none && option:
			t.Errorf("%s has --task, and acts on none", name)
		case !about && !none && !option:
			t.Errorf("%s acts on a task, and has no --task", name)
		}
	}
	walk(newRootCmd(e))
	for _, name := range append(slices.Clone(aboutTasks), aboutNoTask...) {
		if !known[name] {
			t.Errorf("there is no %s", name)
		}
	}
}
