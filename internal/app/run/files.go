package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/task"
)

// files are what a supervisor reads of a run, in Brigade's words: a file with how it stands,
// written anew at each event, and one with the events, a line each. Neither is worth a failure
// of the run.
type files struct {
	status, events string // "": there is none
	command        string // where a supervisor decides
	began          time.Time
	total, done    int
	title, prefix  string
	why            string // it asks for attention
	trouble        string // why one can't be written, "" for nothing
	told           bool
}

// standing is the status file.
type standing struct {
	Done       int    `json:"done"`
	Total      int    `json:"total"`
	Current    string `json:"current,omitempty"`
	Worker     string `json:"worker,omitempty"`
	Elapsed    int64  `json:"elapsed"` // seconds
	Attention  bool   `json:"attention"`
	Reason     string `json:"reason,omitempty"`
	LastUpdate string `json:"lastUpdate"`
}

// line is a line of the file of events.
type line struct {
	TS        string `json:"ts"`
	Event     string `json:"event"`
	PRD       string `json:"prd"`
	Total     int    `json:"total,omitempty"`
	Task      string `json:"task,omitempty"`
	Worker    string `json:"worker,omitempty"`
	To        string `json:"to,omitempty"`
	Result    string `json:"result,omitempty"`
	Reason    string `json:"reason,omitempty"`
	Decision  string `json:"decision,omitempty"`
	Action    string `json:"action,omitempty"`
	Completed int    `json:"completed,omitempty"`
	Failed    int    `json:"failed,omitempty"`
	Duration  int64  `json:"duration,omitempty"` // seconds
}

// newFiles are the files that the settings name, from the top of the work tree.
func newFiles(w *workers, began time.Time, t task.Task) files {
	at := func(key config.Key) string {
		name := w.set.Text(key)
		if name == "" || filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(w.top, name)
	}
	f := files{
		status: at(config.KeyRunStatusFile), events: at(config.KeyRunEventsFile), command: at(config.KeyRunCommandFile),
		began: began, title: t.Title, prefix: t.ID.Slug()[:min(maxPrefix, len(t.ID.Slug()))],
	}
	for _, p := range t.Phases {
		if f.total++; p.Status.Over() {
			f.done++
		}
	}
	return f
}

// eventOf is what Brigade calls an event, "" for one that it has not.
func eventOf(e Event) string {
	switch e.Kind {
	case Began:
		return "service_start"
	case Ended:
		return "service_complete"
	case Started:
		return "task_start"
	case Escalated:
		return "escalation"
	case Completed:
		return "task_complete"
	case Failed, Parked, Moved:
		return "attention"
	case Asked:
		return "decision_needed"
	case Decided:
		return "decision_received"
	case Turned:
		return turnEvent(e.Turn)
	case Slow:
		return "task_slow"
	case Working, Proving, Beat, Noted:
	}
	return ""
}

// maxPrefix is how much of a task's name stands before a phase's id, in bytes.
const maxPrefix = 20

// shown is a phase as a supervisor of several tasks knows it (BR-29).
func (f *files) shown(p task.Phase) string {
	if p.ID == "" {
		return ""
	}
	return f.prefix + "/" + p.ID
}

// note writes down an event that happened at a time.
func (f *files) note(e Event, now time.Time) {
	if f.status == "" && f.events == "" {
		return
	}
	l := line{
		TS: now.UTC().Format(timeForm), Event: eventOf(e), PRD: f.title, Task: f.shown(e.Phase), Worker: string(e.Tier),
		Reason: e.Text, Decision: e.Decision, Action: e.Action,
	}
	switch e.Kind {
	case Began:
		l.Total = f.total
	case Ended:
		l.Completed, l.Failed = e.Completed, e.Failed
		l.Duration = int64(now.Sub(f.began).Seconds())
	case Completed:
		f.done++
		l.Reason, f.why = "", ""
		l.Duration = e.Phase.Spent.MS / int64(time.Second/time.Millisecond)
	case Escalated:
		l.To = string(e.Tier)
	case Decided:
		f.why = ""
	case Failed, Asked:
		f.why = "phase " + e.Phase.ID + ": " + e.Text
	case Turned:
		l.Result, l.Reason = string(e.Turn.Outcome), e.Turn.Reason
		if e.Turn.Outcome == task.TurnBlocked || e.Turn.Outcome == task.TurnRejected {
			f.why = "phase " + e.Phase.ID + ": " + e.Turn.Reason
		}
	case Moved:
		f.why = e.Text
	case Slow:
		l.Duration = int64(e.For.Seconds())
	case Parked:
		f.why = "all workers wait for their client's limit"
	case Started, Working, Proving, Beat, Noted:
	}
	f.write(l, standing{
		Done: f.done, Total: f.total, Current: f.shown(e.Phase), Worker: string(e.Tier),
		Elapsed:   int64(now.Sub(f.began).Seconds()),
		Attention: f.why != "", Reason: f.why, LastUpdate: l.TS,
	})
}

