package main

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

func TestCompleteByUse(t *testing.T) {
	const none, file = cobra.ShellCompDirectiveNoFileComp, cobra.ShellCompDirectiveDefault
	for _, c := range []struct {
		use       string
		args      []string
		values    []string
		directive cobra.ShellCompDirective
	}{
		{"version", nil, nil, none},
		{"completion bash|zsh|fish", nil, []string{"bash", "zsh", "fish"}, none},
		{"completion bash|zsh|fish", []string{"bash"}, nil, none},
		{"mode [discussion|implementation|toggle]", nil, []string{"discussion", "implementation", "toggle"}, none},
		{"set <name> <file>|-", []string{"plan"}, nil, file},
		{"report [<options>] <phase> <file>|-", []string{"1"}, nil, file},
		{"approve [<phase>]", []string{"1"}, nil, none},
		{"init [--shared | --no-agent] [--remote <name>] [-n]", nil, nil, none},
		{"report <phase> --agent <name> [--verify] <file>|-", []string{"1"}, nil, file},
		{"set [--shared] <key> <value>...", []string{"gate"}, nil, none},
		{"get <name>", nil, []string{"plan", "spec", "research", "roadmap", "context", "final", "changelog"}, none},
		{"create [<options>] <title>", nil, nil, none},
		{"diff [<options>] [<task>] [-- <path>...]", []string{"a", "b"}, nil, file},
		{"log [<task>] [<git-log-options>...]", []string{"a", "b", "c"}, nil, file},
		// Without a repository there is no task, and no word about it.
		{"start [<options>] [<task>]", nil, nil, none},
		{"switch <task>|-", nil, []string{"-"}, none},
	} {
		e, _, errs := testEnv()
		values, directive := completeByUse(e, c.use)(&cobra.Command{}, c.args, "")
		if !slices.Equal(values, c.values) || directive != c.directive || errs.Len() > 0 {
			t.Errorf("%s, after %q: %q, %v, want %q, %v; said %q", c.use, c.args, values, directive, c.values, c.directive, errs)
		}
	}
}
