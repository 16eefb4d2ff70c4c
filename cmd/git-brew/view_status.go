package main

import (
	"cmp"
	"time"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/workflow"
)

// statusDocument is `status --json`; its keys are a contract.
type statusDocument struct {
	Task *taskDocument `json:"task"`
	// Candidates are the tasks that claim the branch, where several do.
	Candidates []task.ID          `json:"candidates,omitempty"`
	Phase      *phaseDocument     `json:"phase"`
	Phases     phasesDocument     `json:"phases"`
	Lock       lockDocument       `json:"lock"`
	Mode       workflow.Mode      `json:"mode"`
	Gate       gateDocument       `json:"gate"`
	Knowledge  knowledge.Counts   `json:"knowledge"`
	Sync       syncDocument       `json:"sync"`
	Next       nextDocument       `json:"next"`
	Conflicts  []conflictDocument `json:"conflicts"`
	// Skips are the steps that were passed over.
	Skips []skipDocument `json:"skips"`
	// Untrusted counts what waits for the person's trust.
	Untrusted int `json:"untrusted"`
}

// gateDocument says whether the mode restricts agents here; Off, why they are kept
// from nothing.
type gateDocument struct {
	Gated bool         `json:"gated"`
	Off   workflow.Off `json:"off"`
}

type phaseCounts struct {
	Total     int `json:"total"`
	Completed int `json:"completed"`
	Failed    int `json:"failed"`
	Dropped   int `json:"dropped"`
}

type phasesDocument struct {
	phaseCounts
	Items []phaseDocument `json:"items"`
}

type syncDocument struct {
	Remote string `json:"remote"`
	Ahead  int    `json:"ahead"`
	Behind int    `json:"behind"`
	// LockPending: the lock is free here, and the remote has it as held, as it
	// was last seen.
	LockPending bool `json:"lock_pending"`
	// Failed is what went wrong with the last sync.
	Failed string `json:"failed,omitempty"`
	// Elsewhere is what a remote has, where this repository has nothing yet.
	Elsewhere *elsewhereDocument `json:"elsewhere,omitempty"`
}

type elsewhereDocument struct {
	Remote  string `json:"remote"`
	Tasks   int    `json:"tasks"`
	Archive bool   `json:"archive"`
}

type nextDocument struct {
	Step     string `json:"step"`
	Pipeline string `json:"pipeline"`
	Phase    string `json:"phase"`
	Reason   string `json:"reason"`
	Command  string `json:"command"`
	Skip     string `json:"-"` // `next` alone tells it
	// Needs says who is asked, agent or user; "" where the task has ended. Ask is
	// the sentence for the user.
	Taker task.Taker `json:"-"`
	Needs task.Asked `json:"needs"`
	Ask   string     `json:"ask,omitempty"`
}

// conflictDocument is a text that lost a merge and waits for a person.
type conflictDocument struct {
	ID   task.UID `json:"id"`
	Path string   `json:"path"`
}

func newStatusDocument(st workflow.Standing, now time.Time) statusDocument {
	doc := statusDocument{
		Phases: phasesDocument{Items: []phaseDocument{}}, Mode: st.Mode, Gate: gateDocument{st.Gated, st.Off}, Conflicts: []conflictDocument{}, Skips: []skipDocument{}, Untrusted: st.Untrusted,
		Sync: syncDocument{Remote: st.Remote, Ahead: st.Sync.Ahead, Behind: st.Sync.Behind, LockPending: st.Unheard != "", Failed: st.Sync.Failed},
		Lock: newLockDocument(st.Lock, cmp.Or(st.LockState, workflow.LockFree), st.Confirmed, now),
		Next: nextDocument{Step: task.StepStart, Reason: "there is no task here", Command: "git brew create TITLE"},
	}
	if st.Task == nil {
		return doc
	}
	t := *st.Task
	about := newTaskDocument(t, st.Tip)
	about.Archived = st.Archived
	about.Services = newServiceDocuments(t.Services, st.Services)
	doc.Task, doc.Phase = &about, newCurrentPhase(t)
	doc.Phases = phasesDocument{countPhases(t), newPhaseDocuments(t, t.Phases)}
	doc.Knowledge = st.Knowledge
	doc.Next, doc.Skips = nextDocument(st.Next), newSkipDocuments(t)
	for _, c := range t.Conflicts {
		doc.Conflicts = append(doc.Conflicts, conflictDocument{c.UID, c.Path})
	}
	return doc
}

func countPhases(t task.Task) phaseCounts { return phaseCounts(task.CountPhases(t)) }

// newCurrentPhase is the phase that was started last and is not completed.
func newCurrentPhase(t task.Task) *phaseDocument {
	p, ok := t.CurrentPhase()
	if !ok {
		return nil
	}
	doc := newPhaseDocument(t, p)
	return &doc
}

// briefDocument is `status --brief`: one line for status bars (BR-33).
type briefDocument struct {
	Done    int    `json:"done"`
	Total   int    `json:"total"` // but for dropped phases
	Current string `json:"current"`
	Worker  string `json:"worker"`
	// Elapsed is how long the current phase has been worked on, in seconds.
	Elapsed   int64 `json:"elapsed"`
	Attention bool  `json:"attention"`
}

func newBriefDocument(st workflow.Standing, worked func(task.Phase) int64) briefDocument {
	if st.Task == nil {
		return briefDocument{}
	}
	n := task.CountPhases(*st.Task)
	doc := briefDocument{Done: n.Completed, Total: n.Wanted(), Attention: needsAttention(st, n)}
	if p, ok := st.Task.CurrentPhase(); ok {
		doc.Current, doc.Worker, doc.Elapsed = p.ID, string(p.Tier), worked(p)
	}
	return doc
}

// needsAttention: a person has to look at it.
func needsAttention(st workflow.Standing, n task.PhaseCounts) bool {
	t := st.Task
	return t.Status == task.Failed || t.Status == task.Paused && t.Cause == task.CauseWaiting || n.Failed > 0 || len(st.Task.Conflicts) > 0 || st.LockState == workflow.LockStale
}
