package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/task"
)

// files are what others read of a run: 'git brew status', how it stands, and a supervisor, in
// Brigade's words, how it stands and what happens, a line each. None is worth a failure of the run.
type files struct {
	live           string // how it stands, for git brew
	status, events string // "": there is none
	command        string // where a supervisor decides
	began          time.Time
	title, prefix  string
	whys           []why  // it asks for attention, the latest last
	trouble        string // why one can't be written, "" for nothing
	told           bool
}

// why is a reason why somebody should look; of the whole run, where it is of no phase.
type why struct {
	of   task.UID
	text string
}

type status struct {
	Done       int     `json:"done"`
	Total      int     `json:"total"`
	Current    *string `json:"current"`
	Worker     *string `json:"worker"`
	Elapsed    int64   `json:"elapsed"` // seconds that Worker is at it
	Attention  bool    `json:"attention"`
	Reason     string  `json:"reason,omitempty"`
	LastUpdate string  `json:"lastUpdate"`
}

type line struct {
	TS         string           `json:"ts"`
	Event      string           `json:"event"`
	PRD        string           `json:"prd"`
	Total      *int             `json:"total,omitempty"`
	Task       string           `json:"task,omitempty"`
	Worker     string           `json:"worker,omitempty"`
	From       task.Tier        `json:"from,omitempty"`
	To         task.Tier        `json:"to,omitempty"`
	AbsorbedBy string           `json:"absorbed_by,omitempty"`
	Result     string           `json:"result,omitempty"`
	Reason     string           `json:"reason,omitempty"`
	ID         string           `json:"id,omitempty"` // of what is to be decided
	Type       string           `json:"type,omitempty"`
	Context    *decisionContext `json:"context,omitempty"`
	Action     string           `json:"action,omitempty"`
	Completed  *int             `json:"completed,omitempty"`
	Failed     *int             `json:"failed,omitempty"`
	Elapsed    int              `json:"elapsed,omitempty"`  // minutes
	Expected   int              `json:"expected,omitempty"` // minutes
	Duration   *int64           `json:"duration,omitempty"` // seconds
}

// decisionContext is what a supervisor is told of a phase that would fail.
type decisionContext struct {
	FailureReason string    `json:"failureReason"`
	Iterations    int       `json:"iterations"`
	LastWorker    task.Tier `json:"lastWorker"`
}

// maxEvents is how large the file of events is that a run adds to; a larger one is put aside.
const maxEvents = 16 << 20

// newFiles are the files of a run, those of the settings from the top of the work tree.
func newFiles(w *workers, live string, began time.Time, t task.Task) files {
	at := func(key config.Key) string {
		name := w.set.Text(key)
		if name == "" || filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(w.top, name)
	}
	f := files{
		live: live, status: at(config.KeyRunStatusFile), events: at(config.KeyRunEventsFile),
		command: at(config.KeyRunCommandFile),
		began:   began, title: t.Title, prefix: t.ID.Slug()[:min(maxPrefix, len(t.ID.Slug()))],
	}
	for _, p := range t.Phases {
		if p.Status == task.PhaseFailed {
			f.attend(p, p.Reason)
		}
	}
	if info, err := os.Lstat(f.events); err == nil && info.Mode().IsRegular() && info.Size() > maxEvents {
		f.noteTrouble(config.KeyRunEventsFile, os.Rename(f.events, f.events+".old"))
	}
	return f
}

