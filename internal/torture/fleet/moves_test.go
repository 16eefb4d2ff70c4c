package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// move is something that a person or an agent does on one machine.
type move struct {
	name string
	do   func(ctx context.Context, f *fleet, s *app.App, id task.ID) error
}

var words = []string{"alpha", "beta", "gamma", "delta", "epsilon"}

func (f *fleet) text() []byte {
	text := ""
	for range 1 + f.dice.IntN(5) {
		text += pick(f, words) + "\n"
	}
	return []byte(text)
}

// anyPhase is the shown id of one of a task's phases, or of none.
func (f *fleet) anyPhase(ctx context.Context, s *app.App, id task.ID) string {
	t, err := s.Records.Task(ctx, id)
	if err != nil || len(t.Phases) == 0 {
		return "1"
	}
	return pick(f, t.Phases).ID
}

// anyBoard is what somebody may review: a document, or a phase.
func (f *fleet) anyBoard(ctx context.Context, s *app.App, id task.ID) string {
	return pick(f, []string{"plan", "spec", "phases/" + f.anyPhase(ctx, s, id)})
}

// reviewers are a few, and the user.
var reviewers = []string{"", "ann", "bob", "cid"}

func onPhase(name string, do func(ctx context.Context, f *fleet, s *app.App, id task.ID, phase string) error) move {
	return move{name, func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		return do(ctx, f, s, id, f.anyPhase(ctx, s, id))
	}}
}

// moves are operations of every kind.
var moves = slices.Concat(workMoves, steeringMoves, slices.Repeat([]move{along}, 6), slices.Repeat([]move{undo}, 4))

// undo takes back one of the last things that were done, whoever did them.
var undo = move{"undo", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
	_, err := s.Undo(ctx, id, pick(f, []string{"", "1", "2", "3", "5"}))
	return err
}}

