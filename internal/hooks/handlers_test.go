package hooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/claude"

	"github.com/git-brew/git-brew/internal/app/lock"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
	"github.com/git-brew/git-brew/internal/task/route"
)

// specific is hookSpecificOutput of an answer.
type specific struct {
	Event      string          `json:"hookEventName"`
	Permission string          `json:"permissionDecision"`
	PermReason string          `json:"permissionDecisionReason"`
	Input      json.RawMessage `json:"updatedInput"`
	Context    string          `json:"additionalContext"`
	Title      string          `json:"sessionTitle"`
}

// specificOf is hookSpecificOutput of an answer.
func specificOf(t *testing.T, out Output) specific {
	t.Helper()
	var a struct {
		Specific *specific `json:"hookSpecificOutput"`
	}
	if len(out.Stdout) > 0 {
		if err := json.Unmarshal(out.Stdout, &a); err != nil {
			t.Fatal(err)
		}
	}
	if a.Specific == nil {
		return specific{}
	}
	return *a.Specific
}

func startPayload(source string) string {
	return fmt.Sprintf(`{"session_id":%q,"hook_event_name":"SessionStart","source":%q}`, sessionID, source)
}

func TestSessionStart_BC63_S43_contextOnceAndBounded(t *testing.T) {
	for _, source := range []string{"startup", "resume", "clear", "compact", "fork"} {
		f := fakeWith(func(v *View) {
			v.Task.Title = strings.Repeat("long title \x1b[31m", 1000)
			v.Next.Reason = strings.Repeat("because ", 1000)
			v.Lock.User = strings.Repeat("u", 5000)
			v.Decided = task.Decided{Active: 2, Newest: []task.DecidedTitle{{
				ID:    "DEC-003",
				Title: strings.Repeat("long \x1b[31m", 1000),
			}, {ID: "DEC-001", Title: "Tokens end"}}}
		})
		f.brief.Knowledge = "## K\n" + strings.Repeat("avoid: ä\"\\ ", 5000)
		s := specificOf(t, replay(t, f, startPayload(source)))
		if s.Context == "" || len(s.Context) >= 4<<10 || strings.Contains(s.Context, "\x1b") || len(s.Title) > 120 {
			t.Errorf("%s: %d bytes, title %q", source, len(s.Context), s.Title)
		}
		if got := strings.Contains(s.Context, "\nDecisions that hold: 2; newest: DEC-003 \"long ") &&
			strings.Contains(s.Context,
				"; DEC-001 \"Tokens end\". 'git brew decision list' shows all."); got != (source == "compact") {
			t.Errorf("%s, what was decided: %s", source, s.Context)
		}
		if source == "compact" && !strings.Contains(s.Context, "git brew show add-jwt-auth:plan.md") {
			t.Errorf("what to read again was cut: %s", s.Context)
		}
		if out := replay(t, f, startPayload(source)); len(out.Stdout) > 0 {
			t.Errorf("%s: given twice: %s", source, out.Stdout)
		}
	}
}

func TestSessionStart_BC55_bindsTheLockThatWaits(t *testing.T) {
	f := fakeWith(unbound)
	s := specificOf(t, replay(t, f, startPayload("startup")))
	if !f.called("BindLock add-jwt-auth-k3v9q2m") || !strings.Contains(s.Context, "Lock: held by this session") {
		t.Errorf("%v %s", f.calls, s.Context)
	}
	f = fakeWith(foreign)
	s = specificOf(t, replay(t, f, startPayload("startup")))
	if f.called("BindLock") || !strings.Contains(s.Context,
		"Lock: held by \"session 11aa02c7 on mara@laptop\"; wait, or the user takes it over with 'git brew start --steal'.") {
		t.Errorf("%v %s", f.calls, s.Context)
	}
	f = fakeWith(unbound)
	if replay(t, f, `{"hook_event_name":"SessionStart","source":"startup"}`); f.called("BindLock") {
		t.Error("a lock was bound to no session")
	}
}

func TestSessionStart_findsTheTaskOfTheBranch(t *testing.T) {
	f := fakeWith(noTask)
	found := fakeWith(unbound).view
	f.found = &found
	s := specificOf(t, replay(t, f, startPayload("startup")))
	if !f.called("BindLock") || s.Title != "Add JWT auth" || !strings.Contains(s.Context, "phase 2 of 2") {
		t.Errorf("%v %+v", f.calls, s)
	}
}

