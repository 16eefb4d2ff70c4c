package work

import (
	"fmt"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/app/run"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// liveRun shows on a terminal how a run stands, below the lines of what happens.
type liveRun struct {
	c     *cli.Call
	style ui.Style
	mu    sync.Mutex
	out   ui.Screen
	began time.Time
	live  ui.Live
	cost  task.Cost
	rows  []liveRow
	over  bool
}

// liveRow is a phase that is worked on.
type liveRow struct {
	row   ui.LiveRow
	uid   task.UID
	since time.Time
	said  func() string
}

// liveEvery is how often the live view is written anew.
const liveEvery = time.Second

// canLive reports whether a live view can be shown: on a terminal that colours, to a person.
func canLive(c *cli.Call) bool {
	return c.ErrTerminal && !c.Flags.Quiet && !c.Flags.JSON && !c.Flags.Porcelain && c.Getenv("NO_COLOR") == "" &&
		c.Getenv("TERM") != "dumb"
}

// newLive begins a live view. tell takes the run's events, end leaves the terminal as it was
// before the view.
func newLive(c *cli.Call) (tell func(run.Event), end func()) {
	l := &liveRun{c: c, style: c.Style(), began: c.Now()}
	stop := make(chan struct{})
	go func() {
		defer func() { _ = recover() }() // a crash exits with 2
		again := time.NewTicker(liveEvery)
		defer again.Stop()
		for {
			select {
			case <-again.C:
				l.show(nil)
			case <-stop:
				return
			}
		}
	}()
	return l.tell, func() { close(stop); l.end() }
}

// tell shows an event, and how the run stands after it.
func (l *liveRun) tell(e run.Event) {
	l.mu.Lock()
	l.take(e)
	l.mu.Unlock()
	var above []string
	if e.Kind != run.Beat { // the view shows it
		above = linesOf(l.c, e)
	}
	l.show(above)
}

func (l *liveRun) show(above []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		fmt.Fprint(l.c.Err, l.out.Frame(above, l.now().Lines(l.style, l.c.Width())))
	}
}

// end takes the view away.
func (l *liveRun) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	fmt.Fprint(l.c.Err, l.out.Frame(nil, nil))
}

// now is the view at this time.
func (l *liveRun) now() ui.Live {
	at, live := l.c.Now(), l.live
	live.For, live.Cost = at.Sub(l.began), money(l.cost)
	for _, r := range l.rows {
		row := r.row
		row.For = at.Sub(r.since)
		if r.said != nil {
			row.Said = r.said()
		}
		live.Rows = append(live.Rows, row)
	}
	return live
}

// take notes what an event says of the run.
func (l *liveRun) take(e run.Event) {
	doing := func(mark ui.Marker, text string) *liveRow {
		r := l.row(e)
		*r = liveRow{uid: r.uid, since: l.c.Now(), row: ui.LiveRow{
			Mark: mark, ID: e.Phase.ID, Doing: text, Cost: money(e.Phase.Spent), Raised: len(e.Phase.Escalations) > 0,
		}}
		return r
	}
	switch e.Kind {
	case run.Began:
		l.live.Done, l.live.Total = e.Completed, e.Total
	case run.Started, run.Escalated:
		doing(ui.MarkBusy, string(e.Tier))
	case run.Working:
		doing(ui.MarkBusy, ui.Joined(" ", string(e.Tier), e.Client)).said = e.Said
	case run.Proving:
		doing(ui.MarkReview, "is checked")
	case run.Asked:
		doing(ui.MarkFailed, "waits for a decision")
	case run.Turned:
		if l.cost = l.cost.Plus(e.Turn.Cost); e.Turn.By == task.ByLook {
			return
		}
		doing(ui.MarkBusy, ui.Words(string(e.Turn.Outcome)))
		if e.Turn.Outcome == task.TurnLimited || e.Turn.Outcome == task.TurnStopped {
			l.remove(e)
		}
	case run.Completed, run.Failed:
		l.remove(e)
		if e.Kind == run.Completed {
			l.live.Done++
		}
	case run.Beat, run.Slow, run.Noted, run.Moved, run.Parked, run.Decided, run.Ended:
	}
}

// row is the row of an event's phase, a new one where there is none.
func (l *liveRun) row(e run.Event) *liveRow {
	for i := range l.rows {
		if l.rows[i].uid == e.Phase.UID {
			return &l.rows[i]
		}
	}
	l.rows = append(l.rows, liveRow{uid: e.Phase.UID})
	return &l.rows[len(l.rows)-1]
}

func (l *liveRun) remove(e run.Event) {
	for i := range l.rows {
		if l.rows[i].uid == e.Phase.UID {
			l.rows = append(l.rows[:i], l.rows[i+1:]...)
			return
		}
	}
}

// money is what clients say that something cost, "" where they say nothing.
func money(c task.Cost) string {
	return ui.Either(c.MicroUSD == 0, "", fmt.Sprintf("$%.2f", float64(c.MicroUSD)/1e6))
}
