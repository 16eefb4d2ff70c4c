package main

import (
	"time"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// The documents that several commands answer with. Their keys are a contract.

// taskDocument is a task.
type taskDocument struct {
	ID        task.ID     `json:"id"`
	Slug      string      `json:"slug"`
	Title     string      `json:"title"`
	Type      string      `json:"type"`
	Branch    string      `json:"branch"`
	Base      string      `json:"base"`
	Status    task.Status `json:"status"`
	Cause     task.Cause  `json:"cause,omitempty"`
	Reason    string      `json:"reason,omitempty"`
	Stage     task.Stage  `json:"stage"`
	CreatedAt string      `json:"created_at"`
	UpdatedAt string      `json:"updated_at"`
	Tip       string      `json:"tip,omitempty"`
	// Services are the submodules that have the branch.
	Services []serviceDocument `json:"services,omitempty"`
	Issues   []string          `json:"issues,omitempty"`
	Priority task.Priority     `json:"priority,omitempty"`
	// Archived: it stands in the archive, and is not live.
	Archived bool `json:"archived,omitempty"`
	Deleted  bool `json:"deleted,omitempty"`
	// Unverified: a newer git-brew wrote it, and nobody here could verify it.
	Unverified bool `json:"unverified,omitempty"`
}

// newTaskDocument tells about t; tip is its record's commit, "" where nobody
// asked for it.
func newTaskDocument(t task.Task, tip string) taskDocument {
	return taskDocument{
		ID: t.ID, Slug: t.ID.Slug(), Title: t.Title, Type: t.Type, Branch: t.Branch, Base: t.Base,
		Status: t.Status, Cause: t.Cause, Reason: t.Reason, Stage: t.Stage, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, Tip: tip, Deleted: t.Deleted,
		Services: newServiceDocuments(t.Services, nil), Issues: t.Issues, Priority: t.Priority,
	}
}

// serviceDocument is a service of a task, and where it stands, where somebody
// looked.
type serviceDocument struct {
	Path       string `json:"path"`
	Base       string `json:"base"`
	BaseCommit string `json:"base_commit"`
	// On is the branch that is checked out there.
	On    *string `json:"on,omitempty"`
	Ahead *int    `json:"ahead,omitempty"` // commits since base_commit
}

// newServiceDocuments tells about services; states are what was seen of them,
// nil where nobody looked.
func newServiceDocuments(all []task.Service, states []workflow.ServiceState) []serviceDocument {
	var docs []serviceDocument
	for i, s := range all {
		doc := serviceDocument{Path: s.Path, Base: s.Base, BaseCommit: s.BaseCommit}
		if i < len(states) && states[i].There {
			doc.On = &states[i].On
			if states[i].Ahead >= 0 {
				doc.Ahead = &states[i].Ahead
			}
		}
		docs = append(docs, doc)
	}
	return docs
}

// phaseDocument is a phase; other phases are named by the ids people see.
type phaseDocument struct {
	ID     string           `json:"id"`
	Title  string           `json:"title"`
	Kind   task.PhaseKind   `json:"kind"`
	Parent string           `json:"parent,omitempty"`
	Status task.PhaseStatus `json:"status"`
	Review task.Review      `json:"review"`
	Reason string           `json:"reason,omitempty"`
	// UserRejected: it is the user who wants the changes.
	UserRejected bool `json:"user_rejected,omitzero"`

	Iteration  int       `json:"iteration"`
	Tier       task.Tier `json:"tier"`
	DependsOn  []string  `json:"depends_on"`
	Acceptance []string  `json:"acceptance"`
	Verify     []string  `json:"verify"`
	// Untrusted are those of Verify that wait for trust; where nobody looked,
	// none are named.
	Untrusted   []string  `json:"untrusted,omitempty"`
	Agents      []string  `json:"agents"`
	StartCommit string    `json:"start_commit"`
	EndCommit   string    `json:"end_commit"`
	StartedAt   string    `json:"started_at"`
	CompletedAt string    `json:"completed_at"`
	Marker      ui.Marker `json:"marker"`
	Escalated   bool      `json:"escalated"`
	// Escalations are what was done about it; MustEscalate: another one comes first.
	Escalations  []task.EscalationAction `json:"escalations,omitempty"`
	MustEscalate bool                    `json:"must_escalate,omitzero"`
	// Deviations are what its last review said of what is not as planned.
	Deviations []task.Deviation `json:"deviations,omitempty"`
	// Verified is how its commands came out last.
	Verified *verifiedDocument `json:"verified,omitempty"`
	// Worker took the phase with 'next --claim', and Claimed says when.
	Worker  string `json:"worker,omitempty"`
	Claimed string `json:"claimed_at,omitempty"`
}

// verifiedDocument is how a phase's commands came out last.
type verifiedDocument struct {
	Passed bool `json:"passed"`
	// Counts: it is of what is up for review.
	Counts bool   `json:"counts"`
	At     string `json:"at"`
	Commit string `json:"commit"`
	Dirty  bool   `json:"dirty"`
}

func newPhaseDocument(t task.Task, p task.Phase) phaseDocument {
	doc := phaseDocument{
		ID: p.ID, Title: p.Title, Kind: p.Kind, Parent: shownPhase(t, p.Parent), Status: p.Status, Review: p.Review, Reason: p.Reason, UserRejected: task.RejectionStands(t, p),
		Iteration: p.Iteration, Tier: p.Tier, DependsOn: shownPhases(t, p.DependsOn), Acceptance: list(p.Acceptance),
		Verify: list(p.Verification), Agents: list(p.Expected()), StartCommit: p.StartCommit, EndCommit: p.EndCommit,
		StartedAt: p.StartedAt, CompletedAt: p.CompletedAt, Marker: ui.MarkOf(p.Status), Worker: p.Claim.Worker, Claimed: p.Claim.At,
		Escalated: len(p.Escalations) > 0, MustEscalate: p.MustEscalate, Deviations: p.Deviations,
	}
	for _, x := range p.Escalations {
		doc.Escalations = append(doc.Escalations, x.Action)
	}
	if v := p.Verified; v != nil {
		doc.Verified = &verifiedDocument{Passed: v.Passed, Counts: task.RunCounts(t, p), At: v.At, Commit: v.Commit, Dirty: !v.Clean}
	}
	return doc
}

func newPhaseDocuments(t task.Task, phases []task.Phase) []phaseDocument {
	all := make([]phaseDocument, 0, len(phases))
	for _, p := range phases {
		all = append(all, newPhaseDocument(t, p))
	}
	return all
}

// shownPhase is the id that people see of a phase, "" for none.
func shownPhase(t task.Task, uid task.UID) string {
	p, _ := t.Phase(uid)
	return p.ID
}

func shownPhases(t task.Task, uids []task.UID) []string {
	all := make([]string, 0, len(uids))
	for _, uid := range uids {
		all = append(all, shownPhase(t, uid))
	}
	return all
}

// list keeps an empty list from becoming null in JSON.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// lockDocument is a task's lock.
type lockDocument struct {
	State      workflow.LockState `json:"state"`
	Session    string             `json:"session_id"`
	Host       string             `json:"host"`
	User       string             `json:"user"`
	AcquiredAt string             `json:"acquired_at"`
	ExpiresAt  string             `json:"expires_at"`
	Fence      uint64             `json:"fence"`
	Confirmed  bool               `json:"confirmed"`
}

func newLockDocument(l task.Lock, state workflow.LockState, confirmed bool, now time.Time) lockDocument {
	return lockDocument{
		State: state, Session: l.Session, Host: l.Host, User: l.User,
		AcquiredAt: l.AcquiredAt, ExpiresAt: task.ExpiresAt(l, now), Fence: l.Fence, Confirmed: confirmed,
	}
}