func TestSessionStart_BC84_handoffGoesBackAfterCompaction(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		change func(*View)
		want   bool
	}{
		"compact":         {"compact", compacting, true},
		"resume":          {"resume", compacting, false},
		"in progress":     {"compact", stands(task.InProgress), false},
		"another session": {"compact", func(v *View) { compacting(v); foreign(v) }, false},
	} {
		f := fakeWith(c.change)
		s := specificOf(t, replay(t, f, startPayload(c.source)))
		if f.called("Resume") != c.want || (c.want && !strings.Contains(s.Context, "in progress")) {
			t.Errorf("%s: %v %s", name, f.calls, s.Context)
		}
	}
	f := fakeWith(stands(task.InProgress))
	replay(t, f, startPayload("compact"))
	compacting(&f.view)
	if replay(t, f, startPayload("compact")); !f.called("Resume") {
		t.Errorf("right behind another compaction: %v", f.calls)
	}
}

func TestSessionStart_BC63_offersThePlanAfterClear(t *testing.T) {
	plan := Plan{Path: "/home/dev/.claude/plans/a plan's.md", Written: testNow.Add(-30 * time.Second)}
	f := fakeWith()
	f.plan = plan
	if s := specificOf(t, replay(t, f, startPayload("clear"))); !strings.Contains(s.Context,
		`git brew doc set plan '/home/dev/.claude/plans/a plan'\''s.md'`) {
		t.Errorf("%s", s.Context)
	}
	f = fakeWith(noTask)
	f.plan = plan
	if s := specificOf(t, replay(t, f, startPayload("clear"))); !strings.Contains(s.Context,
		"git brew create TITLE --plan") {
		t.Errorf("%s", s.Context)
	}
	for name, p := range map[string]Plan{
		"none": {}, "old": {Path: plan.Path, Written: testNow.Add(-61 * time.Second)},
		"of tomorrow": {Path: plan.Path, Written: testNow.Add(time.Hour)},
		"relative":    {Path: "x.md", Written: testNow}, "hostile": {Path: "/x\ny.md", Written: testNow},
	} {
		f := fakeWith()
		f.plan = p
		if s := specificOf(t, replay(t, f, startPayload("clear"))); strings.Contains(s.Context, "plan from plan mode") {
			t.Errorf("%s: %s", name, s.Context)
		}
	}
	f = fakeWith()
	f.plan = plan
	if s := specificOf(t, replay(t, f, startPayload("startup"))); strings.Contains(s.Context, "plan from plan mode") {
		t.Errorf("not after clear: %s", s.Context)
	}
}

func TestSessionStart_titleOfAPersonStays(t *testing.T) {
	for have, want := range map[string]string{
		"": "Add JWT auth", "my own": "", "Add JWT auth": "",
		"old title": "Add JWT auth",
	} {
		f := fakeWith(func(v *View) { v.Session.Title = "old title" })
		s := specificOf(t, replay(t, f, strings.Replace(startPayload("resume"), "{",
			fmt.Sprintf(`{"session_title":%q,`, have), 1)))
		if s.Title != want {
			t.Errorf("session %q: title %q", have, s.Title)
		}
	}
}

func TestPreTool_BW2_discussionDeniesWriting(t *testing.T) {
	for _, extra := range []string{"", `"agent_id":"a1","agent_type":"developer",`} {
		for _, tool := range []string{
			"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "mcp__fs__write_file",
			"mcp__" + strings.Repeat("x", 5000) + "__write",
		} {
			payload := fmt.Sprintf(`{"hook_event_name":"PreToolUse",%s"tool_name":%q,"tool_input":{}}`, extra, tool)
			f := fakeWith(discussing, func(v *View) { set(v, config.KeyTrigger, strings.Repeat("ä", 500)) })
			s := specificOf(t, replay(t, f, payload))
			if s.Permission != "deny" || len(s.PermReason) >= 400 || !strings.HasPrefix(s.PermReason, tool[:4]) ||
				!strings.Contains(s.PermReason, "git brew mode implementation") {
				t.Errorf("%.40s: %+v", tool, s)
			}
			if r := f.records[0]; r.Decision != "deny" || r.Reason == "" {
				t.Errorf("record %+v", r)
			}
			changes := map[string]func(*View){
				"implementation": func(*View) {},
				"no gate":        func(v *View) { discussing(v); v.Gated = false },
			}
			for name, open := range changes {
				if out := replay(t, fakeWith(open), payload); len(out.Stdout) > 0 {
					t.Errorf("%s, %.40s: %s", name, tool, out.Stdout)
				}
			}
		}
	}
}

