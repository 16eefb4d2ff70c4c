package main

import (
	"slices"
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
