package hooks

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// asCall is the payload of a call; the input is JSON.
func asCall(tool, input string) string {
	return fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/repo","tool_name":%q,"tool_input":%s}`,
		tool, input)
}

// TestPreTool_BW3_toolsOfOtherClients: what a tool is given says what it does,
// where its name is not known.
// A patch of more files than are looked at is asked about.
func TestPreTool_BW48_manyFiles(t *testing.T) {
	input, _ := json.Marshal(map[string]string{"patch": strings.Repeat("*** Update File: f\n", 65)})
	call := asCall("apply_patch", string(input))
	f := fakeWith(func(v *View) { discussing(v); v.Mode, v.Guarded = ModeImplementation, true })
	if s := specificOf(t, replay(t, f, call)); s.Permission != "ask" {
		t.Errorf("65 files in implementation mode: %+v", s)
	}
}

func TestPreTool_BW3_toolsOfOtherClients(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		// Shells: what reads passes, the rest is refused.
		{"shell_command", `{"command":"git status","workdir":"/repo"}`, ""},
		{"shell_command", `{"command":"touch f"}`, "deny"},
		{"unified_exec", `{"cmd":"ls"}`, ""},
		{"unified_exec", `{"cmd":"touch f"}`, "deny"},
		{"unified_exec", `{"input":["touch","f"]}`, "ask"},
		{"exec_command", `{"cmd":"ls","shell":"/bin/zsh","login":true,"yield_time_ms":10}`, "ask"},
		{"exec_command", `{"cmd":"ls","shell":"/tmp/mine"}`, "ask"},
		{"write_stdin", `{"session_id":1,"chars":"rm f\n"}`, "deny"},
		{"local_shell", `{"action":{"type":"exec","command":["touch","f"],"env":{}}}`, "ask"},
		{"local_shell", `{"action":{"type":"exec","command":["ls"],"env":{"PATH":"/tmp"}}}`, "ask"},
		{"runCommand", `{"command":"touch f"}`, "deny"},
		{"runCommands", `{"commands":["ls","touch f"]}`, "deny"},
		{"runCommands", `{"commands":["ls","git status | head"]}`, "ask"},
		{"runInTerminal", `{"command":"touch f","explanation":"x","isBackground":false}`, "deny"},
		{"runTasks", `{"tasks":["build"]}`, "ask"},
		{"run_in_terminal", `{"command":"ls","explanation":"x"}`, ""},
		{"run_command", `{"CommandLine":"touch f","Cwd":"/repo"}`, "deny"},
		{"run_terminal_cmd", `{"command":"ls -la","is_background":false}`, ""},
		{"execute_bash", `{"command":"touch f"}`, "deny"},
		{"execute_command", `{"command":"ls","requires_approval":false}`, ""},
		{"container.exec", `{"cmd":["bash","-lc","rm f"]}`, "ask"},
		{"Execute", `{"command":"touch f"}`, "deny"},
		{"Execute", `{"command":"git status"}`, ""},
		{"Execute", `{"command":"echo $(ls)"}`, "ask"},
		{"Spawn", `{"command":"git","args":["push"]}`, "ask"},
		{"Bash", `{"command":"git","args":["push"]}`, "ask"},
		{"Bash", `{"command":"git","args":["status"]}`, "ask"},
		{"Bash", `{"command":"git","args":"push"}`, "ask"},
		{"Bash", `{"command":"echo '","cmd":"touch f'"}`, "ask"},
		{"Bash", `{"command":"ls","cmd":"touch f"}`, "deny"},
		{"Bash", `{"command":"ls","cmd":"git status | head"}`, ""},
		{"Bash", `{"command":"ls","stdin":"x"}`, "ask"},
		{"Bash", `{"command":"ls","run_in_background":true,"description":"cat","timeout":5}`, ""},
		// What runs something else is asked about.
		{"REPL", `{"code":"fs.rmSync('f')"}`, "ask"},
		{"REPL", `{"input":"1"}`, "ask"},
		{"run_python", `{"code":"print(1)"}`, "ask"},
		{"notebook", `{"cells":[{"source":"x","code":"print(1)"}]}`, "ask"},
		{"mcp__x__frob", `{"command":"touch f"}`, "deny"},
		{"mcp__x__frob", `{"script":"touch f"}`, "ask"},
		{"mcp__term__run_command", `{"command":"ls"}`, "ask"},
		{"mcp__x__read", `{"command":"rm -rf x"}`, "deny"},
		{"mcp__x__read", `{"command":"git status"}`, ""},
		{"mcp__x__read", `{"paths":["/` + strings.Repeat(`f","/`, 80) + `"]}`, ""},
		{"mcp__sh__get_output", `{"in":[{"command":"touch f"}]}`, "deny"},
		{"mcp__x__query", `{"commands":["rm a"]}`, "deny"},
		{"mcp__x__query", `{"commands":{"a":"rm a"}}`, "ask"},
		{"mcp__x__web_search", `{"cmd":"rm a"}`, "deny"},
		{"mcp__x__get_and_delete", `{"id":1}`, "deny"},
		{"mcp__term__run_command", `{"command":"rm -rf ~"}`, "deny"},
		// Writing tools are refused.
		{"fs_write", `{"command":"create","path":"/repo/f","file_text":"x"}`, "deny"},
		{"createFile", `{"filePath":"/repo/f","content":"x"}`, "deny"},
		{"create_file", `{"filePath":"/repo/f","content":""}`, "deny"},
		{"editFiles", `{"files":["f"],"explanation":"x"}`, "deny"},
		{"insert_edit_into_file", `{"filePath":"/f","code":"x"}`, "deny"},
		{"replace_string_in_file", `{"filePath":"/f","oldString":"a","newString":"b"}`, "deny"},
		{"multi_replace_string_in_file", `{"explanation":"x","replacements":[{"filePath":"/f","oldString":"a","newString":"b"}]}`, "deny"},
		{"replace", `{"file_path":"/f","old_string":"a","new_string":"b"}`, "deny"},
		{"patch", `{"patchText":"*** Begin Patch\n*** Add File: f\n"}`, "deny"},
		{"apply_patch", `"*** Begin Patch\n*** Add File: f\n"`, "deny"},
		{"frob", `{"text":"*** Begin Patch\n*** Add File: f\n"}`, "deny"},
		{"frob", `{"TargetFile":"/f","CodeContent":"x","EmptyFile":false}`, "deny"},
		{"frob", `{"path":"/f","edits":[{"range":1,"text":"x"}]}`, "deny"},
		{"write_to_file", `{"path":"f","content":"x"}`, "deny"},
		{"mcp__x__frob", `{"path":"/f","contents":"x"}`, "deny"},
		{"find_and_replace", `{"path":"/f","find":"a","replace":"b"}`, "deny"},
		// A path alone is asked about, unless the name says that the tool reads.
		{"frob", `{"path":"/f"}`, "ask"},
		{"frob", `{"uri":"x","files":["/f"]}`, "ask"},
		{"mcp__x__frob", `{"file":"/f"}`, "ask"},
		{"view_image", `{"path":"/f"}`, ""},
		{"list_dir", `{"path":"/f"}`, ""},
		{"grep_search", `{"query":"x","includePattern":"y","path":"/f"}`, ""},
		{"directory_tree", `{"path":"/f"}`, ""},
		{"mcp__fs__directory_tree", `{"path":"/f"}`, ""},
		{"fs_read", `{"operations":[{"mode":"Line","path":"/f"}]}`, ""},
		{"search_files", `{"path":"/f","content":"pattern"}`, ""},
		{"read_terminal", `{"command":"touch f"}`, "deny"},
		// What has none of these passes as ever.
		{"frob", `{"question":"x","include_content":true,"path":null}`, ""},
		{"EnterWorktree", `{"name":"x"}`, "ask"},
		{"Read", `{"file_path":"/f","content":"x","command":"touch f"}`, ""},
		{"LSP", `{"operation":"hover","filePath":"/f"}`, ""},
		{"TaskUpdate", `{"taskId":"1","command":"x"}`, ""},
		{"update_plan", `{"plan":[{"step":"x","status":"pending"}]}`, ""},
		{"spawn_agent", `{"message":"x","agent_type":"worker"}`, "ask"},
		{"SendMessage", `{"to":"x","content":"y"}`, ""},
		{"mcp__asker__ask", `{"question":"x"}`, ""},
		{"mcp__playwright__browser_navigate", `{"url":"https://x"}`, ""},
	} {
		if got := gated(t, asCall(c.tool, c.input)); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.tool, c.input, got, c.want)
		}
	}
}