// workMoves are what a task is made, worked on and shared by.
var workMoves = []move{
	{"create", func(ctx context.Context, f *fleet, s *app.App, _ task.ID) error {
		_, err := s.Tasks.Create(ctx, app.CreateRequest{
			Title: pick(f, words), NoSwitch: true,
			Branch: fmt.Sprintf("b%d", f.dice.IntN(1000)), Phases: []string{"One", "Two"}[:f.dice.IntN(3)],
		})
		return err
	}},
	{"edit", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Tasks.EditTask(ctx, id, app.EditRequest{Title: pick(f, words)})
		return err
	}},
	{"delete", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		if f.dice.IntN(3) > 0 {
			return nil
		}
		_, err := s.Tasks.DeleteTask(ctx, id)
		return err
	}},
	{"start", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Work.Start(ctx, id, f.dice.IntN(4) == 0, f.dice.IntN(4) == 0)
		return err
	}},
	{"pause -m", func(ctx context.Context, _ *fleet, s *app.App, id task.ID) error {
		_, err := s.Work.Pause(ctx, id, task.CauseWaiting, "waits")
		return err
	}},
	{"pause", func(ctx context.Context, _ *fleet, s *app.App, id task.ID) error {
		_, err := s.Work.Pause(ctx, id, task.CauseHandoff, "")
		return err
	}},
	{"resume", func(ctx context.Context, _ *fleet, s *app.App, id task.ID) error { return s.Work.Resume(ctx, id) }},
	{"finish", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Work.Finish(ctx, id, app.FinishRequest{Status: pick(f,
			[]task.Status{task.Finished, task.Cancelled, task.Failed}), Reason: "enough"})
		return err
	}},
	{"stage", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Work.SetStage(ctx, id, pick(f, []task.Stage{task.StageClarify, task.StagePlan, task.StageExecute}))
		return err
	}},
	{"phase add", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		r := phase.PhaseAddRequest{Title: pick(f, words), Agents: []string{"developer"}[:f.dice.IntN(2)]}
		switch f.dice.IntN(4) {
		case 0:
			r.Kind, r.Parent = task.KindVerification, f.anyPhase(ctx, s, id)
		case 1:
			r.DependsOn = []string{f.anyPhase(ctx, s, id)}
		case 2:
			r.Verify = []string{pick(f, commands)}
		}
		_, err := s.Phases.AddPhase(ctx, id, r)
		return err
	}},
	{"phase launch", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		t, err := s.Records.Task(ctx, id)
		if err != nil || len(t.Phases) == 0 {
			return err
		}
		return s.Sessions.Launched(ctx, id, pick(f, t.Phases).UID, "reviewer")
	}},
	onPhase("phase start", func(ctx context.Context, _ *fleet, s *app.App, id task.ID, phase string) error {
		_, err := s.Phases.StartPhase(ctx, id, phase)
		return err
	}),
	onPhase("phase done", func(ctx context.Context, _ *fleet, s *app.App, id task.ID, phase string) error {
		_, err := s.Phases.PhaseDone(ctx, id, phase)
		return err
	}),
	onPhase("phase review", func(ctx context.Context, f *fleet, s *app.App, id task.ID, phase string) error {
		_, err := s.Reviews.ReviewPhase(ctx, id, phase, pick(f, []task.Review{task.ReviewApproved, task.ReviewChanges}),
			"because")
		return err
	}),
	onPhase("phase revise", func(ctx context.Context, _ *fleet, s *app.App, id task.ID, phase string) error {
		_, err := s.Phases.RevisePhase(ctx, id, phase, "Mend it")
		return err
	}),
	onPhase("phase fail", func(ctx context.Context, _ *fleet, s *app.App, id task.ID, phase string) error {
		_, err := s.Phases.FailPhase(ctx, id, phase, "can't be")
		return err
	}),
	onPhase("phase drop", func(ctx context.Context, _ *fleet, s *app.App, id task.ID, phase string) error {
		_, err := s.Phases.DropPhase(ctx, id, phase, "not wanted")
		return err
	}),
	onPhase("phase reset", func(ctx context.Context, _ *fleet, s *app.App, id task.ID, phase string) error {
		_, err := s.Phases.ResetPhase(ctx, id, phase, "again")
		return err
	}),
	onPhase("phase split", func(ctx context.Context, _ *fleet, s *app.App, id task.ID, phase string) error {
		_, err := s.Phases.SplitPhase(ctx, id, phase, []string{"Left", "Right"})
		return err
	}),
	{"hook failed", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		if f.dice.IntN(2) > 0 {
			return nil
		}
		_, err := s.Pipelines.HookFailed(ctx, id, steps.HookFailedRequest{Hook: "post-clarify", Reason: "it is unclear"})
		if err == nil && f.dice.IntN(3) > 0 {
			_, _, err = s.Pipelines.SkipHooks(ctx, id, "it is clear by now")
		}
		return err
	}},
	{"hook skip", func(ctx context.Context, _ *fleet, s *app.App, id task.ID) error {
		_, _, err := s.Pipelines.SkipHooks(ctx, id, "not now")
		return err
	}},
	onPhase("report", func(ctx context.Context, f *fleet, s *app.App, id task.ID, ph string) error {
		_, err := s.Phases.AddReport(ctx, id, phase.ReportRequest{Phase: ph, Agent: "developer", Text: f.text()})
		return err
	}),
	{"doc set", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Documents.SetDocument(ctx, id,
			texts.SetDocumentRequest{Name: pick(f, []string{"plan", "spec", "changelog"}), Text: f.text()})
		return err
	}},
	{"doc resolve", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		t, err := s.Records.Task(ctx, id)
		if err != nil || len(t.Conflicts) == 0 {
			return err
		}
		_, err = s.Documents.ResolveConflict(ctx, id, string(t.Conflicts[0].UID), f.text())
		return err
	}},
	{"question add", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Documents.AddQuestion(ctx, id, "Which "+pick(f, words)+"?")
		return err
	}},
	{"question resolve", func(ctx context.Context, _ *fleet, s *app.App, id task.ID) error {
		_, err := s.Documents.ResolveQuestion(ctx, id, 1, "this one")
		return err
	}},
	{"undo", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		name := "" // the last thing that was done
		if f.dice.IntN(2) == 0 {
			changes, _, err := s.Changes(ctx, id)
			changes = slices.DeleteFunc(changes, func(d app.Change) bool { return d.Why != "" })
			if err != nil || len(changes) == 0 {
				return err
			}
			name = pick(f, changes).Commit.String()
		}
		_, err := s.Undo(ctx, id, name)
		return err
	}},
	{"decision add", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, _, err := s.Reviews.AddDecision(ctx, id,
			review.DecisionRequest{Title: pick(f, words), Why: pick(f, words), Supersedes: pick(f, []string{"", "", "1", "2"})})
		return err
	}},
	{"decision revoke", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, _, err := s.Reviews.RevokeDecision(ctx, id, pick(f, []string{"1", "2", "3"}), "because")
		return err
	}},
	{"remark add", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Reviews.AddRemark(ctx, id, review.RemarkRequest{
			On: f.anyBoard(ctx, s, id), Reviewer: pick(f, reviewers),
			Severity: pick(f, []task.Severity{task.Critical, task.Major, task.Minor, task.Info}), Text: pick(f, words),
		})
		return err
	}},
	{"remark confirm", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		about := pick(f, []string{"1", "2", "3", f.anyBoard(ctx, s, id)})
		_, err := s.Reviews.Vote(ctx, id, review.VoteRequest{
			About: []string{about}, Reviewer: pick(f, reviewers),
			Reason: "because",
		})
		return err
	}},
	{"remark reject", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Reviews.Vote(ctx, id, review.VoteRequest{
			Against: true, About: []string{pick(f, []string{"1", "2", "3"})},
			Reviewer: pick(f, reviewers), Reason: "because",
		})
		return err
	}},
	{"remark resolve", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Reviews.ResolveRemarks(ctx, id, []string{pick(f, []string{"1", "2", "3"})}, "")
		return err
	}},
	{"learn", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Knowledge.Learn(ctx, f.scope(id),
			knowledge.Entry{T: knowledge.Fact, Txt: pick(f, words) + " is " + pick(f, words)})
		return err
	}},
	{"forget", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		in := f.scope(id)
		all, err := s.Knowledge.Knowledge(ctx, in)
		if err != nil || len(all) == 0 {
			return err
		}
		_, err = s.Knowledge.Forget(ctx, in, string(pick(f, all).ID))
		return err
	}},
	{"compact", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Knowledge.Compact(ctx, f.scope(id), true)
		return err
	}},
	{"backlog promote", func(ctx context.Context, f *fleet, s *app.App, _ task.ID) error {
		all, err := s.Knowledge.Backlog(ctx, false)
		if err != nil || len(all) == 0 {
			return err
		}
		_, err = s.Tasks.PromoteBacklog(ctx, string(pick(f, all).ID),
			app.CreateRequest{NoSwitch: true, Branch: fmt.Sprintf("b%d", f.dice.IntN(1000))})
		return err
	}},
	{"backlog add", func(ctx context.Context, f *fleet, s *app.App, _ task.ID) error {
		_, err := s.Knowledge.AddBacklog(ctx, pick(f, words), "", "")
		return err
	}},
	{"backlog done", func(ctx context.Context, f *fleet, s *app.App, _ task.ID) error {
		all, err := s.Knowledge.Backlog(ctx, false)
		if err != nil || len(all) == 0 {
			return err
		}
		_, err = s.Knowledge.DoneBacklog(ctx, string(pick(f, all).ID))
		return err
	}},
	{"config set", func(ctx context.Context, f *fleet, s *app.App, _ task.ID) error {
		return s.Config.ConfigSet(ctx, pick(f, []string{"knowledge.maxEntries", "stop.limit"}),
			[]string{pick(f, []string{"3", "5", "8"})}, true)
	}},
	{"config unset", func(ctx context.Context, _ *fleet, s *app.App, _ task.ID) error {
		return s.Config.ConfigUnset(ctx, "stop.limit", true)
	}},
	{"lock acquire", func(ctx context.Context, _ *fleet, s *app.App, id task.ID) error {
		_, err := s.Claims.AcquireLock(ctx, id)
		return err
	}},
	{"start --steal", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		if f.dice.IntN(2) > 0 {
			return nil
		}
		_, err := s.Work.Start(ctx, id, false, true)
		return err
	}},
	{"lock renew", func(ctx context.Context, _ *fleet, s *app.App, id task.ID) error {
		_, err := s.Claims.RenewLock(ctx, id)
		return err
	}},
	{"lock release", func(ctx context.Context, _ *fleet, s *app.App, id task.ID) error {
		_, err := s.Claims.ReleaseLock(ctx, id)
		return err
	}},
	{"lock bind", func(ctx context.Context, _ *fleet, s *app.App, id task.ID) error {
		_, err := s.Claims.BindLock(ctx, id)
		return err
	}},
	{"event", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		return s.Journal.Record(ctx, event.Event{Hook: "PostToolUse", Tool: pick(f, words), Task: string(id)})
	}},
	{"archive", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		if f.dice.IntN(3) == 0 { // what is locked can't be archived
			_, _ = s.Work.Finish(ctx, id, app.FinishRequest{Status: task.Cancelled})
		}
		_, err := s.Archive.Archive(ctx, archive.ArchiveRequest{Tasks: []task.ID{id}})
		return err
	}},
}

