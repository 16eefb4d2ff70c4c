package main

import (
	"os"
	"os/signal"
	"os/user"
	"strconv"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/build"
	"github.com/git-brew/git-brew/internal/cli/terminal"
	"github.com/git-brew/git-brew/internal/hooks"
)

// systemEnv is the real outside world.
func systemEnv() *cli.Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = "." // opening the repository will say what is wrong with it
	}
	columns, isTerminal := terminal.Size(os.Stdout)
	_, errTerminal := terminal.Size(os.Stderr)
	_, inTerminal := terminal.Size(os.Stdin)
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return &cli.Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now,
		Dir: dir, Terminal: isTerminal, Columns: columns, ErrTerminal: errTerminal, Attended: isTerminal || errTerminal ||
			inTerminal, Host: host, User: userName(),
		Above:           sync.OnceValue(func() string { return hooks.AgentAbove(os.Getppid(), processOf) }),
		IgnoreInterrupt: func() { signal.Ignore(os.Interrupt) },
		Machine:         func() string { return machineID(systemMachineID, ownMachineID()) },
		Program:         build.Program,
		Version:         func() string { return build.Current().Version },
	}
}

// userName is the login name of whoever runs this. The system says it, not the
// environment: an agent's hooks and its shell may differ in that, and a lock's
// holder is compared by it.
func userName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "user " + strconv.Itoa(os.Getuid())
}
