package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// SP-15: whoever says why says so with -m, whatever the command; --reason and --why
// are older words for it.
func TestReason_SP15_oneNameForIt(t *testing.T) {
	t.Parallel()
	takers := 0
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			says := strings.HasPrefix(f.Usage, "say `why`") || slices.Contains([]string{"why", "because", "reason"}, f.Name)
			if says && f.Name != "message" {
				t.Errorf("'%s --%s' says why", cmd.CommandPath(), f.Name)
			}
			if f.Name != "message" {
				return
			}
			takers++
			if err := cmd.ParseFlags([]string{"--why", "slow"}); err != nil || f.Value.String() != "slow" {
				t.Errorf("'%s --why slow': %q, %v", cmd.CommandPath(), f.Value, err)
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRootCmd(&cli.Env{}))
	if takers < 12 {
		t.Errorf("%d commands take a reason", takers)
	}
}
