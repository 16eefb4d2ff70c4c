package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/safego"
	"github.com/git-brew/git-brew/internal/shellgate"
	"github.com/git-brew/git-brew/internal/task"
)

// Input is what a hook's process is given.
type Input struct {
	// Event names the event; empty: the payload does.
	Event  string
	Stdin  io.Reader
	Getenv func(string) string
	Now    func() time.Time
}

// Output is what the process prints, and its exit status: 0 for every
// decision, 1 otherwise, never 2, which a client reads as "block".
type Output struct {
	Stdout []byte
	Stderr string // one line without its newline, or empty
	Exit   int
	// GaveUp: a call of Brew may still be running, and will not be waited for.
	GaveUp bool
}

// InCI reports whether a machine runs the agent: the environment variable CI says
// so, as all of them set it. Nobody is there to talk to or to ask, so hooks step
// aside (BW-50).
func InCI(getenv func(string) string) bool { return switchedOn(getenv("CI")) }

// switchedOn reports whether the value of a switch in the environment turns it on.
func switchedOn(value string) bool {
	switch strings.ToLower(value) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// Bypassed reports whether the environment of the agent's client says that agents
// are kept from nothing.
func Bypassed(getenv func(string) string) bool { return switchedOn(getenv("GIT_BREW_BYPASS")) }

// endLimit is how long the end of a session may take: the client allows 1.5 s
// for all that hooks do then.
const endLimit = 1300 * time.Millisecond

var errEndLimit = errors.New("it took longer than the end of a session may")

// Handle answers one hook. It never panics and returns as soon as ctx ends,
// whatever the payload, the store or Brew do. Where it gave up, a call of Brew
// may still be running: the process ends without waiting for it, and leaves to
// it what it uses.
func Handle(ctx context.Context, brew Brew, in Input) Output {
	ending, cancel := context.WithTimeoutCause(ctx, endLimit, errEndLimit)
	defer cancel()
	data, err := Read(ctx, in.Stdin, maxInput)
	run := &run{brew: brew, in: in, started: in.Now()}
	if err == nil {
		run.payload, err = decode(data)
	}
	if err != nil {
		run.payload = Payload{
			Event:   sniffEvent(data),
			Session: task.SessionName(sniff(data, "session_id")),
			Cwd:     directory(sniff(data, "cwd")),
		}
	}
	if in.Event != "" {
		run.payload.Event = in.Event
	}
	if eventNamed(run.payload.Event).Name == "SessionEnd" {
		ctx = ending
	}
	answer := func() Output {
		growStack(len(data) & 1)
		if err != nil {
			return run.malformed(ctx, err)
		}
		return run.handle(ctx)
	}
	out, ended := safego.Await(ctx, func() (Output, error) { return answer(), nil })
	if ended == nil {
		return out
	}
	if crash, is := errors.AsType[*safego.PanicError](ended); is {
		return run.failed(crash)
	}
	out = run.cannotTell(fmt.Errorf("gave up: %w", ended))
	out.GaveUp = true
	return out
}

// growStack gives a new goroutine the stack that a hook needs in one step, while
// there is nothing to copy: growing by doubling takes a twentieth of the whole
// process.
//
//go:noinline
func growStack(i int) byte {
	var room [24 << 10]byte
	room[i] = 1
	return room[i/2]
}

// run is one call of Handle.
type run struct {
	brew    Brew
	in      Input
	started time.Time
	payload Payload // set before any goroutine runs
}

func (r *run) place() Place {
	at := Place{Cwd: r.payload.Cwd, Session: r.payload.Session, ProjectDir: directory(r.in.Getenv("CLAUDE_PROJECT_DIR"))}
	if at.Session == "" {
		at.Session = task.SessionName(r.in.Getenv("CLAUDE_CODE_SESSION_ID"))
	}
	return at
}

func (r *run) call(ctx context.Context) *call {
	return &call{
		ctx: ctx, brew: r.brew, at: r.place(), p: r.payload, event: eventNamed(r.payload.Event),
		home: directory(r.in.Getenv("HOME")), getenv: r.in.Getenv, now: r.in.Now, started: r.started,
	}
}

func (r *run) handle(ctx context.Context) Output {
	if InCI(r.in.Getenv) {
		return Output{}
	}
	if r.payload.Event == "" {
		return r.failed(fmt.Errorf("%w: it names no event", ErrMalformed))
	}
	c := r.call(ctx)
	err := c.stand()
	switch {
	case errors.Is(err, ErrNothingHere), quiet(c.event.Name, err):
		return r.byPath(c)
	case err != nil:
		return r.cannotTell(err)
	}
	reply, errs := c.answer()
	if c.undecided != nil {
		return r.cannotTell(c.undecided)
	}
	return r.say(c, reply, errs...)
}

// byPath answers a session that is in no place of ours: what its tools write into a
// work tree of ours is judged there.
func (r *run) byPath(c *call) Output {
	if c.event.Name != "PreToolUse" || classify(c.p) != writingTool {
		return Output{}
	}
	files := readWrites(c.p)
	reply, answered, err := c.guard(&files)
	switch {
	case err != nil:
		return r.cannotTell(err)
	case !answered:
		return Output{}
	}
	if err := c.record(reply); err != nil && !quiet(c.event.Name, err) {
		return r.say(c, reply, err)
	}
	return r.say(c, reply)
}

// say prints a reply, and what went wrong beside it.
func (r *run) say(c *call, reply Reply, errs ...error) Output {
	out, err := reply.encode(c.event.Name)
	if err != nil {
		return r.cannotTell(err)
	}
	if len(out) == 0 && len(errs) > 0 {
		return r.failed(errs...)
	}
	return Output{Stdout: out, Stderr: line(errs...)}
}

// malformed answers input that can't be read. Where the gate is closed the call
// may be one that it would refuse, so the user is asked; where it is open, or
// there is nothing to gate, the agent goes on.
func (r *run) malformed(ctx context.Context, cause error) Output {
	if InCI(r.in.Getenv) {
		return Output{}
	}
	if eventNamed(r.payload.Event).Name != "PreToolUse" {
		return r.failed(cause)
	}
	c := r.call(ctx)
	err := c.stand()
	switch {
	case absent(err):
		return Output{}
	case err == nil && !c.view.closed():
		return r.failed(cause)
	}
	return r.ask(cause)
}

// cannotTell answers when the state can't be read in time, or at all: "ask" for
// a call that the gate might refuse, which reading never is.
func (r *run) cannotTell(cause error) Output {
	if eventNamed(r.payload.Event).Name != "PreToolUse" {
		return r.failed(cause)
	}
	switch classify(r.payload) {
	case writingTool, runningTool:
		return r.ask(cause)
	case shellTool:
		text, ok := shellCommand(r.payload)
		if v := shellgate.Judge(text, shellgate.Options{Brew: judgeBrew}); !ok || !v.ReadOnly {
			return r.ask(cause)
		}
	case otherTool, agentTool:
		if r.payload.ToolName == "" {
			return r.ask(cause)
		}
	}
	return r.failed(cause)
}

func (r *run) ask(cause error) Output {
	out, err := Ask("git-brew could not check this call: " + clean(cause.Error(), 300) +
		". Is it all right to run it?").encode("PreToolUse")
	if err != nil {
		return r.failed(cause, err)
	}
	return Output{Stdout: out, Stderr: line(cause)}
}

func (r *run) failed(causes ...error) Output { return Output{Stderr: line(causes...), Exit: 1} }

// line is what goes to standard error: one line, whatever the errors hold. That the
// repository asks for another git-brew is the reason of all that wanted to write.
func line(errs ...error) string {
	texts := make([]string, 0, len(errs))
	for _, err := range errs {
		if other, is := errors.AsType[*config.RequiredError](err); is {
			texts = []string{other.Error()}
			break
		}
		texts = append(texts, err.Error())
	}
	if len(texts) == 0 {
		return ""
	}
	return "hook: " + clean(strings.Join(texts, "; "), 500)
}
