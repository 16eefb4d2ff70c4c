package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/dialect"
)

// answersOf are the answers that each client takes, by event: the fields that an answer may
// have, each with a pattern for its value ("{}": any object). An event that has no row is
// never answered. It is what the clients' own schemas say, less what git brew never prints.
var answersOf = map[string]map[string]string{
	"codex": {
		"SessionStart":     "hookSpecificOutput.hookEventName=SessionStart hookSpecificOutput.additionalContext=.+",
		"UserPromptSubmit": "hookSpecificOutput.hookEventName=UserPromptSubmit hookSpecificOutput.additionalContext=.+",
		"PreToolUse": "hookSpecificOutput.hookEventName=PreToolUse hookSpecificOutput.permissionDecision=deny|allow " +
			"hookSpecificOutput.permissionDecisionReason=.+ hookSpecificOutput.updatedInput={}",
		"PostToolUse": "hookSpecificOutput.hookEventName=PostToolUse hookSpecificOutput.additionalContext=.+",
		"Stop":        "decision=block reason=.+",
	},
	"gemini": {
		"SessionStart": "hookSpecificOutput.hookEventName=SessionStart hookSpecificOutput.additionalContext=.+",
		"BeforeAgent":  "hookSpecificOutput.hookEventName=BeforeAgent hookSpecificOutput.additionalContext=.+",
		"BeforeTool": "decision=deny|ask reason=.+ hookSpecificOutput.hookEventName=BeforeTool " +
			"hookSpecificOutput.tool_input={}",
		"AfterTool":  "hookSpecificOutput.hookEventName=AfterTool hookSpecificOutput.additionalContext=.+",
		"AfterAgent": "decision=deny reason=.+",
	},
	"copilot": {
		"SessionStart":       "additionalContext=.+",
		"UserPromptSubmit":   "additionalContext=.+",
		"PreToolUse":         "permissionDecision=deny|ask permissionDecisionReason=.+ modifiedArgs={}",
		"PostToolUse":        "additionalContext=.+",
		"PostToolUseFailure": "additionalContext=.+",
		"Stop":               "decision=block reason=.+",
	},
	"cursor": {
		"sessionStart":       "additional_context=.+",
		"preToolUse":         "permission=deny|allow user_message=.+ agent_message=.+ updated_input={}",
		"postToolUse":        "additional_context=.+",
		"postToolUseFailure": "additional_context=.+",
		"stop":               "followup_message=.+",
	},
	"opencode": {
		"SessionStart": "hookSpecificOutput.hookEventName=SessionStart hookSpecificOutput.additionalContext=.+ " +
			"hookSpecificOutput.sessionTitle=.+",
		"UserPromptSubmit": "hookSpecificOutput.hookEventName=UserPromptSubmit hookSpecificOutput.additionalContext=.+",
		"PreToolUse": "hookSpecificOutput.hookEventName=PreToolUse hookSpecificOutput.permissionDecision=deny " +
			"hookSpecificOutput.permissionDecisionReason=.+ hookSpecificOutput.updatedInput={}",
		"PostToolUse": "hookSpecificOutput.hookEventName=PostToolUse hookSpecificOutput.additionalContext=.+",
		"PreCompact":  "text",
		"Stop":        "decision=block reason=.+",
	},
	"vscode": {
		"SessionStart": "hookSpecificOutput.hookEventName=SessionStart hookSpecificOutput.additionalContext=.+",
		"PreToolUse": "hookSpecificOutput.hookEventName=PreToolUse hookSpecificOutput.permissionDecision=deny|ask " +
			"hookSpecificOutput.permissionDecisionReason=.+ hookSpecificOutput.updatedInput={}",
		"PostToolUse": "hookSpecificOutput.hookEventName=PostToolUse hookSpecificOutput.additionalContext=.+",
		"Stop": "hookSpecificOutput.hookEventName=Stop hookSpecificOutput.decision=block " +
			"hookSpecificOutput.reason=.+",
	},
	"qwen": {
		"SessionStart":     "hookSpecificOutput.hookEventName=SessionStart hookSpecificOutput.additionalContext=.+",
		"UserPromptSubmit": "hookSpecificOutput.hookEventName=UserPromptSubmit hookSpecificOutput.additionalContext=.+",
		"PreToolUse": "hookSpecificOutput.hookEventName=PreToolUse hookSpecificOutput.permissionDecision=deny|ask " +
			"hookSpecificOutput.permissionDecisionReason=.+",
		"PostToolUse":        "hookSpecificOutput.hookEventName=PostToolUse hookSpecificOutput.additionalContext=.+",
		"PostToolUseFailure": "hookSpecificOutput.hookEventName=PostToolUseFailure hookSpecificOutput.additionalContext=.+",
		"Stop":               "decision=block reason=.+",
	},
}