func TestPreTool_BW8_shellInDiscussion(t *testing.T) {
	for command, want := range map[string]string{
		"git brew status": "", "ls": "", "make": "deny",
		"git brew mode implementation": "deny", "": "ask",
	} {
		input, _ := json.Marshal(map[string]string{"command": command})
		payload := fmt.Sprintf(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":%s}`, input)
		if s := specificOf(t, replay(t, fakeWith(discussing), payload)); s.Permission != want || len(s.PermReason) >= 400 {
			t.Errorf("%q: %+v", command, s)
		}
		// of which repository's, nobody looks
		if out := replay(t, fakeWith(), payload); len(out.Stdout) > 0 && !strings.Contains(command, "mode") {
			t.Errorf("%q in implementation mode: %s", command, out.Stdout)
		}
	}
	for tool, want := range map[string]string{"mcp__t__run_command": "ask", "Read": "", "ExitPlanMode": ""} {
		if s := specificOf(t, replay(t, fakeWith(discussing),
			fmt.Sprintf(`{"hook_event_name":"PreToolUse","tool_name":%q}`, tool))); s.Permission != want {
			t.Errorf("%s: %+v", tool, s)
		}
	}
}

func agentPayload(event, tool, agent, extra string) string {
	return fmt.Sprintf(`{"session_id":%q,"hook_event_name":%q,"tool_name":%q,"tool_input":{"description":"d & <b>","prompt":"Do it.\nNow.","subagent_type":%q,"n":1.50,"x":null}%s}`, sessionID, event, tool, agent, extra)
}

func promptOf(t *testing.T, s specific) string {
	t.Helper()
	var input struct{ Prompt string }
	if s.Input != nil {
		if err := json.Unmarshal(s.Input, &input); err != nil {
			t.Fatal(err)
		}
	}
	return input.Prompt
}

func TestPreTool_BC64_agentPrompt(t *testing.T) {
	for _, tool := range []string{"Task", "Agent"} {
		f := fakeWith()
		s := specificOf(t, replay(t, f, agentPayload("PreToolUse", tool, "brew:code-reviewer", "")))
		prompt := promptOf(t, s)
		order := []string{
			briefStart, "Constraints:", defaultConstraints(question.RoleAll),
			defaultConstraints(question.RoleReview), "Task: add-jwt-auth", "phase 2 of 2", "POST /login", "grepai", "## K",
			briefEnd, "Do it.\nNow.",
		}
		at := 0
		for _, part := range order {
			i := strings.Index(prompt[at:], part)
			if i < 0 {
				t.Fatalf("%s: %q is missing, or not in order, in\n%s", tool, part, prompt)
			}
			at += i
		}
		if !strings.HasSuffix(prompt, "\n\nDo it.\nNow.") || s.Permission != "" {
			t.Errorf("%s: %+v", tool, s)
		}
		if strings.Contains(prompt, defaultConstraints(question.RoleDev)) {
			t.Errorf("constraints of another role:\n%s", prompt)
		}
		if in := string(s.Input); !strings.Contains(in, `"description":"d & <b>"`) || !strings.Contains(in, `"n":1.50`) ||
			strings.Contains(in, "null") {
			t.Errorf("%s", in)
		}
		if f.records[0].Agent != "code-reviewer" {
			t.Errorf("%+v", f.records[0])
		}
		again, _ := json.Marshal(prompt)
		if out := replay(t, fakeWith(), fmt.Sprintf(`{"hook_event_name":"PreToolUse","tool_name":%q,"tool_input":{"prompt":%s,"subagent_type":"developer"}}`, tool, again)); len(out.Stdout) > 0 {
			t.Errorf("%s: told twice: %s", tool, out.Stdout)
		}
	}
}

func TestPreTool_BC65_systemAgents(t *testing.T) {
	for agent, facts := range map[string]bool{
		"": false, "Explore": true, "Plan": true, "bash": false, "general-purpose": true, "bc-coordinator": false,
		"bc-knowledge-manager": false,
		"own-agent":            false, "claude": false, // as they are set
	} {
		f := fakeWith(func(v *View) { set(v, config.KeySystemAgent, "x:OWN-agent", "claude") })
		prompt := promptOf(t, specificOf(t, replay(t, f, agentPayload("PreToolUse", "Agent", agent, ""))))
		if !strings.Contains(prompt, "grepai") || strings.Contains(prompt, "## K") ||
			strings.Contains(prompt, "Constraints") || strings.Contains(prompt, "add-jwt-auth") != facts {
			t.Errorf("%q:\n%s", agent, prompt)
		}
		f.brief.Search = ""
		if out := replay(t, f, agentPayload("PreToolUse", "Agent", agent, "")); len(out.Stdout) > 0 != facts {
			t.Errorf("%q: %s", agent, out.Stdout)
		}
	}
}

func TestPreTool_BC67_planMode(t *testing.T) {
	prompt := promptOf(t, specificOf(t, replay(t, fakeWith(),
		agentPayload("PreToolUse", "Agent", "developer", `,"permission_mode":"plan"`))))
	if strings.Contains(prompt, "## K") || !strings.Contains(prompt, "Constraints") {
		t.Errorf("%s", prompt)
	}
}

func TestPreTool_BC57_onlyForTheHolder(t *testing.T) {
	changes := map[string]func(*View){
		"foreign":  foreign,
		"unbound":  unbound,
		"no task":  noTask,
		"terminal": stands(task.Cancelled),
	}
	for name, change := range changes {
		if out := replay(t, fakeWith(change), agentPayload("PreToolUse", "Agent", "developer", "")); len(out.Stdout) > 0 {
			t.Errorf("%s: %s", name, out.Stdout)
		}
	}
}

// TestPreTool_BC64_fits: the prompt stays whole, whatever has to be left out.
func TestPreTool_BC64_fits(t *testing.T) {
	for size, want := range map[int]string{10: "## K", 3000: "## K", 6500: "Constraints", 7900: "", 100_000: ""} {
		own := strings.Repeat("<\"ä\n", size/7)
		value, err := claude.JSON(own)
		if err != nil {
			t.Fatal(err)
		}
		f := fakeWith()
		f.brief.Knowledge = "## K\n" + strings.Repeat("avoid \"this\"\n", 400)
		out := replay(t, f, fmt.Sprintf(`{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"prompt":%s,"subagent_type":"developer"}}`, value))
		if len(out.Stdout) >= claude.MaxAnswer || out.Exit != 0 {
			t.Fatalf("%d: %d bytes, %s", size, len(out.Stdout), out.Stderr)
		}
		prompt := promptOf(t, specificOf(t, out))
		if prompt != "" && !strings.HasSuffix(prompt, "\n\n"+own) {
			t.Errorf("%d: the prompt was changed", size)
		}
		if (prompt == "") != (want == "") || !strings.Contains(prompt, want) {
			t.Errorf("%d: %.300s", size, prompt)
		}
	}
}

func TestPreTool_agentInputThatCanNotBeKept(t *testing.T) {
	for _, input := range []string{
		`{"prompt":"x","subagent_type":"developer","a":{"b":null}}`,
		`{"subagent_type":"developer"}`, `{"prompt":5}`, `[]`, `"x"`, `{"prompt":""}`,
	} {
		if out := replay(t, fakeWith(), `{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":`+input+
			`}`); len(out.Stdout) > 0 || out.Exit != 0 {
			t.Errorf("%s: %+v", input, out)
		}
	}
}

func TestPostTool_BC68_afterAWorker(t *testing.T) {
	for name, c := range map[string]struct {
		agent, extra string
		change       func(*View)
		want         []string
		launched     bool
	}{
		"done": {
			"brew:developer", `,"tool_response":{"status":"completed"}`, func(*View) {},
			[]string{
				"developer is done in phase 2 (\"Login endpoint\")", "git brew report 2 --agent developer -",
				"git brew phase done 2",
			},
			true,
		},
		"background": {
			"developer", `,"tool_response":{"status":"async_launched","isAsync":true}`, func(*View) {},
			[]string{"in the background", "git brew report 2"},
			true,
		},
		"error": {
			"developer", `,"tool_response":{"is_error":true}`, func(*View) {},
			[]string{"ended with an error", "one more run", "git brew phase fail 2"},
			false,
		},
		"failed": {
			"developer", `,"tool_response":{"status":"failed"}`, func(*View) {},
			[]string{"ended with an error"},
			false,
		},
		"verifying": {"tester", "", func(v *View) {
			v.Task.Phases[1].Kind = task.KindVerification
		}, []string{"git brew phase done 2"}, true},
		"unbound":  {"developer", "", unbound, []string{"git brew lock bind"}, false},
		"no phase": {"developer", "", func(v *View) { v.Task.Phases = nil }, nil, false},
		"not begun": {"developer", "", func(v *View) {
			v.Task.Phases[1].Status = task.PhasePending
		}, []string{"phase 2"}, false},
		"foreign":  {"developer", "", foreign, nil, false},
		"system":   {"Explore", "", func(*View) {}, nil, false},
		"terminal": {"developer", "", stands(task.Finished), nil, false},
		"no task":  {"developer", "", noTask, nil, false},
	} {
		f := fakeWith(c.change)
		s := specificOf(t, replay(t, f, agentPayload("PostToolUse", "Task", c.agent, c.extra)))
		if (s.Context == "") != (c.want == nil) {
			t.Errorf("%s: %q", name, s.Context)
		}
		for _, w := range c.want {
			if !strings.Contains(s.Context, w) {
				t.Errorf("%s: %q is not in %q", name, w, s.Context)
			}
		}
		if f.called("Launched") != c.launched {
			t.Errorf("%s: %v", name, f.calls)
		}
	}
}

// BC-52: an error is recorded, and what it said is one line without secrets; what
// a person stopped is none.
func TestPostTool_BC52_agentFailed(t *testing.T) {
	for name, c := range map[string]struct {
		response string
		erred    task.Phase
		text     string // "" where nothing is recorded
		want     string
	}{
		"an error": {
			`{"is_error":true,"error":"API\nerror\u001b[2J 500"}`,
			task.Phase{Status: task.PhaseInProgress},
			"API error 500", "one more run of the agent",
		},
		"the last one": {
			`{"success":false,"message":"out of tokens"}`,
			task.Phase{Status: task.PhaseFailed, MustEscalate: true},
			"out of tokens", "'git brew escalate 2' says",
		},
		"the last one, and no rung is left": {
			`{"success":false,"message":"out of tokens"}`,
			task.Phase{Status: task.PhaseFailed},
			"out of tokens", "'git brew next' says",
		},
		"interrupted": {`{"interrupted":true}`, task.Phase{}, "", "stays as it is. 'git brew phase fail 2"},
		"denied":      {`{"status":"denied"}`, task.Phase{}, "", "stays as it is. "},
	} {
		f := fakeWith()
		f.erred = c.erred
		s := specificOf(t, replay(t, f, agentPayload("PostToolUse", "Task", "developer", `,"tool_response":`+c.response)))
		if !strings.Contains(s.Context, c.want) {
			t.Errorf("%s: %q", name, s.Context)
		}
		if f.called("AgentFailed") != (c.text != "") || f.called("Launched") {
			t.Errorf("%s: %v", name, f.calls)
		}
		if c.text != "" && !strings.Contains(fmt.Sprint(f.calls), c.text) {
			t.Errorf("%s: %v", name, f.calls)
		}
	}
}

func TestPostTool_BC55_coordinatorBinds(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*View)
		extra  string
		want   bool
	}{
		"unbound": {unbound, "", true}, "held": {func(*View) {}, "", false}, "foreign": {foreign, "", false},
		"failed": {unbound, `,"tool_response":{"is_error":true}`, false},
	} {
		f := fakeWith(c.change)
		s := specificOf(t, replay(t, f, agentPayload("PostToolUse", "Agent", "brewcode:bc-coordinator", c.extra)))
		if f.called("BindLock") != c.want || (s.Context != "") != c.want {
			t.Errorf("%s: %v %q", name, f.calls, s.Context)
		}
	}
}

