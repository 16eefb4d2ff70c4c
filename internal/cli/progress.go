package cli

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/ui"
)

// progressLine is one line on a terminal that is written over and over.
type progressLine struct {
	e     *Env
	shown bool
}

func NewProgress(e *Env) *progressLine { return &progressLine{e: e} }

// asking says on a terminal which remote is waited for, until it has answered.
func (e *Env) asking(remote string) (done func()) { return e.waiting("asking " + remote) }

// waiting says on a terminal what is waited for, until it is over.
func (e *Env) waiting(what string) (done func()) {
	line := NewProgress(e)
	line.write(what + " …")
	return line.Clear
}

func (p *progressLine) Show(step refsync.Step, done, total int) {
	text := string(step)
	switch step {
	case archive.Archiving:
		text = "archiving"
	case refsync.Fetching:
		text = "fetching"
	case refsync.Settling:
		text = "merging"
	case refsync.Checking:
		text = "checking"
	case refsync.Pushing:
		text = "pushing"
	}
	if total > 0 {
		text = fmt.Sprintf("%s %d of %d", text, done, total)
	}
	p.write(text)
}

func (p *progressLine) write(text string) {
	if !p.e.ErrTerminal || p.e.Flags.Quiet || p.e.Getenv("TERM") == "dumb" {
		return
	}
	fmt.Fprintf(p.e.Err, "\r%s\x1b[K", ui.Truncate(ui.Safe(text), p.e.Width()-1))
	p.shown = true
}

func (p *progressLine) Clear() {
	if p.shown {
		fmt.Fprint(p.e.Err, "\r\x1b[K")
	}
}