// checkAnswerOf reports why out is no answer that a client takes. Nothing always is one.
func checkAnswerOf(client, event string, out []byte) error {
	allowed := answersOf[client][event]
	switch {
	case len(out) == 0:
		return nil
	case len(out) >= claude.MaxAnswer:
		return fmt.Errorf("%d bytes", len(out))
	case allowed == "":
		return fmt.Errorf("%s takes none for %s", client, event)
	case allowed == "text":
		if bytes.HasPrefix(bytes.TrimSpace(out), []byte("{")) {
			return fmt.Errorf("%s takes text", event)
		}
		return nil
	}
	var top map[string]any
	if err := json.Unmarshal(out, &top); err != nil {
		return err
	}
	rows := strings.Fields(allowed)
	var check func(path string, v any) error
	check = func(path string, v any) error {
		at := slices.IndexFunc(rows, func(row string) bool { return strings.HasPrefix(row, path+"=") })
		switch v := v.(type) {
		case map[string]any:
			if at >= 0 && strings.HasSuffix(rows[at], "={}") && !hasNull(v) {
				return nil
			}
			for name, member := range v {
				if err := check(strings.TrimPrefix(path+"."+name, "."), member); err != nil {
					return err
				}
			}
			return nil
		case string:
			if at >= 0 && regexp.MustCompile("(?s)^(?:"+rows[at][len(path)+1:]+")$").MatchString(v) {
				return nil
			}
		}
		return fmt.Errorf("%s, %s: %q has no place for %v", client, event, path, v)
	}
	return check("", top)
}

// runAs answers one hook as the client of that name starts it.
func runAs(t *testing.T, brew Brew, client, payload string, env map[string]string) Output {
	t.Helper()
	return Handle(t.Context(), brew, Input{
		Agent: client, Stdin: strings.NewReader(payload), Now: func() time.Time { return testNow },
		Getenv: func(name string) string { return env[name] },
	})
}

// TestClients_goldenAnswers replays every payload of every other client, in every situation: the
// answer is one that this client takes, and no status is a failure. No golden file means:
// no answer.
func TestClients_goldenAnswers(t *testing.T) {
	seen := map[string]bool{}
	for client := range answersOf {
		files, err := filepath.Glob(filepath.Join("testdata/payloads", client, "*.json"))
		if err != nil || len(files) < 10 {
			t.Fatalf("%s: %d payloads, %v", client, len(files), err)
		}
		for _, file := range files {
			payload, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			theirs, _, _ := strings.Cut(filepath.Base(file), ".")
			for _, s := range situations {
				name := strings.TrimSuffix(filepath.Base(file), ".json") + "." + s.name
				golden := filepath.Join("testdata/golden_clients", client, name+".json")
				seen[golden] = true
				t.Run(client+"/"+name, func(t *testing.T) {
					out := runAs(t, fakeWith(s.view), client, string(payload), nil)
					if out.Exit != 0 || out.Stderr != "" {
						t.Fatalf("exit %d, %s", out.Exit, out.Stderr)
					}
					if err := checkAnswerOf(client, theirs, out.Stdout); err != nil {
						t.Errorf("%v in\n%s", err, out.Stdout)
					}
					compareGolden(t, golden, out.Stdout)
				})
			}
		}
	}
	stored, _ := filepath.Glob("testdata/golden_clients/*/*.json")
	for _, file := range stored {
		if !seen[file] {
			t.Errorf("%s belongs to no payload", file)
		}
	}
}

