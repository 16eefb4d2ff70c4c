package hooks

import (
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/hooks/gate"

	"github.com/git-brew/git-brew/internal/task"
)

// gateCases are calls and prompts that the gate answers, beside the recorded
// payloads: what is in the world, and what the client sends.
var gateCases = []struct {
	name    string
	view    func(*View)
	gate    fakeGate
	payload string
}{
	{
		"Write.guarded", nil,
		fakeGate{targets: map[string]worktree.Target{"/repo/.git/config": {Own: "part of git's directory"}}},
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/repo/.git/config"}}`,
	},
	{
		"Write.guarded.discussion", discussing,
		fakeGate{targets: map[string]worktree.Target{"/repo/.git/config": {Own: "part of git's directory", Allowed: true}}},
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/repo/.git/config"}}`,
	},
	{
		"Write.guarded.off", func(v *View) {
			v.Guarded, v.Gated = false, false
		},
		fakeGate{targets: map[string]worktree.Target{"/repo/.git/config": {Own: "part of git's directory"}}},
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/repo/.git/config"}}`,
	},
	{
		"Write.allowed.discussion", discussing,
		fakeGate{targets: map[string]worktree.Target{"/repo/docs/a.md": {Allowed: true}}},
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/repo/docs/a.md"}}`,
	},
	{
		"NotebookEdit.allowed.discussion", discussing,
		fakeGate{targets: map[string]worktree.Target{"/repo/docs/a.ipynb": {Allowed: true}}},
		`{"hook_event_name":"PreToolUse","tool_name":"NotebookEdit","tool_input":{"notebook_path":"/repo/docs/a.ipynb"}}`,
	},
	{
		"mcp.allowed-is-not-all.discussion", discussing,
		fakeGate{targets: map[string]worktree.Target{"docs/a.md": {Allowed: true}}},
		`{"hook_event_name":"PreToolUse","tool_name":"mcp__files__write_file","tool_input":{"path":"docs/a.md"}}`,
	},
	{
		"Edit.astray", nil,
		fakeGate{astray: map[string]*worktree.Astray{"/repo/a.go": {What: "this work tree is on main, and this " +
			"session works on add-jwt-auth, on feature/add-jwt-auth", Way: "'git brew switch add-jwt-auth' goes there"}}},
		`{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/repo/a.go"}}`,
	},
	{
		"Edit.astray.allowed", nil,
		fakeGate{
			targets: map[string]worktree.Target{"/repo/a.md": {Allowed: true}},
			astray:  map[string]*worktree.Astray{"/repo/a.md": {What: "x"}},
		},
		`{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/repo/a.md"}}`,
	},
	{
		"TodoWrite.proposed.discussion", discussing,
		fakeGate{},
		`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"a","status":"pending"}]}}`,
	},
	{
		"TodoWrite.same", nil,
		fakeGate{steps: Steps{List: []string{"a"}, Agreed: true}},
		`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"a","status":"completed"}]}}`,
	},
	{
		"TodoWrite.other", nil,
		fakeGate{steps: Steps{List: []string{"Token model", "Login"}, Agreed: true}},
		`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"Rewrite it","status":"pending"}]}}`,
	},
	{
		"TodoWrite.done", nil,
		fakeGate{steps: Steps{List: []string{"a"}, Agreed: true}},
		`{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"a","status":"completed"}]}}`,
	},
	{"prompt.ultrathink", func(v *View) {
		set(v, config.KeyUltrathink, "true")
	}, fakeGate{}, `{"hook_event_name":"UserPromptSubmit","prompt":"look at the tests"}`},
	{"prompt.ultrathink.command", func(v *View) {
		set(v, config.KeyUltrathink, "true")
	}, fakeGate{}, `{"hook_event_name":"UserPromptSubmit","prompt":"/tests look"}`},
	{"prompt.ultrathink.finished", func(v *View) {
		v.Task.Status = "finished"
		set(v, config.KeyUltrathink, "true")
	}, fakeGate{}, `{"hook_event_name":"UserPromptSubmit","prompt":"look"}`},
	{"prompt.trigger", func(v *View) {
		v.Mode = ModeDiscussion
		set(v, config.KeyUltrathink, "true")
	}, fakeGate{}, `{"hook_event_name":"UserPromptSubmit","prompt":"go ahead"}`},
	{"prompt.stop", nil, fakeGate{}, `{"hook_event_name":"UserPromptSubmit","prompt":"STOP"}`},
	{
		"prompt.full-76", nil,
		fakeGate{use: ContextUse{Tokens: 152_000, Window: 200_000}},
		`{"hook_event_name":"UserPromptSubmit","prompt":"on","transcript_path":"/t.jsonl"}`,
	},
	{
		"prompt.full-93", nil,
		fakeGate{use: ContextUse{Tokens: 930_000, Window: 1_000_000}},
		`{"hook_event_name":"UserPromptSubmit","prompt":"on","transcript_path":"/t.jsonl"}`,
	},
	{
		"prompt.full-no-task", noTask,
		fakeGate{use: ContextUse{Tokens: 930_000, Window: 1_000_000}},
		`{"hook_event_name":"UserPromptSubmit","prompt":"on","transcript_path":"/t.jsonl"}`,
	},
	{
		"prompt.create", protocols,
		fakeGate{},
		`{"hook_event_name":"UserPromptSubmit","prompt":"please create a task for this"}`,
	},
	{"prompt.switch", protocols, fakeGate{}, `{"hook_event_name":"UserPromptSubmit","prompt":"switch to task fix-login"}`},
	{"prompt.finish", protocols, fakeGate{}, `{"hook_event_name":"UserPromptSubmit","prompt":"finish the task"}`},
	{"prompt.compact", protocols, fakeGate{}, `{"hook_event_name":"UserPromptSubmit","prompt":"let's compact"}`},
	{
		"prompt.finish.negated", protocols,
		fakeGate{},
		`{"hook_event_name":"UserPromptSubmit","prompt":"don't finish the task yet"}`,
	},
	{
		"prompt.approved", func(v *View) {
			v.Task.Phases[1].Status = task.PhaseInReview
			set(v, config.KeyTriggerApprove, "looks good")
		},
		fakeGate{approved: task.Phase{ID: "2", Title: "Login endpoint", Status: task.PhaseCompleted}},
		`{"hook_event_name":"UserPromptSubmit","prompt":"Looks good, thanks."}`,
	},
	{
		"prompt.everything", func(v *View) {
			protocols(v)
			v.Mode = ModeDiscussion
			set(v, config.KeyUltrathink, "true")
		},
		fakeGate{use: ContextUse{Tokens: 184_000, Window: 200_000}},
		`{"hook_event_name":"UserPromptSubmit","prompt":"go ahead; then compact and finish the task","transcript_path":"/t.jsonl"}`,
	},
}

func protocols(v *View) {
	set(v, config.KeyTrigger+".create", "create a task")
	set(v, config.KeyTrigger+".switch", "switch to task")
	set(v, config.KeyTrigger+".finish", "finish the task")
	set(v, config.KeyTrigger+".compact", "compact")
}

func TestGolden_BW16_BW17_BW18_BW46_BW47_BW48_gate(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range gateCases {
		golden := filepath.Join("testdata/golden_gate", c.name+".json")
		seen[golden] = true
		t.Run(c.name, func(t *testing.T) {
			f := fakeWith()
			if c.view != nil {
				c.view(&f.view)
			}
			f.gate = c.gate
			out := replay(t, f, c.payload)
			if out.Exit != 0 || out.Stderr != "" {
				t.Fatalf("exit %d, %s", out.Exit, out.Stderr)
			}
			if reason := specificOf(t, out).PermReason; len(reason) > gate.MaxReason {
				t.Errorf("%d bytes of reason", len(reason))
			}
			compareGolden(t, golden, out.Stdout)
		})
	}
	stored, _ := filepath.Glob("testdata/golden_gate/*.json")
	for _, file := range stored {
		if !seen[file] {
			t.Errorf("%s belongs to no case", file)
		}
	}
}