func TestPostTool_approvedPlanSwitches(t *testing.T) {
	payload := `{"hook_event_name":"PostToolUse","tool_name":"ExitPlanMode","tool_response":{"plan":"x","isAgent":false}}`
	f := fakeWith(discussing)
	if out := replay(t, f, payload); !f.called("UserMode implementation plan approved") || len(out.Stdout) == 0 {
		t.Errorf("%v", f.calls)
	}
	for name, p := range map[string]string{
		"of a sub-agent":  strings.Replace(payload, "{", `{"agent_id":"a",`, 1),
		"by its own word": strings.Replace(payload, "false", "true", 1),
		"failed":          strings.Replace(payload, `"plan"`, `"error":"x","plan"`, 1),
	} {
		f := fakeWith(discussing)
		if replay(t, f, p); f.called("UserMode") {
			t.Errorf("%s: %v", name, f.calls)
		}
	}
	f = fakeWith()
	if out := replay(t, f, payload); f.called("UserMode") || len(out.Stdout) > 0 {
		t.Errorf("already there: %v", f.calls)
	}
}

func TestPostTool_BW35_success(t *testing.T) {
	for response, want := range map[string]bool{
		`{"success":true,"error":"x"}`: true, `{"success":false}`: false, `{"is_error":true}`: false,
		`{"isError":true}`: false, `{"error":"x"}`: false, `{"interrupted":true}`: false,
		`{"status":"failed"}`: false, `{"message":"Permission denied"}`: false, `{"result":"an Error: x"}`: false,
		`{"status":"completed"}`: true, `{"stdout":"error"}`: true, `{"result":"errorless"}`: true,
		`[]`: true, `"x"`: true, `null`: true, `{"success":null}`: true,
	} {
		f := fakeWith()
		replay(t, f, `{"hook_event_name":"PostToolUse","tool_name":"X","duration_ms":12.7,"tool_response":`+response+`}`)
		if r := f.records[0]; *r.Success != want || r.DurationMS != 12 || r.Tool != "X" {
			t.Errorf("%s: %+v", response, r)
		}
	}
	f := fakeWith()
	if replay(t, f, `{"hook_event_name":"PostToolUseFailure","tool_name":"X","error":"Exit code 3"}`); *f.records[0].Success {
		t.Error("a failure that succeeds")
	}
}

