package main

import (
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/build"
)

func versionCommand() cli.Command {
	return cli.Command{Use: "version", Short: "print the version", Bare: version}
}

func version(c *cli.Call) (cli.Answer, error) {
	v := build.Current()
	return cli.Answer{JSON: v, Records: cli.Record(v.Version, v.Commit, v.Go), Text: func() {
		c.Line("git-brew version " + v.Version + " (" + v.Detail() + ")")
	}}, nil
}