// What a client's hook gets that nobody can read never refuses anything there by its exit
// status: Copilot CLI takes any but 0 for a refusal.
func TestClients_unreadableNeverFails(t *testing.T) {
	for client := range answersOf {
		for _, payload := range []string{
			"", "{", "[]", "null", "\xff", `{"hook_event_name":7}`, `{"session_id":"s"}`, `{"hook_event_name":"NextYear"}`,
			`{"hook_event_name":"Stop","cwd":null,"session_id":{}}`, strings.Repeat("[", 9<<20),
		} {
			for _, mode := range []func(*View){noTask, func(*View) {}, discussing} {
				out := runAs(t, fakeWith(mode), client, payload, nil)
				if out.Exit != 0 {
					t.Errorf("%s, %.40q: exit %d", client, payload, out.Exit)
				}
				if len(payload) < 1<<20 && len(out.Stdout) > 0 && !strings.Contains(payload, "Stop") {
					t.Errorf("%s, %.40q: %s", client, payload, out.Stdout)
				}
			}
		}
		broken := fakeWith(discussing)
		broken.lookErr = os.ErrPermission
		for _, file := range globbed(t, client) {
			payload, _ := os.ReadFile(file)
			if out := runAs(t, broken, client, string(payload), nil); out.Exit != 0 {
				t.Errorf("%s: exit %d where the store is broken", file, out.Exit)
			}
		}
	}
}