// turnEvent is what Brigade calls a turn.
func turnEvent(turn task.Turn) string {
	switch {
	case turn.Outcome == task.TurnRetried, turn.Outcome == task.TurnPaused, turn.Outcome == task.TurnSkipped:
		return "" // it is told as what was decided
	case turn.By == task.ByReview, turn.Outcome == task.TurnOnTrack, turn.Outcome == task.TurnConcerns,
		turn.Outcome == task.TurnRemediated:
		return "review"
	case turn.Outcome == task.TurnRejected, turn.Outcome == task.TurnConflict:
		return "verification"
	case turn.Outcome == task.TurnBlocked, turn.Outcome == task.TurnAlreadyDone, turn.Outcome == task.TurnAbsorbed:
		return "task_" + string(turn.Outcome)
	}
	return "iteration"
}

func (f *files) write(l line, s standing) {
	if f.events != "" && l.Event != "" {
		if data, err := json.Marshal(l); err == nil {
			f.noteTrouble("run.eventsFile", appendPlain(f.events, append(data, '\n')))
		}
	}
	if f.status == "" {
		return
	}
	data, err := json.Marshal(s)
	if err != nil {
		return
	}
	aside := f.status + ".new"
	_ = os.Remove(aside) // a link or a pipe, perhaps, that somebody put there
	file, err := os.OpenFile(aside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		_, err = file.Write(append(data, '\n'))
		err = errors.Join(err, file.Close())
	}
	if err == nil {
		err = os.Rename(aside, f.status)
	}
	f.noteTrouble("run.statusFile", err)
}

// noteTrouble keeps the first reason why a file can't be written, to be told.
func (f *files) noteTrouble(setting string, err error) {
	if err != nil && f.trouble == "" {
		f.trouble = setting + " is left out: " + err.Error()
	}
}

// untold is what is in the way of a file, once.
func (f *files) untold() string {
	if f.told || f.trouble == "" {
		return ""
	}
	f.told = true
	return f.trouble
}

// appendPlain adds to a file that is no link and no pipe, or makes it.
func appendPlain(path string, data []byte) error {
	how := os.O_WRONLY | os.O_APPEND | syscall.O_NONBLOCK
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err):
		how |= os.O_CREATE | os.O_EXCL
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no plain file", path)
	}
	file, err := os.OpenFile(path, how, 0o666)
	if err != nil {
		return err
	}
	if is, serr := file.Stat(); info != nil && (serr != nil || !os.SameFile(info, is)) {
		err = fmt.Errorf("%s was exchanged as it was opened", path)
	} else {
		_, err = file.Write(data)
	}
	return errors.Join(err, file.Close())
}

// slowAfter is how long turns may take before it is told that they are slow.
var slowAfter = []time.Duration{10 * time.Minute, 20 * time.Minute}

// beat tells of each worker that it is at work yet, and of those that take long.
func (r *crew) beat() {
	for _, j := range r.jobs {
		if !j.working || r.proving == j {
			continue
		}
		e := Event{Kind: Beat, Phase: j.phase, Tier: j.tier, For: r.s.Clone.Now().Sub(j.since), Said: j.lastSaid}
		if j.slow < len(slowAfter) && e.For >= slowAfter[j.slow] {
			e.Kind = Slow
			j.slow++
		}
		r.tell(e)
	}
}

// lastSaid is the name of its client's last event, "" for none.
func (j *job) lastSaid() string {
	if last := j.said.Load(); last != nil {
		return *last
	}
	return ""
}
