package remote

import (
	"bytes"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
)

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

// stop ends the watch.
func (l *listener) stop() {
	if l.timer != nil {
		l.timer.Stop()
	}
}