func globbed(t *testing.T, client string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata/payloads", client, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Copilot CLI starts the hooks of Claude Code's settings, too: it is told apart by its
// environment, whatever the payload is, and answered in its own words.
func TestClients_copilotReadsClaudesSettings(t *testing.T) {
	env := map[string]string{"COPILOT_PROJECT_DIR": "/repo", "CLAUDE_PROJECT_DIR": "/repo"}
	for _, file := range globbed(t, "copilot") {
		payload, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range situations {
			want := runAs(t, fakeWith(s.view), "copilot", string(payload), env)
			got := runAs(t, fakeWith(s.view), "", string(payload), env)
			if got.Exit != 0 || !bytes.Equal(got.Stdout, want.Stdout) {
				t.Errorf("%s, %s: exit %d\n%s\nnot\n%s", file, s.name, got.Exit, got.Stdout, want.Stdout)
			}
		}
	}
	if out := runAs(t, fakeWith(discussing), "", "{", env); out.Exit != 0 || len(out.Stdout) > 0 {
		t.Errorf("exit %d, %s", out.Exit, out.Stdout)
	}
}

// VS Code starts the hooks of Claude Code's settings and of Copilot CLI's file: it is told
// apart by its payload, and answered in its own form.
func TestClients_vscodeReadsOthersFiles(t *testing.T) {
	for _, file := range globbed(t, "vscode") {
		payload, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range situations {
			want := runAs(t, fakeWith(s.view), "vscode", string(payload), nil)
			for _, hook := range []string{"", "copilot"} {
				got := runAs(t, fakeWith(s.view), hook, string(payload), nil)
				if got.Exit != 0 || !bytes.Equal(got.Stdout, want.Stdout) {
					t.Errorf("%s by %q, %s: exit %d\n%s\nnot\n%s", file, hook, s.name, got.Exit, got.Stdout, want.Stdout)
				}
			}
		}
	}
}

// TestClients_BW3_tools: what a client's tools do is known by what it calls them, those of
// servers too, and reading in a directory that the call names is reading.
func TestClients_BW3_tools(t *testing.T) {
	for _, c := range []struct {
		client, tool, input string
		refused             bool
	}{
		{"copilot", "github-mcp-server-create_issue", `{"title":"x"}`, true},
		{"copilot", "github-mcp-server-get_file_contents", `{"path":"x"}`, false},
		{"copilot", "str_replace_editor", `{"command":"view","path":"x"}`, false},
		{"copilot", "str_replace_editor", `{"command":"str_replace","path":"x"}`, true},
		{"copilot", "edit", `{"command":"view","path":"x"}`, true},
		{"copilot", "rg", `{"pattern":"x","path":"."}`, false},
		{"copilot", "lsp", `{"operation":"hover","file":"x"}`, false},
		{"copilot", "stop_bash", `{"shellId":"1"}`, false},
		{"opencode", "github_create_issue", `{"title":"x"}`, true},
		{"opencode", "github_get_issue", `{"number":1}`, false},
		{"opencode", "plan_exit", `{}`, false},
		{"opencode", "lsp", `{"operation":"hover","filePath":"x"}`, false},
		{"opencode", "bash", `{"command":"ls","workdir":"/repo"}`, false},
		{"opencode", "bash", `{"command":"ls","workdir":"/elsewhere"}`, false},
		{"opencode", "bash", `{"command":"git log","workdir":"/elsewhere"}`, true},
		{"cursor", "Shell", `{"command":"ls","working_directory":"/repo"}`, false},
		{"cursor", "Shell", `{"command":"touch x","working_directory":"/repo"}`, true},
		{"cursor", "CreatePlan", `{"plan":"x","name":"y"}`, false},
		{"cursor", "EditNotebook", `{"target_notebook":"x.ipynb","new_string":"y"}`, true},
		{"cursor", "Delete", `{"path":"x"}`, true},
		{"gemini", "run_shell_command", `{"command":"ls","dir_path":"src"}`, false},
		{"qwen", "monitor", `{"command":"touch x"}`, true},
		{"qwen", "send_message", `{"to":"x","message":"y"}`, false},
		{"vscode", "vscode_renameSymbol", `{"symbol":"x","newName":"y"}`, true},
		{"vscode", "memory", `{"command":"view","path":"/memories"}`, false},
		{"vscode", "edit_notebook_file", `{"filePath":"x","newCode":"y"}`, true},
	} {
		event := map[string]string{"gemini": "BeforeTool", "cursor": "preToolUse"}[c.client]
		name := `"hook_event_name":"` + cmp.Or(event, "PreToolUse") + `"`
		f := fakeWith(discussing)
		f.gate.runs = map[string]string{"/elsewhere": "it is a bare repository"}
		out := runAs(t, f, c.client, `{`+name+`,"session_id":"s","conversation_id":"s","cwd":"/repo",`+
			`"tool_name":"`+c.tool+`","tool_input":`+c.input+`}`, nil)
		if refused := len(out.Stdout) > 0; refused != c.refused || out.Exit != 0 {
			t.Errorf("%s %s %s: %s", c.client, c.tool, c.input, out.Stdout)
		}
	}
}

// TestClients_inClaudesFile: what Claude Code's file or plugin has, and other clients start,
// answers them in their own words, and keeps quiet where their own file has the hooks, too.
func TestClients_inClaudesFile(t *testing.T) {
	for client, c := range map[string]struct{ payload, own, env string }{
		"codex":   {"PreToolUse.apply_patch", "codex", "PLUGIN_ROOT"},
		"copilot": {"PreToolUse.Write", "copilot", "COPILOT_PROJECT_DIR"},
		"cursor":  {"preToolUse.Write", "cursor", ""},
		"vscode":  {"PreToolUse.create_file", "vscode", ""},
	} {
		payload, err := os.ReadFile("testdata/payloads/" + client + "/" + c.payload + ".json")
		if err != nil {
			t.Fatal(err)
		}
		env := map[string]string{c.env: "/repo"}
		event, _, _ := strings.Cut(c.payload, ".")
		out := runAs(t, fakeWith(discussing), "", string(payload), env)
		if err := checkAnswerOf(client, event, out.Stdout); err != nil || !bytes.Contains(out.Stdout, []byte(`"deny"`)) {
			t.Errorf("%s: %v in %s", client, err, out.Stdout)
		}
		f := fakeWith(discussing)
		f.ownHooks = c.own
		if out := runAs(t, f, "", string(payload), env); len(out.Stdout) > 0 || out.Exit != 0 || len(f.calls) > 0 {
			t.Errorf("%s: both hooks answer: %+v, %v", client, out, f.calls)
		}
		if out := runAs(t, f, strings.Replace(client, "vscode", "copilot", 1), string(payload), env); len(out.Stdout) == 0 {
			t.Errorf("%s: its own hook keeps quiet", client)
		}
	}
	cursors, _ := os.ReadFile("testdata/payloads/cursor/preToolUse.Write.json")
	out := runAs(t, fakeWith(discussing), "copilot", string(cursors), map[string]string{"PLUGIN_ROOT": "/p"})
	if err := checkAnswerOf("copilot", "PreToolUse", out.Stdout); err != nil || len(out.Stdout) == 0 {
		t.Errorf("who is named is answered: %v in %s", err, out.Stdout)
	}
	named := `{"hook_event_name":"PreToolUse","tool_name":"Write","cwd":"/repo","tool_input":{"file_path":"/repo/x",` +
		`"content":"","cursor_version":"1","hookEventName":"x"}}`
	if out := runAs(t, fakeWith(discussing), "", named, nil); checkAnswerOf("qwen", "PreToolUse", out.Stdout) != nil ||
		len(out.Stdout) == 0 {
		t.Errorf("the input of a tool says which client it is: %s", out.Stdout)
	}
}

// TestClients_unreadableCalls: a call that nobody can read is no way past the gate, whichever
// client makes it.
func TestClients_unreadableCalls(t *testing.T) {
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for client, event := range map[string]string{
		"": "PreToolUse", "codex": "PreToolUse", "copilot": "PreToolUse", "cursor": "preToolUse", "gemini": "BeforeTool",
		"opencode": "PreToolUse", "qwen": "PreToolUse",
	} {
		for name, content := range map[string]string{
			"deep": deep, "huge": `"` + strings.Repeat("x", claude.MaxInput) + `"`, "not UTF-8": "\"\xff\"", "cut off": `"x`,
		} {
			payload := `{"session_id":"s","hook_event_name":"` + event + `","cwd":"/repo","tool_name":"Write","tool_input":{"a":` +
				content + `}}`
			out := runAs(t, fakeWith(discussing), client, payload, nil)
			if !bytes.Contains(out.Stdout, []byte(`"deny"`)) && !bytes.Contains(out.Stdout, []byte(`"ask"`)) {
				t.Errorf("%s: the call that is %s runs: %+v", client, name, out)
			}
			// In implementation mode what was not read to its end may be what opens the gate.
			out = runAs(t, fakeWith(), client, payload, nil)
			if stopped := bytes.Contains(out.Stdout, []byte(`"deny"`)) || bytes.Contains(out.Stdout, []byte(`"ask"`)); name == "huge" &&
				!stopped {
				t.Errorf("%s: the call that is %s runs in implementation mode: %+v", client, name, out)
			}
		}
	}
}

// A name that nobody knows answers nothing, and says so.
func TestClients_unknownName(t *testing.T) {
	out := runAs(t, fakeWith(discussing), "nobody\x1b[2J", `{"hook_event_name":"PreToolUse","tool_name":"Edit"}`, nil)
	if out.Exit != 0 || len(out.Stdout) > 0 || !strings.Contains(out.Stderr, dialect.Names) ||
		strings.Contains(out.Stderr, "\x1b") {
		t.Errorf("%+v", out)
	}
}

// Text that nobody typed switches nothing: files that a prompt of Gemini CLI names are
// behind a mark, what an editor of Codex CLI's has open before one, results of tools are prompts to Qwen Code.
func TestClients_BW12_onlyWhatWasTypedSwitches(t *testing.T) {
	for file, switches := range map[string]bool{
		"codex/UserPromptSubmit.ide": false, "codex/UserPromptSubmit.ide_trigger": true,
		"codex/UserPromptSubmit.trigger": true, "copilot/UserPromptSubmit.trigger": true,
		"cursor/beforeSubmitPrompt.trigger": true, "opencode/UserPromptSubmit.trigger": true,
		"gemini/BeforeAgent.trigger": true, "gemini/BeforeAgent.file": false,
		"vscode/UserPromptSubmit.trigger": true,
		"qwen/UserPromptSubmit.typed":     true, "qwen/UserPromptSubmit.tool_result": false,
	} {
		payload, err := os.ReadFile("testdata/payloads/" + file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		f := fakeWith(discussing)
		runAs(t, f, strings.Split(file, "/")[0], string(payload), nil)
		if got := f.called("UserMode"); got != switches {
			t.Errorf("%s: switched is %v, calls %v", file, got, f.calls)
		}
	}
}

// TestClients_anyAnswerIsTheirs: whatever is to be said, however long, each client gets it in
// its own schema, or nothing.
func TestClients_anyAnswerIsTheirs(t *testing.T) {
	events := map[string]map[string]string{} // by client, their name of each of our events
	for client := range answersOf {
		events[client] = map[string]string{}
		d, _ := dialect.Find(client)
		for _, file := range globbed(t, client) {
			payload, _ := os.ReadFile(file)
			p, err := d.Decode(payload)
			if err != nil || p.Session != sessionID || p.Cwd != "/repo" {
				t.Fatalf("%s: %+v, %v", file, p, err)
			}
			name, _, _ := strings.Cut(filepath.Base(file), ".")
			events[client][p.Event] = name
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		client := rapid.SampledFrom(slices.Sorted(maps.Keys(answersOf))).Draw(t, "client")
		text := rapid.OneOf(rapid.StringN(1, 60, -1), rapid.Map(rapid.IntRange(1, 20_000), func(n int) string {
			return strings.Repeat("long ✗ <&> ", n)
		}))
		event := rapid.SampledFrom(claude.Events()).Draw(t, "event")
		var r Reply
		switch event {
		case "SessionStart":
			r.Context, r.Title = text.Draw(t, "context"), rapid.SampledFrom([]string{"", "Title"}).Draw(t, "title")
		case "UserPromptSubmit", "PostToolUse", "PostToolUseFailure":
			r.Context = text.Draw(t, "context")
		case "PreToolUse":
			r.Permission = rapid.SampledFrom([]string{"", "deny", "ask"}).Draw(t, "permission")
			if r.PermReason = text.Draw(t, "reason"); r.Permission == "" {
				r.PermReason, r.Input = "", json.RawMessage(`{"prompt":"x","subagent_type":"tester"}`)
			}
		case "PreCompact":
			r.Plain = text.Draw(t, "plain")
		case "Stop":
			r.Block = text.Draw(t, "block")
		}
		theirs, known := events[client][event]
		if !known {
			return
		}
		d, _ := dialect.Find(client)
		out, err := d.Encode(event, r)
		if err == nil {
			err = checkAnswerOf(client, theirs, out)
		}
		if err != nil {
			t.Fatalf("%v in\n%.500s", err, out)
		}
		if r.Permission != "" && !bytes.Contains(out, []byte(`"deny"`)) && !bytes.Contains(out, []byte(`"ask"`)) {
			t.Fatalf("%s lets a call run that is refused: %.300s", client, out)
		}
	})
}