func TestPreCompact_BC69(t *testing.T) {
	f := fakeWith()
	f.warnings = []string{"phase 2 has no report of developer\x07"}
	out := string(replay(t, f, `{"hook_event_name":"PreCompact","trigger":"auto","custom_instructions":null}`).Stdout)
	for _, want := range []string{
		"task add-jwt-auth", "phase 2 of 2, \"Login endpoint\"",
		"Open: phase 2 has no report of developer.", "git brew show add-jwt-auth:plan.md",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if !f.called("Handoff") || strings.HasPrefix(out, "{") {
		t.Errorf("%v", f.calls)
	}
	changes := map[string]func(*View){
		"foreign":  foreign,
		"unbound":  unbound,
		"terminal": stands(task.Failed),
		"pending":  stands(task.Pending),
		"no task":  noTask,
	}
	for name, change := range changes {
		f := fakeWith(change)
		if out := replay(t, f, `{"hook_event_name":"PreCompact"}`); len(out.Stdout) > 0 || f.called("Handoff") {
			t.Errorf("%s: %s", name, out.Stdout)
		}
	}
}

func TestStop_BC70_table(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*View)
		extra  string
		block  bool
		call   string
	}{
		"in progress":             {func(*View) {}, "", true, "StopBlocked c0ffee"},
		"paused for a compaction": {compacting, "", true, "StopBlocked c0ffee"},
		"stop hook active":        {func(*View) {}, `,"stop_hook_active":true`, true, "StopBlocked c0ffee"},
		"pending":                 {stands(task.Pending), "", false, ""},
		"paused":                  {waiting, "", false, ""},
		"finished":                {stands(task.Finished), "", false, "ReleaseLock add-jwt-auth-k3v9q2m"},
		"failed":                  {stands(task.Failed), "", false, "ReleaseLock add-jwt-auth-k3v9q2m"},
		"cancelled":               {stands(task.Cancelled), "", false, "ReleaseLock add-jwt-auth-k3v9q2m"},
		"finished, not ours":      {func(v *View) { stands(task.Finished)(v); foreign(v) }, "", false, ""},
		"BC-57 foreign":           {foreign, "", false, ""},
		"BC-59 stale": {func(v *View) {
			foreign(v)
			v.LockState = lock.LockStale
		}, "", false, "ClearLock add-jwt-auth-k3v9q2m n1"},
		"BC-60 unbound":     {unbound, "", false, "ClearLock add-jwt-auth-k3v9q2m n1"},
		"unbound elsewhere": {func(v *View) { unbound(v); v.Bindable = false }, "", false, ""},
		"discussion":        {discussing, "", false, ""},
		"background": {
			func(*View) {},
			`,"background_tasks":[{"id":"a","status":"completed"},{"id":"b","status":"running"}]`, false, "",
		},
		"background of an unknown shape": {func(*View) {}, `,"background_tasks":[7]`, false, ""},
		"background done": {
			func(*View) {}, `,"background_tasks":[{"id":"a","status":"completed"}]`, true,
			"StopBlocked c0ffee",
		},
		"no task":     {noTask, "", false, ""},
		"a sub-agent": {func(*View) {}, `,"agent_id":"a"`, false, ""},
		"limit 0":     {func(v *View) { set(v, config.KeyStopLimit, "0") }, "", false, ""},
	} {
		f := fakeWith(c.change)
		out := replay(t, f, `{"hook_event_name":"Stop"`+c.extra+`}`)
		if got := strings.Contains(string(out.Stdout), `"decision":"block"`); got != c.block {
			t.Errorf("%s: %s", name, out.Stdout)
		}
		if strings.Join(f.calls, ",") != c.call {
			t.Errorf("%s: %v", name, f.calls)
		}
	}
}

