package hooks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// parallel is a task with two phases in progress, and a verification.
func parallel(v *View) {
	v.Task.Phases[0].Status = task.PhaseInProgress
	v.Task.Phases = append(v.Task.Phases,
		task.Phase{UID: uid(3), ID: "2V", Title: "Try it", Kind: task.KindVerification, Status: task.PhasePending},
		task.Phase{UID: uid(4), ID: "2.1", Title: "Edge", Kind: task.KindFix, Status: task.PhaseCompleted})
	v.Next = route.Next(*v.Task)
}

// BC-64, BC-68: with phases in parallel a sub-agent works on what its prompt names.
func TestAssigned_BC64_BC68_whatThePromptNames(t *testing.T) {
	for prompt, want := range map[string]string{
		"Do phase 1 as planned":              "1",
		"Phase #2: the endpoint":             "2",
		"Verify 2V, please":                  "2V",
		"phase 2.1 repairs phase 2":          "2", // the one in progress
		"go on with phases 1 and 2":          "",
		"look at 2 files":                    "",
		"phase 9 is none":                    "",
		"work":                               "",
		"compare phase 1 with what 2V tries": "1",
	} {
		f := fakeWith(parallel)
		payload := fmt.Sprintf(`{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"prompt":%q,"subagent_type":"developer"}}`, prompt)
		got := promptOf(t, specificOf(t, replay(t, f, payload)))
		line := ""
		if i := strings.Index(got, "Now phase "); i >= 0 {
			line = strings.TrimRight(strings.Fields(got[i:])[2], ",")
		}
		if line != want {
			t.Errorf("%q: phase %q, want %q in\n%s", prompt, line, want, got)
		}
	}
}

// BC-52, BC-68: where nobody can tell, none fails and none owes a report, and the
// agent is told so.
func TestAssigned_BC52_noneWhereNobodyCanTell(t *testing.T) {
	for _, extra := range []string{"", `,"tool_response":{"is_error":true}`} {
		f := fakeWith(parallel)
		s := specificOf(t, replay(t, f, agentPayload("PostToolUse", "Task", "developer", extra)))
		if !strings.Contains(s.Context, "names none, or several, of the phases in progress") || f.called("Launched") ||
			f.called("AgentFailed") {
			t.Errorf("%q, %v", s.Context, f.calls)
		}
	}
	f := fakeWith(parallel)
	replay(t, f, `{"hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"developer"}`)
	if f.called("Launched") {
		t.Errorf("%v", f.calls)
	}
}

// BC-52: a sub-agent whose call failed is heard by the event for failures.
func TestPostToolUseFailure_BC52_aFailedWorker(t *testing.T) {
	f := fakeWith()
	s := specificOf(t, replay(t, f, `{"hook_event_name":"PostToolUseFailure","tool_name":"Agent","tool_input":{"prompt":"x","subagent_type":"developer"},"error":"API error 500"}`))
	if !strings.Contains(s.Context, "one more run") || !f.called("AgentFailed") ||
		!slices.Contains(claude.Events(), "PostToolUseFailure") {
		t.Errorf("%q, %v", s.Context, f.calls)
	}
}
