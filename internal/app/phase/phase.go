// Package phase plans the phases of a task and moves them: added, begun, done, reported.
package phase

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/notes"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Phases plans and moves the phases of a task.
type Phases struct {
	Next      *next.Next
	Clone     *clone.Clone
	Code      *codediff.Code
	Config    *config.Config
	Documents *texts.Documents
	Engine    *change.Engine
	Journal   *journal.Journal
	Knowledge *learn.Knowledge
	Place     *worktree.Place
	Records   *records.Records
}

// PhaseResult is a phase after a change.
type PhaseResult struct {
	Task  task.Task
	Phase task.Phase
	// Notes are remarks for the person: planning skipped, a phase failed too,
	// the parts that a split made.
	Notes []string
	// Others: somebody else holds the lock, and goes on from here; Notes says who.
	Others bool
}

// PhaseAddRequest adds a phase. Phases are named by the ids that people see.
type PhaseAddRequest struct {
	Title, ShownID, After string
	Kind                  task.PhaseKind
	Parent                string
	DependsOn             []string
	Acceptance, Verify    []string
	Tier                  task.Tier
	Agents                []string
}

// AddPhase adds a phase to the task.
func (s *Phases) AddPhase(ctx context.Context, id task.ID, r PhaseAddRequest) (PhaseResult, error) {
	if err := checkSimple(r.Verify); err != nil {
		return PhaseResult{}, err
	}
	uid, err := operation.NewID(s.Clone.Random)
	if err != nil {
		return PhaseResult{}, err
	}
	return s.Change(ctx, id, Meant{UID: uid}, func(ctx context.Context, c *change.Tx, _ task.Phase) ([]string, error) {
		p := task.PhaseAddPayload{
			Title: r.Title, Kind: r.Kind, ShownID: r.ShownID, Acceptance: r.Acceptance,
			Verification: r.Verify, Tier: r.Tier, Agents: r.Agents,
		}
		if kind, parent, ok := c.Task.KindOf(r.ShownID); ok && p.Kind == "" && r.Parent == "" {
			p.Kind, p.Parent = kind, parent.UID
		}
		if p.Kind == "" {
			p.Kind = task.KindExecution
			if err := c.Task.CheckID(r.ShownID); err != nil {
				return nil, err
			}
		}
		if r.Parent != "" && (p.Kind == task.KindExecution || p.Kind == task.KindFinalReview) {
			return nil, clone.Invalid("say with --kind what it is to that one, or leave --of out",
				"a phase of kind %s belongs to no other", p.Kind)
		}
		for _, name := range []struct {
			arg string
			to  *task.UID
		}{{r.After, &p.After}, {r.Parent, &p.Parent}} {
			if name.arg == "" {
				continue
			}
			found, err := c.Task.FindPhase(name.arg)
			if err != nil {
				return nil, err
			}
			*name.to = found.UID
		}
		var err error
		if p.DependsOn, err = findPhases(c.Task, r.DependsOn); err != nil {
			return nil, err
		}
		before := c.Task
		if err := c.Do(ctx, ledger.Draft{ID: uid, Kind: task.OpPhaseAdd, Payload: p}); err != nil {
			return nil, err
		}
		added, _ := c.Task.Phase(uid)
		return AlongWith(before, c.Task, uid), s.Clone.TrustOwn(ctx, c.Ledger, records.CommandsOf([]task.Phase{added})...)
	})
}

// findPhases are the phases that a person names, one by one or several between
// commas, which no id has.
func findPhases(t task.Task, args []string) ([]task.UID, error) {
	var uids []task.UID
	for _, arg := range args {
		for id := range strings.SplitSeq(arg, ",") {
			found, err := t.FindPhase(strings.TrimSpace(id))
			if err != nil {
				return nil, err
			}
			uids = append(uids, found.UID)
		}
	}
	return uids, nil
}

// Meant is the phase that a command means: the one that Arg names, else what Pick
// chooses. Once found it is the same phase ever after, whatever its number becomes.
type Meant struct {
	Arg  string
	Pick func(task.Task) (task.Phase, error)
	UID  task.UID // of the one that is meant, where it is known
}

// In finds the phase in a task.
func (m *Meant) In(t task.Task) (p task.Phase, err error) {
	switch {
	case m.UID != "":
		p, _ = t.Phase(m.UID) // the one that decide adds is not there yet
		return p, nil
	case m.Arg == "":
		p, err = m.Pick(t)
	default:
		p, err = t.FindPhase(m.Arg)
	}
	m.UID = p.UID
	return p, err
}