// attend notes a reason to look at a phase, or takes the one away that there was, where it is "".
func (f *files) attend(p task.Phase, text string) {
	f.whys = slices.DeleteFunc(f.whys, func(w why) bool { return w.of == p.UID })
	if text != "" && p.ID != "" {
		text = "phase " + p.ID + ": " + text
	}
	if text != "" {
		f.whys = append(f.whys, why{p.UID, text})
	}
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

// note writes down an event that happened at a time, under Brigade's name for it. One that Brigade
// has not is written nowhere.
func (f *files) note(e Event, now time.Time) {
	l := line{
		TS: now.UTC().Format(timeForm), PRD: f.title, Task: f.shown(e.Phase), Worker: string(e.Tier),
		Reason: e.Text, ID: e.Decision, Action: e.Action,
	}
	seconds := func(d time.Duration) *int64 { return new(int64(d / time.Second)) }
	switch e.Kind {
	case Began:
		l.Event, l.Total = "service_start", &e.Total
	case Ended:
		l.Event, l.Completed, l.Failed = "service_complete", &e.Completed, &e.Failed
		l.Duration = seconds(now.Sub(f.began))
	case Completed:
		f.attend(e.Phase, "")
		l.Event, l.Reason = "task_complete", ""
		l.Duration = seconds(time.Duration(e.Phase.Spent.MS) * time.Millisecond)
	case Escalated:
		l.Event, l.From, l.To = "escalation", e.From, e.Tier
	case Started:
		l.Event = "task_start"
		f.attend(e.Phase, "")
	case Decided:
		l.Event = "decision_received"
		f.attend(e.Phase, "")
	case Failed:
		l.Event = "attention"
		f.attend(e.Phase, e.Text)
	case Asked:
		l.Event, l.Type, l.Context = "decision_needed", "failed", &decisionContext{e.Text, len(e.Phase.Turns), e.Tier}
		f.attend(e.Phase, e.Text)
	case Turned:
		f.turned(&l, e)
	case Moved:
		l.Event = "attention"
		f.attend(task.Phase{}, e.Text)
	case Slow:
		l.Event, l.Elapsed = "task_slow", int(e.For.Minutes())
		for _, after := range slowAfter {
			if e.For >= after {
				l.Expected = int(after.Minutes())
			}
		}
	case Parked:
		l.Event, l.Reason = "attention", "all workers wait for their client's limit"
		f.attend(task.Phase{}, l.Reason)
	case Working:
		f.whys = slices.DeleteFunc(f.whys, func(w why) bool { return w.of == "" })
	case Resting, Proving, Beat, Noted:
	}
	if data, err := json.Marshal(l); f.events != "" && l.Event != "" && err == nil {
		f.noteTrouble(config.KeyRunEventsFile, appendPlain(f.events, append(data, '\n')))
	}
}

func (f *files) turned(l *line, e Event) {
	l.Result, l.Reason = string(e.Turn.Outcome), e.Turn.Reason
	out, judged := e.Turn.Outcome, e.Turn.By == task.ByReview || e.Turn.By == task.ByLook
	if out == task.TurnBlocked || out == task.TurnRejected {
		f.attend(e.Phase, e.Turn.Reason)
	}
	switch l.Event = "iteration"; {
	case out == task.TurnRetried, out == task.TurnPaused, out == task.TurnSkipped:
		l.Event = "" // it is told as what was decided
	case judged:
		l.Event = "review"
		switch out {
		case task.TurnPassed:
			l.Result = "PASS"
		case task.TurnRejected:
			l.Result = "FAIL"
		default:
		}
	case out == task.TurnRejected:
		l.Event, l.Result = "verification", "failed"
	case out == task.TurnConflict:
		l.Event = "verification"
	case out == task.TurnBlocked, out == task.TurnAlreadyDone:
		l.Event = "task_" + string(out)
	case out == task.TurnAbsorbed:
		l.Event, l.AbsorbedBy = "task_"+string(out), f.prefix+"/"+strings.TrimPrefix(e.Turn.Reason, "by phase ")
	}
}

// stands writes down how the run stands at a time.
func (f *files) stands(s Standing, now time.Time) {
	if data, err := json.Marshal(s); err == nil {
		_ = putPlain(f.live, data)
	}
	if f.status == "" {
		return
	}
	out := status{Done: s.Done, Total: s.Total, LastUpdate: now.UTC().Format(timeForm)}
	if len(s.Rows) > 0 && s.Rows[0].Phase != "" {
		first := s.Rows[0]
		out.Current, out.Worker = new(f.prefix+"/"+first.Phase), new(string(first.Tier))
		out.Elapsed = int64(now.Sub(first.Since) / time.Second)
	}
	if n := len(f.whys); n > 0 {
		out.Attention, out.Reason = true, f.whys[n-1].text
	}
	if data, err := json.Marshal(out); err == nil {
		f.noteTrouble(config.KeyRunStatusFile, putPlain(f.status, append(data, '\n')))
	}
}

// noteTrouble keeps the first reason why a file can't be written, to be told.
func (f *files) noteTrouble(setting config.Key, err error) {
	if err != nil && f.trouble == "" {
		f.trouble = string(setting) + " is left out: " + err.Error()
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
