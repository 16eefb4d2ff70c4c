package worker

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/runner"
)

// Turn is one run of a worker's program.
type Turn struct {
	// Args are its command line, Dir and Env where and in what it runs, Prompt what it
	// reads on its standard input. PromptFile is written with it where a word of the
	// command line names it, as {prompt}.
	Args       []string
	Dir        string
	Env        []string
	Prompt     []byte
	PromptFile string
	// Limit is how long it may take altogether, Silence how long a client whose events are
	// known may say nothing; 0: for ever.
	Limit, Silence time.Duration
	// AfterEnd is how long a client may live on that said its turn is over; 0: afterEnd.
	AfterEnd time.Duration
	// Log gets all that it says, on both streams; nil: nobody does.
	Log io.Writer
	// Said is told the name of each event as it comes; nil: nobody is.
	Said func(event string)
	// Keeper and Held are runner.Command's.
	Keeper []string
	Held   *os.File
}

// Ended is how a turn ended.
type Ended struct {
	Report
	Said
	// Failure says why the turn counts as failed, whatever was said; "": it does not.
	Failure string
	// TimedOut: it was ended after its limit, or a silence; else it ended by itself.
	TimedOut bool
	// NotRun: its program could not be executed, for the reason in Failure: it will be so
	// with the next turn, too.
	NotRun bool
	Took   time.Duration
}

// afterEnd is how long a client may live on that said its turn is over, unless a turn says otherwise.
const afterEnd = 30 * time.Second

var (
	errSilent = errors.New("it was silent for too long")
	errOver   = errors.New("the turn is over")
)

// Client is the name of the client that a command line starts, by its program; "" where
// nobody knows its events, or it is not asked for them.
func Client(args []string) string {
	if len(args) == 0 {
		return ""
	}
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	if name == "cursor-agent" {
		name = "cursor"
	}
	if !Knows(name) || !strings.Contains(strings.Join(args[1:], " "), "json") {
		return ""
	}
	return name
}

// Run has a worker take its turn. The error says that ctx ended it (its cause), or that
// there is no file for its prompt: all else is in Ended. now is asked what time it is.
func Run(ctx context.Context, t Turn, now func() time.Time) (Ended, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	stream := NewStream(Client(t.Args))
	quiet := t.Silence
	if stream.read == nil {
		quiet = 0
	}
	w := &watch{
		stream: stream, log: t.Log, said: t.Said, quiet: quiet, stop: stop, afterEnd: cmp.Or(t.AfterEnd, afterEnd),
	}
	w.begin()
	defer w.end()
	problems := &tail{log: w}
	args, err := t.args()
	if err != nil {
		return Ended{}, err
	}
	began := now()
	r, err := runner.Run(ctx, runner.Command{
		Args: args, Dir: t.Dir, Env: t.Env, Stdin: t.Prompt, Limit: t.Limit, Show: w, Errors: problems,
		Keeper: t.Keeper, Held: t.Held,
	})
	w.end()
	ended := Ended{Took: max(now().Sub(began), 0), Report: stream.Report().within(now())}
	silent, over := errors.Is(context.Cause(ctx), errSilent), errors.Is(context.Cause(ctx), errOver)
	if err != nil && !silent && !over {
		if ctx.Err() == nil {
			ended.NotRun, ended.Failure, err = true, err.Error(), nil
		}
		return ended, err
	}
	// Gemini CLI, whose events have no type of a limit, exits with what is left of the status in eight bits.
	ended.Limited = ended.Limited || !over && Client(t.Args) == "gemini" && r.Code == tooManyRequests&0xff
	ended.Said = ReadSaid(ended.Text)
	ended.TimedOut = r.TimedOut || silent
	switch {
	case silent:
		ended.Failure = fmt.Sprintf("it said nothing for %s", t.Silence)
	case r.TimedOut:
		ended.Failure = fmt.Sprintf("it took longer than %s", t.Limit)
	case ended.Failed != "":
		ended.Failure = ended.Failed
	case !over && r.Code != 0:
		ended.Failure = strings.TrimSuffix(fmt.Sprintf("exit %d: %s", r.Code,
			cmp.Or(problems.last(), lastLines(WithoutTags(ended.Text)), stream.other)), ": ")
		ended.NotRun = r.NotRun() && strings.TrimSpace(ended.Text) == ""
	case stream.read != nil && !ended.Ended && ended.Last != "":
		ended.Failure = "its events end without a result"
	case strings.TrimSpace(ended.Text) == "":
		ended.Failure = strings.TrimSuffix("it said nothing: "+stream.other, ": ")
	}
	return ended, nil
}

// lastLines are the last three lines of a text that say something, in one.
func lastLines(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-3):], "; ")
}

// args is the command line, with the prompt's file where that is named.
func (t Turn) args() ([]string, error) {
	const name = "{prompt}"
	if !slices.ContainsFunc(t.Args, func(arg string) bool { return strings.Contains(arg, name) }) {
		return t.Args, nil
	}
	args := slices.Clone(t.Args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], name, t.PromptFile)
	}
	return args, writeAnew(t.PromptFile, t.Prompt)
}

// writeAnew writes a file in the place of whatever has its name: a link or a pipe that somebody
// put there is never opened.
func writeAnew(name string, data []byte) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// watch reads what a worker says, and ends the turn of one that says no more.
type watch struct {
	mu       sync.Mutex
	stream   *Stream
	log      io.Writer
	said     func(string)
	quiet    time.Duration
	afterEnd time.Duration
	stop     context.CancelCauseFunc
	timer    *time.Timer
	over     bool // the client said so
	last     string
}

func (w *watch) begin() {
	if w.quiet > 0 {
		w.timer = time.AfterFunc(w.quiet, func() { w.stop(errSilent) })
	}
}

func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
}

// Write takes what the worker says on its standard output.
func (w *watch) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.stream.Write(p)
	w.noted(p)
	if r := w.stream.report; r.Last != w.last && w.said != nil {
		w.said(r.Last)
	}
	w.last = w.stream.report.Last
	switch {
	case w.over:
	case w.stream.report.Ended:
		if w.over = true; w.timer != nil {
			w.timer.Stop()
		}
		w.timer = time.AfterFunc(w.afterEnd, func() { w.stop(errOver) })
	case w.timer != nil:
		w.timer.Reset(w.quiet)
	}
	return len(p), nil
}

func (w *watch) noted(p []byte) {
	if w.log != nil {
		_, _ = w.log.Write(p)
	}
}

// tail keeps the end of what a worker says on its standard error.
type tail struct {
	log *watch
	buf []byte
}

const maxTail = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	t.log.noted(p)
	t.buf = append(t.buf, p[max(0, len(p)-maxTail):]...)
	t.buf = t.buf[max(0, len(t.buf)-maxTail):]
	return len(p), nil
}

func (t *tail) last() string {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	text := bytes.TrimSpace(t.buf)
	return strings.ToValidUTF8(string(text[bytes.LastIndexByte(text, '\n')+1:]), "?")
}