// Change runs decide on the phase that is meant.
func (s *Phases) Change(
	ctx context.Context, id task.ID, meant Meant,
	decide func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error),
) (PhaseResult, error) {
	var r PhaseResult
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		p, err := meant.In(c.Task)
		if err != nil {
			return err
		}
		r.Notes, err = decide(ctx, c, p)
		return err
	})
	if err != nil {
		return r, err
	}
	r.Task = after
	r.Phase, _ = after.Phase(meant.UID)
	return r, nil
}

// NamedPhase is the phase that was named, or what pick chooses.
func (s *Phases) NamedPhase(ctx context.Context, id task.ID, arg string,
	pick func(task.Task) (task.Phase, error),
) (task.Task, task.Phase, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return t, task.Phase{}, err
	}
	p, err := (&Meant{Arg: arg, Pick: pick}).In(t)
	return t, p, err
}

// nextReady is the phase that is started where none is named: the one that comes
// next, where that can be started. A fix comes before the next phase, so one that is
// under way is finished first.
func nextReady(t task.Task) (task.Phase, error) {
	step := route.Next(t)
	for _, p := range route.Ready(t) {
		if p.ID == step.Phase {
			return p, nil
		}
	}
	for _, p := range t.Phases {
		if p.Kind == task.KindFix && (p.Status == task.PhaseInProgress || p.Status == task.PhaseInReview) {
			return p, clone.Refuse("'git brew next' says what it needs; or name the phase to start",
				"fix phase %s comes first, and is %s", p.ID, p.Status)
		}
	}
	for _, free := range [][]task.Phase{route.Ready(t), route.Due(t)} {
		if len(free) > 0 {
			return free[0], nil // what holds up all work, it says itself
		}
	}
	switch on := route.WorkedOn(t); len(on) {
	case 0:
		return task.Phase{}, clone.Refuse("see 'git brew next'", "no phase is ready")
	case 1:
		return task.Phase{}, clone.Refuse("'git brew phase done "+on[0].ID+"' says when its work is done",
			"phase %s is in progress, and no other is ready", on[0].ID)
	default:
		return task.Phase{}, clone.Refuse("see 'git brew next'", "phases %s are in progress, and no other is ready",
			route.NamedUnderWay(on, "and"))
	}
}

// StartPhase starts a phase, the next ready one where arg is empty. Its start
// commit is where the work stands (commitOf): noted there, and kept reachable. A worker that
// says its name claims what it starts.
func (s *Phases) StartPhase(ctx context.Context, id task.ID, arg string) (PhaseResult, error) {
	return s.Change(ctx, id, Meant{Arg: arg, Pick: nextReady},
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			return s.StartIn(ctx, c, p, task.PhasePayload{})
		})
}

// StartIn starts a phase, and records what that leaves behind.
func (s *Phases) StartIn(ctx context.Context, c *change.Tx, p task.Phase, start task.PhasePayload) ([]string, error) {
	var err error
	if err := s.Documents.LookAtPlan(ctx, c); err != nil {
		return nil, err
	}
	if start.Commit, err = s.Code.CommitOf(ctx, c.Task); err != nil {
		return nil, err
	}
	if start.Services, err = s.Place.ServiceCommits(ctx, c.Task); err != nil {
		return nil, err
	}
	if worker := s.Clone.Caller.Worker; worker != "" {
		start.Claimed, start.Worker = true, worker
	}
	before := c.Task
	start.Phase, start.Passed = p.UID, route.PassedByStart(c.Task, p)
	if err := c.Do(ctx, change.Op(task.OpPhaseStart, start)); err != nil {
		return nil, err
	}
	notes := append(PassedNotes(c.Task, start.Passed), AlongWith(before, c.Task, p.UID)...)
	started, _ := c.Task.Phase(p.UID)
	unnoted, err := s.Marked(ctx, c, p.UID, started.StartCommit, codediff.NoteStarts)
	return append(notes, unnoted...), err
}

// Marked writes a phase's note on a commit, and keeps the commit. Notes are a
// view of the task: where none can be written, the change goes on with a remark.
func (s *Phases) Marked(ctx context.Context, c *change.Tx, uid task.UID, commit, what string) ([]string, error) {
	if commit == "" {
		return nil, nil
	}
	oid, err := gitstore.ParseOID(commit)
	if err != nil {
		return nil, err
	}
	p, _ := c.Task.Phase(uid)
	var remarks []string
	line := notes.Line{On: oid, Text: codediff.NoteLine(c.ID, p, what)}
	if err := notes.Add(ctx, c.Ledger, line); err != nil {
		remarks = append(remarks, fmt.Sprintf("the note could not be written: %v; see 'git brew doctor'", err))
	}
	return remarks, s.keepStart(ctx, c, commit)
}

