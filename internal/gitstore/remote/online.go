package remote

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
)

// Patience says how long a git that talks to a remote is waited for. What is 0 has
// no end.
type Patience struct {
	// Silence is how long nothing may be heard of it.
	Silence time.Duration
	// Login is how long nothing may be heard before the remote's first word, where
	// that is longer than Silence: ssh may be asking a person for a passphrase.
	Login time.Duration
	// Whole is how long it may take in all.
	Whole time.Duration
}

// SilentError says that git was ended because nothing was heard of a remote.
type SilentError struct {
	After time.Duration
}

func (e *SilentError) Error() string { return fmt.Sprintf("no answer in %s", e.After) }

// Run is Git for a command that talks to a remote. One that is silent for
// longer than p allows is ended, with what it started: a *SilentError. The time in
// which git asks a person for a name and a password counts for nothing. A ref here
// that is broken stops nothing: git passes over it.
func (r *Client) Run(ctx context.Context, p Patience, args ...string) ([]byte, error) {
	return r.online(ctx, p, args, func(ctx context.Context, args []string) *exec.Cmd {
		cmd := r.at.Git.Command(ctx, args...)
		cmd.Env = gitcmd.Environ(cmd.Env).With("LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_REF_PARANOIA=0")
		return cmd
	})
}

// commandFor describes a git process.
type commandFor func(ctx context.Context, args []string) *exec.Cmd

// online runs a command that talks to a remote under a watch.
func (r *Client) online(ctx context.Context, p Patience, args []string, command commandFor) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if p.Whole > 0 {
		whole := time.AfterFunc(p.Whole, func() { cancel(&SilentError{p.Whole}) })
		defer whole.Stop()
	}
	slow, err := r.slowest(ctx, p)
	if err != nil {
		return nil, err
	}
	args = append(slow, args...)
	cmd := command(ctx, args)
	if p.Silence > 0 {
		cmd.Env = traced(cmd.Env)
	}
	cmd.Cancel = func() error { return gitcmd.EndTree(cmd.Process) }
	heard := newListener(p, len(slow) > 0, func(after time.Duration) { cancel(&SilentError{after}) })
	defer heard.stop()
	out, err := gitcmd.OutputTo(ctx, cmd, nil, heard, args)
	var failed *gitcmd.CommandError
	if len(slow) > 0 && errors.As(err, &failed) && strings.Contains(failed.Stderr, tooSlow) {
		err = &SilentError{p.Silence}
	}
	return out, err
}

// tooSlow are curl's words for a transfer that it gave up by the settings of slowest.
const tooSlow = "Operation too slow"

// slowest are the settings by which git itself gives up a server of http that sends
// and takes nothing: there it sees every byte, and does not count the time in which
// it asks for a login. None where the person has a limit of their own, which may be
// another server's, or none: the watch here goes on then.
func (r *Client) slowest(ctx context.Context, p Patience) ([]string, error) {
	config, err := r.config.Read(ctx)
	if err != nil || p.Silence <= 0 {
		return nil, err
	}
	for key := range config.WithPrefix("http.") {
		if strings.Contains(key, ".lowspeed") {
			return nil, nil
		}
	}
	if r.at.Git.Env.Get("GIT_HTTP_LOW_SPEED_LIMIT") != "" || r.at.Git.Env.Get("GIT_HTTP_LOW_SPEED_TIME") != "" {
		return nil, nil
	}
	seconds := int((p.Silence + time.Second - 1) / time.Second)
	return []string{"-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=" + strconv.Itoa(seconds)}, nil
}

// Silence are the variables that keep git, and what it asks for credentials,
// from asking a person.
func (r *Client) Silence(ctx context.Context) []string {
	variables := []string{"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never"}
	config, err := r.config.Read(ctx)
	if err != nil {
		return variables
	}
	own, _ := config.Get("core.sshcommand")
	if own == "" && r.at.Git.Env.Get("GIT_SSH_COMMAND") == "" && r.at.Git.Env.Get("GIT_SSH") == "" {
		variables = append(variables, "GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	}
	return variables
}
