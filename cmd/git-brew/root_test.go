package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/command"
)

// What is built for a command line is what it asks for, under the name that the
// command gives itself.
func TestRoot_buildsWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	all := cli.Verbs(newRootCmd(&cli.Env{}))
	for _, group := range commandGroups {
		for _, c := range group.commands {
			if name := c.declare().Cobra(&cli.Env{}).Name(); name != c.name {
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
		if got := cli.Verbs(newRootCmd(&cli.Env{}, tc.args...)); !slices.Equal(got, tc.want) {
			t.Errorf("for %q: %q, want %q", tc.args, got, tc.want)
		}
	}
}

// ruleOf is what holds of a command by the table of commands.
func ruleOf(t *testing.T, path string) command.Rule {
	t.Helper()
	name, word, _ := strings.Cut(path, " ")
	rule, found := command.Find(name, word)
	if !found || rule.Word() == "*" {
		t.Errorf("'git brew %s' has no row in internal/command", path)
	}
	return rule
}

// TestRoot_oneRuleForTasks: a positional <task> stands only where the task is what the
// verb is about; every other command that acts on a task has --task.
func TestRoot_oneRuleForTasks(t *testing.T) {
	e, _, _ := testEnv()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		name := strings.TrimPrefix(cmd.CommandPath(), "git brew ")
		if !cmd.HasParent() || !cmd.Runnable() {
			return
		}
		positional, option := strings.Contains(strings.SplitN(cmd.Use, "--task", 2)[0], "<task>"),
			cmd.Flags().Lookup("task") != nil
		rule := ruleOf(t, name)
		switch about, none := rule.Has(command.OfTask), !rule.Has(command.OfTask) && !rule.Has(command.OnTask); {
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
}
