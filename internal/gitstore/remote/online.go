package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"sync"
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

// What git tells of its protocol on standard error, beside its progress: the lines
// of the exchange, and the headers of http without the data.
const (
	tracePacket = "GIT_TRACE_PACKET"
	traceHTTP   = "GIT_TRACE_CURL"
	traceNoData = "GIT_TRACE_CURL_NO_DATA"
)

// Lines of these traces hold the names of git's own source files. The last one says
// that a server of http has answered.
var (
	packetLine = []byte(" pkt-line.c:")
	httpLine   = []byte(" http.c:")
	httpAnswer = []byte("<= Recv header")
)

// traced is an environment in which git tells all that. A trace that a person wants
// elsewhere goes there.
func traced(env gitcmd.Environ) gitcmd.Environ {
	if env.Get(tracePacket) == "" {
		env = env.With(tracePacket + "=1")
	}
	if env.Get(traceHTTP) == "" {
		env = env.With(traceHTTP+"=1", traceNoData+"=1")
	}
	return env
}

// listener is the standard error of a git that talks to a remote. All that comes is
// a sign of life; what it keeps are the messages.
type listener struct {
	messages gitcmd.Tail
	line     []byte // begun
	silence  time.Duration
	limited  bool // git gives up a silent server of http by itself

	mu    sync.Mutex
	limit time.Duration // before the first word of the remote, Patience.Login; 0: for ever
	timer *time.Timer   // nil: there is none
}

// newListener is a listener that calls silent with how long nothing was heard, as
// soon as that is longer than p allows. Limited: git was given the limits of slowest,
// and is the one to watch a server of http that has answered.
func newListener(p Patience, limited bool, silent func(after time.Duration)) *listener {
	l := &listener{silence: p.Silence, limited: limited, limit: max(p.Silence, p.Login)}
	if p.Silence > 0 {
		l.timer = time.AfterFunc(l.limit, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.limit > 0 {
				silent(l.limit)
			}
		})
	}
	return l
}

func (l *listener) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		l.line = append(l.line, line...)
		if !whole {
			break
		}
		l.take()
		p = rest
	}
	if len(l.line) > gitcmd.TailSize {
		l.line = append(l.line[:0], l.line[len(l.line)-gitcmd.TailSize:]...)
	}
	l.heard()
	return n, nil
}

func (l *listener) heard() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil && l.limit > 0 {
		l.timer.Reset(l.limit)
	}
}

// wait changes how long nothing may be heard; 0: git itself ends the command then.
func (l *listener) wait(limit time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limit = min(l.limit, limit); l.limit == 0 {
		l.stop()
	}
}

// take keeps the line that was begun, unless it is none for people: one of the
// trace, or of the refs that a fetch moved, all of which went well. Of a line that
// was written over, as progress is, it keeps how it ended.
func (l *listener) take() {
	line := bytes.TrimRight(l.line, "\r")
	l.line = l.line[:0]
	line = line[bytes.LastIndexByte(line, '\r')+1:]
	switch {
	case bytes.Contains(line, packetLine):
		l.wait(l.silence)
	case bytes.Contains(line, httpLine):
		if l.limited && bytes.Contains(line, httpAnswer) {
			l.wait(0) // git watches it from here on, and may be asking a person
		}
	case bytes.HasPrefix(line, []byte(" ")) && !bytes.HasPrefix(line, []byte(" !")):
	default:
		_, _ = l.messages.Write(append(line, '\n')) // it always can
	}
}

// String is what git said, the end of it. Nothing is written any more.
func (l *listener) String() string {
	if len(l.line) > 0 {
		l.take()
	}
	return l.messages.String()
}

func (l *listener) stop() {
	if l.timer != nil {
		l.timer.Stop()
	}
}
