package agent

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/runner"
)

// MCP is the command that serves tools to a client of the Model Context Protocol. A program of
// its own does it, so that no other command pays for the protocol's library.
func MCP() cli.Command {
	return cli.Command{
		Use: "mcp", Short: "serve tools to a client of the Model Context Protocol",
		Bare: func(c *cli.Call) (cli.Answer, error) {
			program, err := runner.Beside("git-brew-mcp")
			if err != nil {
				return cli.Answer{}, clone.Refuse("'make install' puts it beside git-brew", "git-brew-mcp is not installed")
			}
			code, err := runner.Attach(c.Ctx, program, c.Env.In, c.Env.Out, c.Env.Err)
			return cli.Answer{End: cli.ExitWith(code)}, err
		},
	}
}