func TestStop_limitWithoutProgress(t *testing.T) {
	f := fakeWith()
	stopped := func() bool { return len(replay(t, f, `{"hook_event_name":"Stop","stop_hook_active":true}`).Stdout) > 0 }
	for i := range 5 {
		if !stopped() {
			t.Fatalf("let go at stop %d", i+1)
		}
	}
	for range 3 {
		if stopped() {
			t.Fatal("blocked a sixth time without progress")
		}
	}
	f.view.Tip = "moved"
	if !stopped() {
		t.Error("let go though the task moved")
	}
	f = fakeWith()
	f.fail = map[string]error{"StopBlocked": errors.New("read-only")}
	if stopped() {
		t.Error("a block that is not counted")
	}
}

func TestStop_reasonNamesTheWayOut(t *testing.T) {
	for _, change := range []func(*View){func(*View) {}, compacting} {
		out := string(replay(t, fakeWith(change), `{"hook_event_name":"Stop"}`).Stdout)
		for _, want := range []string{"add-jwt-auth", "phases", "Next: ", "git brew pause -m WHY"} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in %s", want, out)
			}
		}
	}
}

func TestSubagentStart_workersOweAReport(t *testing.T) {
	for agent, want := range map[string]bool{"brew:developer": true, "Explore": false, "": false} {
		f := fakeWith()
		replay(t, f, fmt.Sprintf(`{"hook_event_name":"SubagentStart","agent_id":"a","agent_type":%q}`, agent))
		if f.called("Launched") != want {
			t.Errorf("%s: %v", agent, f.calls)
		}
	}
	f := fakeWith(foreign)
	if replay(t, f, `{"hook_event_name":"SubagentStart","agent_id":"a","agent_type":"developer"}`); f.called("Launched") {
		t.Errorf("%v", f.calls)
	}
}

