package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/dialect"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/place"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/safego"
	"github.com/git-brew/git-brew/internal/task"
)

// Input is what a hook's process is given.
type Input struct {
	// Event names the event; empty: the payload does.
	Event string
	// Agent names the client, as dialect.Find knows it; empty: Claude Code.
	Agent  string
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

// errTooLong says that a payload was not read to its end.
var errTooLong = errors.New("too long")

// Read returns all of r, at most limit bytes, or what was read of it and an
// error. It waits no longer than ctx: a reader that never ends is left behind.
func Read(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	data, err := safego.Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(r, limit+1)) })
	switch {
	case err != nil:
		return data, fmt.Errorf("read standard input: %w", err)
	case int64(len(data)) > limit:
		return data, fmt.Errorf("%w: %w: more than %d MiB", claude.ErrMalformed, errTooLong, limit>>20)
	}
	return data, nil
}

// endLimit is how long the end of a session may take: the client allows 1.5 s
// for all that hooks do then.
const endLimit = 1300 * time.Millisecond

var errEndLimit = errors.New("it took longer than the end of a session may")

// call is one run of a hook: what the gate is asked with, and what else handlers need.
type call struct {
	gate.Call
	brew    Brew
	dialect dialect.Dialect
	event   string
	now     func() time.Time
	started time.Time
	// What handlers add to the event that is recorded: the agent by its plain name; the
	// source, reason, trigger or kind that the payload carries; whether a sub-agent failed.
	agent, detail string
	failed        bool
}

// Handle answers one hook. It never panics and returns as soon as ctx ends,
// whatever the payload, the store or Brew do. Where it gave up, a call of Brew
// may still be running: the process ends without waiting for it, and leaves to
// it what it uses.
func Handle(ctx context.Context, brew Brew, in Input) Output {
	ending, cancel := context.WithTimeoutCause(ctx, endLimit, errEndLimit)
	defer cancel()
	c := &call{Call: gate.Call{Ctx: ctx, Brew: brew, Getenv: in.Getenv}, brew: brew, now: in.Now, started: in.Now()}
	data, err := Read(ctx, in.Stdin, claude.MaxInput)
	client := in.Agent
	switch by := dialect.StartedBy(data, in.Getenv); { // others read these two's files, too
	case client == "":
		client = by
	case client == "copilot" && by == "vscode":
		client = by
	}
	var known bool
	if c.dialect, known = dialect.Find(client); !known { // how it reads an answer, nobody knows
		return Output{Stderr: "hook: the agent " + protocol.Quoted(client, 60) + " is unknown; there are " + dialect.Names}
	}
	if err == nil {
		c.Payload, err = c.dialect.Decode(data)
	}
	if err != nil {
		c.Payload = claude.Guess(data)
	}
	if InCI(in.Getenv) {
		return Output{}
	}
	p := c.Payload
	c.event = eventName(cmp.Or(in.Event, p.Event))
	c.agent, c.detail = task.AgentName(p.AgentType), protocol.Clean(p.Kind, 60)
	if c.event == "SessionEnd" {
		c.Ctx = ending
	}
	c.At = Place{
		Cwd: p.Cwd, ProjectDir: claude.Path(in.Getenv("CLAUDE_PROJECT_DIR")),
		Session: cmp.Or(p.Session, ShellSession(in.Getenv)), Client: cmp.Or(client, "claude-code"),
	}
	if in.Agent == "" && client != "" && brew.HasOwnHooks(client, c.At) { // which answer, too
		return Output{}
	}
	out, ended := safego.Await(c.Ctx, func() (Output, error) {
		growStack(len(data) & 1)
		return c.run(err), nil
	})
	if ended == nil {
		return out
	}
	if crash, is := errors.AsType[*safego.PanicError](ended); is {
		return failure(c.dialect, crash)
	}
	out = c.cannotTell(fmt.Errorf("gave up: %w", ended)) // of what no handler changes
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

// run answers the event. Unread is why its payload could not be read: where the gate is
// closed the call may be one that it would refuse, so the user is asked; where it is open,
// or there is nothing to gate, the agent goes on, but with what is too long where the
// gate is guarded: that may write what opens it.
func (c *call) run(unread error) Output {
	if unread == nil && c.event == "" {
		unread = fmt.Errorf("%w: it names no event", claude.ErrMalformed)
	}
	if unread != nil && c.event != "PreToolUse" {
		return failure(c.dialect, unread)
	}
	err := c.stand()
	switch {
	case unread != nil && place.Absent(err):
		return Output{}
	case unread != nil && err == nil && !c.View.Closed() && !(c.View.Guarded && errors.Is(unread, errTooLong)):
		return failure(c.dialect, unread)
	case unread != nil:
		return ask(c.dialect, unread)
	case errors.Is(err, place.ErrNothingHere), quiet(c.event, err):
		return c.byPath()
	case err != nil:
		return c.cannotTell(err)
	}
	reply, errs := c.answer()
	if c.Undecided != nil {
		return c.cannotTell(c.Undecided)
	}
	return c.say(reply, errs...)
}

// byPath answers a session that is in no place of ours: what its tools write into a
// work tree of ours is judged there.
func (c *call) byPath() Output {
	if c.event != "PreToolUse" {
		return Output{}
	}
	reply, err := c.Writes()
	switch {
	case err != nil:
		return c.cannotTell(err)
	case reply.Permission == "":
		return Output{}
	}
	if err := c.record(reply); err != nil && !quiet(c.event, err) {
		return c.say(reply, err)
	}
	return c.say(reply)
}

// say prints a reply, and what went wrong beside it.
func (c *call) say(reply Reply, errs ...error) Output {
	out, err := c.dialect.Encode(c.event, reply)
	if err != nil {
		return c.cannotTell(err)
	}
	if len(out) == 0 && len(errs) > 0 {
		return failure(c.dialect, errs...)
	}
	return Output{Stdout: out, Stderr: line(errs...)}
}

// cannotTell answers when the state can't be read in time, or at all: "ask" for
// a call that the gate might refuse, which reading never is.
func (c *call) cannotTell(cause error) Output {
	if c.event == "PreToolUse" && gate.MayRefuse(c.Payload) {
		return ask(c.dialect, cause)
	}
	return failure(c.dialect, cause)
}

func ask(d dialect.Dialect, cause error) Output {
	out, err := d.Encode("PreToolUse",
		protocol.Ask("git-brew could not check this call: "+protocol.Clean(cause.Error(), 300)+
			"."+protocol.IsItRight))
	if err != nil {
		return failure(d, cause, err)
	}
	return Output{Stdout: out, Stderr: line(cause)}
}

func failure(d dialect.Dialect, causes ...error) Output {
	return Output{Stderr: line(causes...), Exit: d.Failed()}
}

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
	return "hook: " + protocol.Clean(strings.Join(texts, "; "), 500)
}