// TestPreTool_keysAreReadAsTheClientReadsThem: with their case, the last of several;
// and nothing passes unseen that another reader would find.
func TestPreTool_keysAreReadAsTheClientReadsThem(t *testing.T) {
	const deep = `{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"command":"touch f"}}}}}}}}}}`
	for _, c := range []struct{ tool, input, closed, open string }{
		{"Bash", `{"command":"ls","Command":"touch f"}`, "ask", "ask"},
		{"Bash", `{"Command":"touch f"}`, "deny", ""},
		{"Bash", `{"COMMAND":"rm -rf ~"}`, "deny", "deny"},
		{"Bash", `{"Command":"ls","command":"rm -rf ~"}`, "deny", "deny"},
		{"Bash", `{"command":"ls","command":"rm -rf ~"}`, "deny", "deny"},
		{"Bash", `{"command":"touch f","command":"ls"}`, "ask", "ask"},
		{"Bash", `{"command":"touch f","comm\u0061nd":"ls"}`, "ask", "ask"},
		{"Bash", `{"command":"ls","x":{"K":1,"\u212a":2}}`, "ask", "ask"},
		{"Bash", `{"command":"ls","x":[{"y":1,"y":1}]}`, "ask", "ask"},
		{"Bash", `{"command":"ls","description":"\"command\":\"x\",\"command\":"}`, "", ""},
		{"Write", `{"file_path":"/home/dev/.claude/plans/a.md","content":"x"}`, "", ""},
		{"Write", `{"File_Path":"/home/dev/.claude/plans/a.md","content":"x"}`, "deny", ""},
		{"Write", `{"file_path":"/home/dev/.claude/plans/a.md","File_path":"/f","content":"x"}`, "ask", "ask"},
		{"Write", `{"file_path":"/f","file_path":"/home/dev/.claude/plans/a.md"}`, "ask", "ask"},
		{"MultiEdit", `{"file_path":"/home/dev/.claude/plans/a.md","edits":[{"a":1,"a":2}]}`, "ask", "ask"},
		{"frob", deep, "ask", ""},
	} {
		for _, mode := range []struct {
			view func(*View)
			want string
		}{{discussing, c.closed}, {func(*View) {}, c.open}} {
			if got := permitted(t, fakeWith(mode.view), asCall(c.tool, c.input)); got != mode.want {
				t.Errorf("%s %s: %q, want %q", c.tool, c.input, got, mode.want)
			}
		}
	}
	for _, payload := range []string{
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_name":"Read","tool_input":{"file_path":"/f"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Read","Tool_Name":"Write","tool_input":{"file_path":"/f"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"touch f"},"tool_input":{"command":"ls"}}`,
	} {
		if got := gated(t, payload); got != "ask" {
			t.Errorf("%s: %q, want ask", payload, got)
		}
	}
}

// Words beside a command count for what they remove, and a directory makes it unknown.
func TestPreTool_BW9_beside(t *testing.T) {
	for input, want := range map[string]string{
		`{"command":"rm","args":["-rf","/"]}`:                                            "deny",
		`{"steps":[{"command":"rm","args":["-rf","/"]},{"command":"ls","args":["-l"]}]}`: "deny",
		`{"command":"rm -rf *","workdir":"/"}`:                                           "deny",
		`{"command":"git status","workdir":"/elsewhere"}`:                                "ask",
	} {
		if got := gated(t, asCall("shell", input)); got != want {
			t.Errorf("%s: %q, want %q", input, got, want)
		}
	}
}
