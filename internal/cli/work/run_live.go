package work

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/app/run"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ui"
)

// liveRun shows on a terminal how a run stands, below the lines of what happens.
type liveRun struct {
	c      *cli.Call
	style  ui.Style
	mu     sync.Mutex
	to     io.Writer
	out    ui.Screen
	stands *run.Standing // nil: nothing is shown yet, or any more
}

const liveEvery = time.Second

// canLive reports whether a live view can be shown: on a terminal that colours, to a person.
func canLive(c *cli.Call) bool {
	return c.ErrTerminal && !c.Flags.Quiet && !c.Flags.JSON && !c.Flags.Porcelain && c.Getenv("NO_COLOR") == "" &&
		c.Getenv("TERM") != "dumb"
}

// newLive begins a live view. end leaves the terminal as it was before the view.
func newLive(c *cli.Call) (live *liveRun, end func()) {
	l := &liveRun{c: c, style: c.Style(), to: c.Err}
	c.Env.Err = l
	stop := make(chan struct{})
	go func() {
		defer func() { _ = recover() }() // a crash exits with 2
		again := time.NewTicker(liveEvery)
		defer again.Stop()
		for {
			select {
			case <-again.C:
				l.draw(nil, nil)
			case <-stop:
				return
			}
		}
	}()
	return l, func() { close(stop); l.end() }
}

// tell shows what happened, above the view.
func (l *liveRun) tell(e run.Event) {
	if e.Kind != run.Beat { // the view shows it
		l.draw(linesOf(l.c, e), nil)
	}
}

func (l *liveRun) show(at run.Standing) { l.draw(nil, &at) }

// draw writes lines, and the view anew below them: of the same standing, where there is no new one.
func (l *liveRun) draw(above []string, at *run.Standing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at != nil {
		l.stands = at
	}
	var lines []string
	columns, rows := l.c.Size()
	if l.stands != nil {
		lines = l.style.Run(*l.stands, l.c.Now(), columns, rows)
	}
	if len(above)+len(lines) > 0 {
		_, _ = io.WriteString(l.to, l.out.Frame(above, lines, columns))
	}
}

// Write shows lines of others, such as what a hook prints, above the view. What ends no line is
// about a moment, and stands below it.
func (l *liveRun) Write(p []byte) (int, error) {
	text, whole := strings.CutSuffix(string(p), "\n")
	if !whole {
		return l.to.Write(p)
	}
	l.draw(strings.Split(text, "\n"), nil)
	return len(p), nil
}

func (l *liveRun) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	columns, _ := l.c.Size()
	l.stands, l.c.Env.Err = nil, l.to
	_, _ = io.WriteString(l.to, l.out.Frame(nil, nil, columns))
}