// PhaseDone says that a phase is done and awaits review. Where its commands
// ran by then, what is handed over is told well enough to say whether that is what
// they verified.
func (s *Phases) PhaseDone(ctx context.Context, id task.ID, arg string) (PhaseResult, error) {
	meant := Meant{Arg: arg, Pick: s.Clone.DefaultPhase(task.Phase.InProgress)}
	return s.Change(ctx, id, meant, func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
		now, err := s.Code.HeldOf(ctx, c.Task, p)
		if err != nil {
			return nil, err
		}
		beside := s.Code.NotHandedOver(ctx, c.Task, p, now)
		if err := c.Do(ctx, change.Op(task.OpPhaseDone, task.PhasePayload{
			Phase: p.UID, Commit: now.Commit, Services: now.Services, Clean: now.Clean,
			Starts: s.Code.Starts(ctx, c.Task, p, now.Commit),
		})); err != nil {
			return nil, err
		}
		if err := s.keepStart(ctx, c, now.Commit); err != nil {
			return nil, err
		}
		return beside, Summarize(ctx, c, p.UID)
	})
}

// keepStart makes a commit stay where its branch goes: a phase that ends there can be
// looked at as long as its task is.
func (s *Phases) keepStart(ctx context.Context, c *change.Tx, commit string) error {
	if commit == "" {
		return nil
	}
	oid, err := gitstore.ParseOID(commit)
	if err != nil {
		return err
	}
	if has, err := s.Clone.Repo.Objects.Has(ctx, oid); err != nil || !has {
		return err // a hand-over of another clone, that has not come here
	}
	return c.Ledger.Keep(ctx, string(c.ID), oid)
}

// FailPhase gives a phase up, and with it those that depend on it.
func (s *Phases) FailPhase(ctx context.Context, id task.ID, arg, reason string) (PhaseResult, error) {
	return s.Change(ctx, id, Meant{Arg: arg, Pick: s.Clone.DefaultPhase(task.Phase.InProgress)},
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			before := c.Task
			spent, err := s.Spends(ctx, c.Task, p)
			if err != nil {
				return nil, err
			}
			err = c.Do(ctx, change.Op(task.OpPhaseFail,
				task.PhaseReasonPayload{Phase: p.UID, Reason: reason, MustEscalate: spent}))
			return AlongWith(before, c.Task, p.UID), err
		})
}

// AlongWith tells which other phases a change of one made fail, dropped, or made
// pending again.
func AlongWith(before, after task.Task, uid task.UID) []string {
	var notes []string
	for _, q := range after.Phases {
		was, known := before.Phase(q.UID)
		switch {
		case q.UID == uid || !known || q.Status == was.Status:
		case q.Status == task.PhaseFailed:
			notes = append(notes, "phase "+q.ID+" "+q.Reason+" and failed too")
		case q.Status == task.PhaseDropped:
			notes = append(notes, "phase "+q.ID+" was dropped too")
		case q.Status == task.PhasePending:
			notes = append(notes, "phase "+q.ID+" is pending again, it was "+was.Status.String())
		}
	}
	return notes
}

// ResetPhase sets a phase back to pending; its iterations stay counted.
func (s *Phases) ResetPhase(ctx context.Context, id task.ID, arg, reason string) (PhaseResult, error) {
	return s.Change(ctx, id, Meant{Arg: arg, Pick: s.Clone.DefaultPhase(task.Phase.InProgress)},
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			before := c.Task
			err := c.Do(ctx, change.Op(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p.UID, Reason: reason}))
			return AlongWith(before, c.Task, p.UID), err
		})
}

// fixTitle is what a fix of a phase is called where nobody says: a fix of a fix is
// another go at the same.
func fixTitle(p task.Phase) string {
	if p.Kind == task.KindFix && strings.HasPrefix(p.Title, "Fix ") {
		return p.Title
	}
	return CutTitle("Fix " + p.Title)
}

// RevisePhase adds the next fix phase of a phase and starts it.
func (s *Phases) RevisePhase(ctx context.Context, id task.ID, arg, title string) (PhaseResult, error) {
	fix, err := operation.NewID(s.Clone.Random)
	if err != nil {
		return PhaseResult{}, err
	}
	r, err := s.Change(ctx, id, Meant{Arg: arg, Pick: s.Clone.DefaultPhase(task.Phase.InReview)},
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			if err := s.mayRevise(ctx, c.Task, p); err != nil {
				return nil, err
			}
			if title == "" {
				title = fixTitle(p)
			}
			if err := c.Do(ctx, ledger.Draft{
				ID: fix, Kind: task.OpPhaseAdd,
				Payload: task.PhaseAddPayload{Title: title, Kind: task.KindFix, Parent: p.UID},
			}); err != nil {
				return nil, err
			}
			added, _ := c.Task.Phase(fix)
			return s.StartIn(ctx, c, added, task.PhasePayload{})
		})
	if err == nil {
		r.Phase, _ = r.Task.Phase(fix)
	}
	return r, err
}