func TestSubagentStop_ownSummariserIsIgnored(t *testing.T) {
	f := fakeWith()
	if replay(t, f, `{"hook_event_name":"SubagentStop","agent_id":"a","agent_type":""}`); len(f.records) > 0 {
		t.Errorf("%+v", f.records)
	}
	if replay(t, f, `{"hook_event_name":"SubagentStop","agent_id":"a","agent_type":"developer"}`); len(f.records) != 1 {
		t.Errorf("%+v", f.records)
	}
}

func TestSessionEnd_recordsBeforeItFlushes(t *testing.T) {
	f := fakeWith()
	replay(t, f, `{"hook_event_name":"SessionEnd","reason":"clear"}`)
	if len(f.records) != 1 || f.records[0].Data["detail"] != "clear" || !f.called("SessionEnded clear") {
		t.Errorf("%+v %v", f.records, f.calls)
	}
}

// BC-70: a session is kept where its agent is the one who can go on, and nowhere else.
func TestStop_BC70_onlyWhereTheAgentGoesOn(t *testing.T) {
	for name, change := range map[string]func(*View){
		"a phase waits for the user's verdict": func(v *View) {
			v.Task.Phases[1].Status = task.PhaseInReview
			v.Next = route.Next(*v.Task)
		},
		"the task has no phases": func(v *View) { v.Task.Phases, v.Task.Current = nil, "" },
		"the task waits": func(v *View) {
			v.Task.Status, v.Task.Cause, v.Task.Reason = task.Paused, task.CauseWaiting, "the key"
			v.Next = route.Next(*v.Task)
		},
	} {
		if out := string(replay(t, fakeWith(change), `{"hook_event_name":"Stop"}`).Stdout); out != "" {
			t.Errorf("%s: %s", name, out)
		}
	}
}
