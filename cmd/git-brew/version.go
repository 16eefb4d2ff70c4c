package main

import (
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/build"
	"github.com/spf13/cobra"
)

func newVersionCmd(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  cli.Between(0, 0),
		RunE:  func(*cobra.Command, []string) error { return printVersion(e) },
	}
}

func printVersion(e *cli.Env) error {
	v := build.Current()
	c := &cli.Call{Env: e}
	return c.Print(cli.Answer{JSON: v, Records: cli.Record(v.Version, v.Commit, v.Go), Text: func() {
		c.Line("git-brew version " + v.Version + " (" + v.Detail() + ")")
	}})
}
