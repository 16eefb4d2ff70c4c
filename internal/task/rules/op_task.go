package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

func createTask(e *editor, p task.CreatePayload) error {
	at := e.at
	e.t = task.Task{
		Schema: operation.Format, ID: p.ID, Root: e.op.ID, Title: p.Title, Type: p.Type,
		Branch: p.Branch, Base: p.Base, BaseCommit: p.BaseCommit,
		Status: task.Pending, Stage: p.Stage, CreatedAt: at, UpdatedAt: at,
		Phases: []task.Phase{}, Clock: e.t.Clock, Fence: e.t.Fence, Priority: p.Priority,
		Services: withServices(nil, p.Services, nil), Issues: withIssues(nil, p.Issues, nil),
	}
	return nil
}

func editTask(e *editor, p task.EditPayload) error {
	if p.Empty() {
		return task.Refuse(task.CodeInvalid, "nothing to edit", "give --title, --branch or --type")
	}
	e.t.Title = cmp.Or(p.Title, e.t.Title)
	e.t.Branch = cmp.Or(p.Branch, e.t.Branch)
	e.t.Type = cmp.Or(p.Type, e.t.Type)
	if e.t.Priority = cmp.Or(p.Priority, e.t.Priority); p.Priority == task.PriorityNone {
		e.t.Priority = ""
	}
	e.t.Services = withServices(e.t.Services, p.AddServices, p.DropServices)
	e.t.Issues = withIssues(e.t.Issues, p.AddIssues, p.DropIssues)
	return nil
}

// startTask: a restart of what runs already is a plain start.
func startTask(e *editor, p task.StartPayload) error {
	event := TaskStart
	if p.Restart && e.t.Status.Terminal() {
		event = TaskRestart
	}
	e.t.ByRun = strings.HasPrefix(e.op.Session, task.RunPrefix)
	return e.fireTask(event, moment{})
}

func pauseTask(e *editor, p task.PausePayload) error {
	if err := noReason("a task that waits", p.Reason); err != nil && p.Cause == task.CauseWaiting {
		return err
	}
	return e.fireTask(TaskPause, moment{cause: p.Cause, reason: p.Reason})
}

// resumeTask goes on with what was only interrupted: what waits, somebody starts.
func resumeTask(e *editor, _ task.EmptyPayload) error {
	if e.t.Status == task.Paused && e.t.Cause == task.CauseWaiting {
		return task.Refuse(task.CodeTransition, fmt.Sprintf("the task waits: %s", task.Clip(e.t.Reason, task.MaxTitle)),
			"'git brew start' starts it")
	}
	return e.fireTask(TaskResume, moment{})
}

func finishTask(e *editor, p task.FinishPayload) error {
	event := map[task.Status]TaskEvent{
		task.Finished: TaskFinish, task.Failed: TaskFail, task.Cancelled: TaskCancel,
	}[p.Status]
	if p.Cause != task.CauseNone && (p.Cause != task.CauseError || p.Status != task.Failed) {
		return task.Refuse(task.CodeInvalid, fmt.Sprintf("%q is no cause of an end as %s", p.Cause, p.Status), "")
	}
	e.pass(p.Passed, "")
	if err := e.fireTask(event, moment{cause: p.Cause, reason: p.Reason}); err != nil || !e.made {
		return err
	}
	// Every phase is over where the task is finished. A reason is given where it failed
	// and no phase tells one (BC-34): whoever reads its report asks that first.
	switch {
	case p.Status == task.Finished:
		return checkAllDone(e.t, "complete or drop them, or end the task with --status failed or cancelled")
	case p.Status == task.Cancelled, slices.ContainsFunc(e.t.Phases, e.t.FailedItself):
		return nil
	}
	return noReason("ending a task as "+p.Status.String(), p.Reason)
}

func checkAllDone(t task.Task, hint string) error {
	var open []string
	for _, p := range t.Phases {
		if !p.Status.Over() {
			open = append(open, fmt.Sprintf("%s %s (%s)", p.ID, p.Title, p.Status))
		}
	}
	if len(open) == 0 {
		return nil
	}
	return &task.RefusedError{
		Code: task.CodeOpenPhases, Msg: "phases are not completed: " + strings.Join(open, ", "),
		Hint: hint, Findings: open,
	}
}

func deleteTask(e *editor, _ task.EmptyPayload) error {
	e.t.Deleted = true
	return nil
}

func setStage(e *editor, p task.StagePayload) error {
	if e.made {
		if err := checkStage(e.t, p.Stage); err != nil {
			return err
		}
	}
	e.pass(p.Passed, "")
	e.dueAgain(p.Stage)
	e.t.Stage = p.Stage
	return nil
}

func checkStage(t task.Task, to task.Stage) error {
	after := t
	if after.Stage = to; ahead(t) && !ahead(after) {
		if err := checkPlan(t); err != nil {
			return err
		}
	}
	if to == task.StageComplete {
		if err := checkAllDone(t, "see 'git brew next'"); err != nil {
			return err
		}
	}
	_, err := HeldBy(t, t.Stage, to)
	return err
}

// withServices adds services, or sets where those begin that are there already, and takes
// some out: in the order of their paths, so it does not matter in which order two machines
// added theirs.
func withServices(have, more []task.Service, drop []string) []task.Service {
	all := map[string]task.Service{}
	for _, s := range slices.Concat(have, more) {
		if _, there := all[s.Path]; there || len(all) < task.MaxServices {
			all[s.Path] = s
		}
	}
	for _, path := range drop {
		delete(all, path)
	}
	var out []task.Service // absent where there is none
	for _, path := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[path])
	}
	return out
}

func withIssues(have, more, drop []string) []string {
	out := slices.Clone(exchanged(have, more, drop))
	slices.Sort(out)
	return out[:min(len(out), task.MaxIssues)]
}

// recordHooks keeps what became of hooks; where there are many records, one that holds
// nothing up makes room.
func recordHooks(e *editor, p task.StepHookPayload) error {
	if p.Phase != "" && e.t.PhaseIndex(p.Phase) < 0 {
		return noPhase(p.Phase)
	}
	h := p.AsRecord(e.op.ID)
	h.At = e.at
	all := slices.Clone(e.t.StepHooks)
	i := slices.IndexFunc(all, h.SameSide)
	if i >= 0 {
		h = all[i].Updated(h, p.Record)
	}
	if err := task.Check(h); err != nil {
		return err
	}
	switch {
	case len(h.Runs) == 0:
		return task.Refuse(task.CodeInvalid, "no hook ran", "")
	case i >= 0:
		all[i] = h
		e.t.StepHooks = all
		return nil
	case len(all) >= task.MaxStepHooks:
		spare := slices.IndexFunc(all, func(h task.StepHooks) bool { return !e.t.HookOpen(h) })
		if spare < 0 {
			return task.Refuse(task.CodeTaskState, fmt.Sprintf("%d failed hooks hold up the task", len(all)),
				"see 'git brew next'")
		}
		all = slices.Delete(all, spare, spare+1)
	}
	e.t.StepHooks = append(all, h)
	return nil
}

func skipHook(e *editor, p task.HookSkipPayload) error {
	if err := noReason("skipping a failed hook", p.Reason); err != nil {
		return err
	}
	i := task.HookRecord(e.t, p.Record)
	if i < 0 || !e.t.HookOpen(e.t.StepHooks[i]) {
		return task.Refuse(task.CodeTaskState, "no failed hook holds up the task", "see 'git brew next'")
	}
	e.t.StepHooks = slices.Clone(e.t.StepHooks)
	e.t.StepHooks[i].Skipped = p.Reason
	return nil
}
