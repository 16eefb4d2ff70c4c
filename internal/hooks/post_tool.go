package hooks

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/task/question"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/task"
)

// postTool notes how a tool ended. After a coordinator the lock is bound; after
// a worker the session is reminded of the two steps (BC-49, BC-68); a plan that
// the user approved switches to implementation.
func postTool(c *call) (Reply, error) {
	c.failed = failed(c.Payload)
	kind := gate.KindOf(c.Payload)
	switch {
	case kind == gate.Agent:
		return c.agentDone()
	case kind == gate.Shell:
		return c.moved()
	case c.keepsSteps():
		return c.stepsDone()
	case c.Payload.ToolName == "ExitPlanMode":
		return c.planApproved()
	}
	return Reply{}, nil
}

// planApproved: the client runs ExitPlanMode only after the user agreed, except
// for a sub-agent's.
func (c *call) planApproved() (Reply, error) {
	if !c.View.Closed() || c.Payload.AgentID != "" || protocol.Object(c.Payload.ToolResponse).Truth("isAgent") ||
		c.failed {
		return Reply{}, nil
	}
	if err := c.setMode(ModeImplementation, "plan approved"); err != nil {
		return Reply{}, err
	}
	return protocol.Context("git brew: the approved plan switched to implementation mode. " +
		"'git brew doc set plan -' keeps the plan with the task; 'git brew mode discussion' goes back when it is done."), nil
}

func (c *call) agentDone() (Reply, error) {
	agent := readAgentCall(c.Payload).name
	c.agent = agent
	t := c.View.Task
	if t == nil || t.Status.Terminal() {
		return Reply{}, nil
	}
	if gate.Coordinator(agent) {
		return c.coordinated(t)
	}
	if systemAgent(agent, c.View.Settings.List(config.KeySystemAgent)) {
		return Reply{}, nil
	}
	if c.View.Bindable {
		return protocol.Context("git brew: the lock of " + c.View.Name() +
			" is bound to no session. 'git brew lock bind' binds it to this one; then the phase can be updated."), nil
	}
	if !c.View.Bound || len(t.Phases) == 0 {
		return Reply{}, nil
	}
	p := c.assigned(readAgentCall(c.Payload))
	if p == nil && roleOf(agent) == question.RoleAll {
		return Reply{}, nil
	}
	if p == nil {
		ended := " is done"
		if c.failed {
			ended = " ended with an error"
		}
		return protocol.Context("git brew: " + agent + ended +
			", and its prompt names none, or several, of the phases in progress. 'git brew next --all' lists them; the next " +
			"prompt names one (\"phase 2\")."), nil
	}
	if !owesReport(p, agent) {
		return Reply{}, nil
	}
	if c.failed {
		return c.agentFailed(t, p, agent)
	}
	err := c.launched(t, p, agent)
	return protocol.Context(c.reminder(agent, p)), err
}

// coordinated binds the lock to the session that ran a coordinator (BC-55).
func (c *call) coordinated(t *task.Task) (Reply, error) {
	if !c.View.Bindable || c.At.Session == "" || c.failed {
		return Reply{}, nil
	}
	if _, err := c.here().BindLock(c.Ctx, t.ID); err != nil {
		return Reply{}, err
	}
	return protocol.Context("git brew: the lock of " + c.View.Name() + " is now bound to this session."), nil
}

// owesReport: an agent does a phase's work where it was assigned to it, or is called as
// workers are. One that gathers context, logs or writes documents beside it does not.
func owesReport(p *task.Phase, agent string) bool {
	return roleOf(agent) != question.RoleAll || slices.Contains(p.Agents, agent)
}

// launched makes a worker owe a report, while its phase is being worked on.
func (c *call) launched(t *task.Task, p *task.Phase, agent string) error {
	if p.Status != task.PhaseInProgress || !owesReport(p, agent) {
		return nil
	}
	return c.here().Launched(c.Ctx, t.ID, p.UID, agent)
}