// SplitPhase adds parts to a phase: it is done when they are.
func (s *Phases) SplitPhase(ctx context.Context, id task.ID, arg string, titles []string) (PhaseResult, error) {
	if len(titles) < 2 {
		return PhaseResult{}, clone.Invalid("give --into TITLE for each part", "a phase is split into two parts or more")
	}
	return s.Change(ctx, id, Meant{Arg: arg, Pick: s.Clone.DefaultPhase(task.Phase.InProgress)},
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			var parts []string
			for _, t := range titles {
				part, err := operation.NewID(s.Clone.Random)
				if err != nil {
					return nil, err
				}
				if err := c.Do(ctx, ledger.Draft{
					ID: part, Kind: task.OpPhaseAdd,
					Payload: task.PhaseAddPayload{Title: t, Kind: task.KindSplit, Parent: p.UID},
				}); err != nil {
					return nil, err
				}
				made, _ := c.Task.Phase(part)
				parts = append(parts, "phase "+made.ID+" "+made.Title)
			}
			return parts, nil
		})
}

// CompactedNotes says that compaction took n entries out.
func CompactedNotes(n int) []string {
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 entry of knowledge compacted"}
	}
	return []string{fmt.Sprintf("%d entries of knowledge compacted", n)}
}

// PassedNotes tell a person which steps a change left behind.
func PassedNotes(t task.Task, passed []task.Passed) []string {
	var notes []string
	for _, p := range passed {
		if phase, ok := t.Phase(p.Phase); ok {
			notes = append(notes, "phase "+phase.ID+" has no plan of its own; planning was skipped")
			continue
		}
		notes = append(notes, "skipped: "+t.ShownStep(p))
	}
	return notes
}

// checkSimple refuses commands that need a shell.
func checkSimple(commands []string) error {
	for _, c := range commands {
		if _, err := SimpleCommand(c); err != nil {
			return err
		}
	}
	return nil
}

// CutTitle cuts a title to what fits.
func CutTitle(title string) string {
	for len(title) > task.MaxTitle {
		runes := []rune(title)
		title = string(runes[:len(runes)-1])
	}
	return title
}

// SimpleCommand reads a command that verifies a phase; one that needs a shell is
// refused.
func SimpleCommand(text string) (runner.Simple, error) {
	simple, err := runner.ReadSimple(text)
	if err != nil {
		return simple, clone.Refuse("put it into a script, or write it as sh -c '…'", "%q needs a shell: %v",
			invisible.Cut(text, 80), err)
	}
	return simple, nil
}

// Spends reports whether work on p, which was rejected or failed just now, has
// had the iterations that the settings allow.
func (s *Phases) Spends(ctx context.Context, t task.Task, p task.Phase) (bool, error) {
	ladder, err := s.Ladder(ctx)
	return err == nil && ladder.Spends(t, t.WorkOf(p)), err
}

// mayRevise refuses a fix that nobody asked for of a phase that has had the
// iterations which the settings allow (BC-37). A rejection and a verification that
// failed asked them then: what they said stands, on every clone, and next leads by
// it.
func (s *Phases) mayRevise(ctx context.Context, t task.Task, p task.Phase) error {
	if p.Kind == task.KindVerification || p.Review == task.ReviewChanges || rules.VerificationFailed(t, p) {
		return nil
	}
	spent, err := s.Spends(ctx, t, p)
	if err != nil || !spent {
		return err
	}
	work := t.WorkOf(p)
	return &task.RefusedError{
		Code: task.CodeEscalation, Msg: rules.SpentReason(t, work),
		Hint: "see 'git brew escalate " + work.ID + "'",
	}
}

// Ladder is the ladder that the settings choose.
func (s *Phases) Ladder(ctx context.Context) (rules.Ladder, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return rules.Ladder{}, err
	}
	return rules.LadderOf(task.LadderName(set.Text(config.KeyEscalateLadder)), rules.LadderLimits{
		Iterations: set.Count(config.KeyMaxIterations), Junior: set.Count(config.KeyJuniorAfter),
		Senior: set.Count(config.KeySeniorAfter),
	}), nil
}
