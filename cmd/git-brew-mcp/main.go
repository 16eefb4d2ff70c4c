// Git-brew-mcp serves git brew's tools to a client of the Model Context Protocol, on its
// standard input and output. 'git brew mcp' starts it: it is a program of its own, so that no
// hook pays for the protocol's library.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/signal"

	"github.com/git-brew/git-brew/internal/cli/build"
	"github.com/git-brew/git-brew/internal/mcpserver"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := serve(ctx); err != nil && ctx.Err() == nil {
		fmt.Fprintf(os.Stderr, "git-brew-mcp: %v\n", err)
		os.Exit(1) //nolint:gocritic // nothing is left to stop
	}
}

func serve(ctx context.Context) error {
	program, err := runner.Beside("git-brew")
	if err != nil {
		return err
	}
	s := &mcpserver.Server{Program: program, Session: "mcp-" + rand.Text()[:12], Env: os.Environ()}
	return s.MCP(build.Current().Version).Run(ctx, &mcp.StdioTransport{})
}