// reminder names the two steps after a worker: its report, then the phase.
func (c *call) reminder(agent string, p *task.Phase) string {
	id, phase := phaseID(p), phaseTitle(p)
	report := "'git brew report " + change.ShellWord(id) + " --agent " + agent + " -' stores its report"
	update := "'git brew phase done " + change.ShellWord(id) + "' updates the phase"
	if p.Status != task.PhaseInProgress {
		update = "'git brew next' says what comes next"
	}
	steps := " is done in " + phase + ". Two steps: 1. "
	if background(c.Payload.ToolResponse) {
		steps = " works on " + phase + " in the background. When it has ended, two steps: 1. "
	}
	return "git brew: " + agent + steps + report + "; 2. " + update + "."
}

func phaseTitle(p *task.Phase) string {
	if title := protocol.Quoted(p.Title, 80); title != "" {
		return "phase " + phaseID(p) + " (" + title + ")"
	}
	return "phase " + phaseID(p)
}

const maxAgentError = 300

// agentFailed keeps a worker's error: the phase stays as it is for one more try,
// and fails with the second one, to be escalated or tried again (BC-52). A worker that a person
// stopped did not fail, and neither owes a report.
func (c *call) agentFailed(t *task.Task, p *task.Phase, agent string) (Reply, error) {
	said := "git brew: " + agent + " ended with an error in " + phaseTitle(p)
	giveUp := "'git brew phase fail " + change.ShellWord(phaseID(p)) + " -m REASON' gives it up."
	stays := protocol.Context(said + ", which stays as it is. " + giveUp)
	if p.Status != task.PhaseInProgress || stopped(c.Payload) {
		return stays, nil
	}
	after, err := c.here().AgentFailed(c.Ctx, t.ID, p.UID, agent,
		protocol.Clean(redact.Text(errorText(c.Payload)), maxAgentError))
	switch {
	case err != nil:
		return stays, err
	case after.Status == task.PhaseFailed:
		way := "git brew next"
		if after.MustEscalate {
			way = "git brew escalate " + change.ShellWord(phaseID(p))
		}
		return protocol.Context(said + " again, and the phase failed. '" + way +
			"' says what can be done about it; what depends on it failed too."), nil
	}
	return protocol.Context(said + ", which stays as it is; what it said is kept as something to avoid. Now one more " +
		"run of the agent: if that fails too, so does the phase. " + giveUp), nil
}

func errorText(p Payload) string {
	if p.Failure != "" {
		return p.Failure
	}
	f := protocol.Object(p.ToolResponse)
	return cmp.Or(f.Text("error"), f.Text("message"), f.Text("result"))
}

// stopped reports that somebody ended a tool, or did not let it begin.
func stopped(p Payload) bool {
	f := protocol.Object(p.ToolResponse)
	return f.Truth("interrupted") || says(f, "denied aborted killed cancelled interrupted", "status")
}

func says(f protocol.Fields, words string, fields ...string) bool {
	return slices.ContainsFunc(fields, func(field string) bool {
		return slices.ContainsFunc(gate.Words(f.Text(field)), func(word string) bool {
			return slices.Contains(strings.Fields(words), word)
		})
	})
}

// background reports a sub-agent that was only started.
func background(response json.RawMessage) bool {
	f := protocol.Object(response)
	return f.Text("status") == "async_launched" || f.Truth("isAsync")
}

// failed reads from a tool's result whether it failed (BW-35): what it says
// outright, else words of failure in the fields that tell about it.
func failed(p Payload) bool {
	f := protocol.Object(p.ToolResponse)
	if success := string(f["success"]); p.Failure == "" && (success == "true" || success == "false") {
		return success == "false"
	}
	return p.Failure != "" || f.Text("error") != "" ||
		f.Truth("is_error") || f.Truth("isError") || f.Truth("interrupted") ||
		says(f, "failed failure error errored exception denied aborted killed", "status", "message", "result")
}