func (f *fleet) scope(id task.ID) task.ID {
	if f.dice.IntN(2) == 0 {
		return ""
	}
	return id
}

// allowed are the errors of moves that the rules refuse: nothing was done.
func allowed(err error) bool {
	if err == nil || errors.Is(err, ledger.ErrSuperseded) || errors.Is(err, task.ErrNoTask) ||
		errors.Is(err, task.ErrNoPhase) ||
		errors.Is(err, task.ErrNoEntry) || errors.Is(err, task.ErrNoDocument) || errors.Is(err, task.ErrNoQuestion) ||
		errors.Is(err, clone.ErrNotFound) {
		return true
	}
	_, held := errors.AsType[*lease.HeldError](err)
	_, byTask := errors.AsType[*task.RefusedError](err)
	_, byUse := errors.AsType[*clone.RefusedError](err)
	_, invalid := errors.AsType[*clone.InvalidError](err)
	_, missing := errors.AsType[*clone.NotFoundError](err)
	_, rejected := errors.AsType[*knowledge.RejectedError](err)
	return held || byTask || byUse || invalid || missing || rejected
}

// step does something on a machine: the first of some moves that the rules
// allow there.
func (f *fleet) step(c *machine) {
	session := ""
	if f.dice.IntN(2) == 0 {
		session = fmt.Sprintf("session-%s-%d", c.name, f.dice.IntN(2))
	}
	for range 5 {
		if f.try(c, session) {
			break
		}
	}
	if f.dice.IntN(20) == 0 {
		c.now = c.now.Add(time.Duration(f.dice.IntN(72)) * time.Hour)
	}
}

func (f *fleet) try(c *machine, session string) (done bool) {
	ctx := context.Background()
	s := c.service(session)
	_ = s.Exchange.TakeFetched(ctx, false)
	all, err := s.List(ctx, app.ListRequest{All: true, Archived: f.dice.IntN(2) == 0})
	if err != nil {
		f.fail("%s: list: %v", c.name, err)
	}
	m := moves[0]
	var id task.ID
	if len(all.Tasks) > 0 {
		// Old tasks, which others know too, more often than new ones.
		last := len(all.Tasks) - 1
		m, id = pick(f, moves), all.Tasks[last-min(f.dice.IntN(len(all.Tasks)), f.dice.IntN(len(all.Tasks)))].ID
	}
	err = m.do(ctx, f, s, id)
	f.tell("%s (%s): %s %s: %v", c.name, session, m.name, id, err)
	if !allowed(err) && !errors.As(err, new(*refsync.RemoteError)) {
		f.fail("%s: %s: %v", c.name, m.name, err)
	}
	return err == nil
}
