package hooks

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/task"

	"github.com/git-brew/git-brew/internal/shellgate"
)

// judged is what becomes of a shell command in discussion mode.
func judged(command string) string {
	v := shellgate.Judge(command, shellgate.Options{Brew: judgeBrew})
	switch {
	case v.Persons != nil:
		return "people"
	case v.ReadOnly:
		return "passes"
	}
	return "refused"
}

func TestJudgeBrew_BW8(t *testing.T) {
	for _, c := range []struct {
		want     string
		commands []string
	}{
		{"passes", []string{
			"git brew", "git brew status", "git-brew status --json", "  git brew list --all\n", "git brew show add:plan.md",
			"git -C /repo brew log",
			"git brew -C /repo diff --phase 2", "git brew --help", "git brew doc set plan /tmp/plan.md", "git brew doc get plan",
			"git brew doc", "git brew question add 'what about $HOME; rm?'",
			`git brew learn -t avoid "ids are strings, never ints"`, "git brew learn 'two\nlines'",
			"git brew report 2 --agent developer -", "git brew pause -m 'waits for the key'",
			"git brew start", "git brew next --all", "git brew mode", "git brew mode discussion", "git brew lock show",
			"git brew phase list", "git brew knowledge list",
			"git brew decision add x", "git brew remark add plan x --reviewer ann", "git brew remark tally plan",
			"git brew session list", "git brew events --since 1d", "git brew doctor", "git brew --session x status",
			"git brew --color=always show add", "git brew --json=true status", "git brew lock --session s show",
			"git brew pause -m 'the run of config, trust or uninit waits'", "git brew learn -t fact --src trust 'delete'",
			"git brew doc set plan - <<'EOF'\n# Plan\n\n1. $(rm -rf /) `x` git brew config\nEOF",
			"git brew doc set plan - << \"END\"\n\nEND\n",
			"git brew learn 'never git brew config'", "git brew status; ls", "git brew status && git log | head",
			"git brew list > /dev/null", `git brew learn "in $HOME"`,
			"git --no-pager brew status", "git brew 'sta'\\tus", "/usr/bin/git brew status",
			"cat plan.md | git brew doc set plan -", `git brew learn "seen in $(git rev-parse HEAD)"`,
			"git brew doc set plan - <<EOF\nat $(git rev-parse HEAD)\nEOF", "git brew learn 'run: git brew config set gate off'",
		}},
		{"people", []string{
			"git brew mode implementation", "git-brew mode toggle", "git brew mode --json implementation", "git brew mode impl",
			"git brew trigger add x",
			"git brew config set gate off", "git brew start --steal", "git brew trust add x", "git brew delete add",
			"git brew uninit",
			"git -C /repo brew mode implementation", "git brew -q mode implementation",
			"git brew status; git brew mode implementation", "env -u CLAUDE_CODE_SESSION_ID git brew mode implementation",
			"CLAUDE_CODE_SESSION_ID= git brew mode implementation", "/usr/bin/git brew mode toggle",
			"sh -c 'git brew mode implementation'", "x=$(git-brew mode implementation)",
			"true && \"git\" 'brew' mode implementation", "git brew status\ngit brew config gate off",
			"echo | ./bin/git-brew delete x", "gi\\t brew mode toggle",
			"git brew start --steal=true", "git brew start --steal=1", "git brew start --session x --steal=t",
			"git brew start add --steal=",
			"git brew --session x mode implementation", "git brew --session=x mode implementation",
			"git brew mode --session x implementation", "git brew --color=never mode implementation",
			"git brew --color never config set gate off", "git brew -C dir mode toggle", "git brew -C=dir mode toggle",
			"git brew -Cdir mode toggle", "git brew -qC dir mode toggle", "git brew -qCdir delete x",
			"git brew --json=true mode implementation", "git brew --json=false --quiet=true mode implementation",
			"git brew --help=false mode implementation", "git brew -h=false uninit", "git brew -q=true trust add x",
			"git brew --unknown x mode implementation", "git brew -- mode implementation", "git brew ${x} config gate off",
			"git brew mod? implementation", "git brew `echo mode` toggle", "git brew $(echo mode) implementation",
			"git --no-pager brew mode implementation", "git -c a=b brew config gate off",
			"git --git-dir /repo/.git brew delete x", "git brew mode \\\n implementation",
			"git brew start --color always --steal",
			"sudo git brew config set gate off", "eval git brew trust add x", "eval 'git brew trust add x'",
			"bash <<'EOF'\ngit brew mode toggle\nEOF", "find . -exec git brew mode toggle \\;", "echo x | xargs git brew delete",
			"echo '{}' | git brew hook UserPromptSubmit", "f() { git brew config set gate off; }; f", "time git brew uninit",
			"( (git brew uninit) & )", "git brew show $(git brew delete x)", "timeout 5 git brew uninit",
			"git brew doc set plan - <<EOF\n$(git brew mode toggle)\nEOF", "git brew $x", `git brew {"config",set,gate,off}`,
		}},
		{"refused", []string{
			"git brew status && npm run build", "git brew lock --session show acquire", "git brew knowledge --unknown list rm 1",
			"git brew phase --task list reset 1",
			"git brew --unknown x status", "git brew --session",
			"git brew status > f", "git brew show $(x)", "git brew show `x`", "git brew status \"$x\"", "git brew doctor $x",
			`git brew learn "a" ; rm b`, "git brew list\nrm x", "A=1 git brew status",
			"git -c core.pager=x brew log", "git brew --exec status", "git brew log --output=/repo/x",
			"git brew diff --ext-diff", "git brew doctor --fix", "git brew show *", "git brew -qC /repo list",
			"git brew create -qC /repo x",
			"git brew next --claim", "git brew next add --auto", "git brew phase start", "git brew phase approve",
			"git brew finish", "git brew verify", "git brew knowledge export", "git brew doc edit plan", "git brew sync",
			"git brew doc set plan - <<EOF\n$(x)\nEOF", "git brew doc set plan - <<'EOF'\nx\nEOF\nrm y",
			"git brew doc set plan - <<'EOF' && rm x\nx\nEOF",
			"git brew learn 'x", "git brew\u00a0status", "git brew status\r", "git brewer status",
			"git brew-x mode implementation", "gitbrew mode implementation", strings.Repeat("git ", 1<<20),
		}},
	} {
		for _, command := range c.commands {
			if got := judged(command); got != c.want {
				t.Errorf("%.80q: %s, want %s", command, got, c.want)
			}
		}
	}
}

// bash is a call of a shell tool.
func bash(tool, command string) string {
	input, _ := json.Marshal(map[string]string{"command": command})
	return fmt.Sprintf(`{"hook_event_name":"PreToolUse","tool_name":%q,"tool_input":%s}`, tool, input)
}

func TestPreTool_BW9_destructionInBothModes(t *testing.T) {
	off := func(v *View) { v.Gated, v.Guarded = false, false }
	for _, command := range []string{"rm -rf /", "rm -rf ~", "ls; sudo dd if=x of=/dev/sda", ":(){ :|:& };:"} {
		changes := map[string]func(*View){
			"implementation": func(*View) {},
			"discussion":     discussing,
			"no task":        func(v *View) { noTask(v); v.Guarded = true },
		}
		for name, view := range changes {
			s := specificOf(t, replay(t, fakeWith(view), bash("Bash", command)))
			if s.Permission != "deny" || len(s.PermReason) >= 400 || !strings.HasPrefix(s.PermReason, "Bash is not allowed: ") ||
				!strings.HasSuffix(s.PermReason, "in a terminal.") {
				t.Errorf("%s, %s: %+v", command, name, s)
			}
		}
		if out := replay(t, fakeWith(off), bash("Bash", command)); len(out.Stdout) > 0 {
			t.Errorf("%s, the gate off: %s", command, out.Stdout)
		}
	}
}

func TestPreTool_BW8_peoplesCommandsInImplementation(t *testing.T) {
	for command, want := range map[string]string{
		"git brew config set gate off": "deny", "git brew trust add x": "deny", "git brew trigger add x": "deny",
		"git brew uninit": "deny", "git brew delete x": "deny",
		"git brew start --steal": "deny", "make; git brew config unset gate": "deny", "git brew hook < f": "deny",
		"git brew config list": "", "git brew config get gate": "", "git brew trigger list": "", "git brew trust": "",
		"git brew mode discussion": "", "git brew phase start": "",
		"git brew create x": "", "rm -rf build": "", "echo git brew config set gate off": "", "grep 'git brew uninit' f": "",
		"$x": "", "ls (": "",
	} {
		if s := specificOf(t, replay(t, fakeWith(), bash("Bash", command))); s.Permission != want {
			t.Errorf("%s: %+v", command, s)
		}
	}
}

// TestPreTool_BW8_theWayOutHelps: where a switch of the mode would not help, none
// is proposed.
func TestPreTool_BW8_theWayOutHelps(t *testing.T) {
	for command, want := range map[string]string{
		"git brew mode implementation":      "The user switches with",
		"git brew -q mode toggle":           "The user switches with",
		"git brew config set gate off":      "in a terminal.",
		"git config brew.gate off":          "in a terminal.",
		"echo x > .git/config":              "in a terminal.",
		"printf x >> .claude/settings.json": "in a terminal.",
		"echo x > f":                        "The user switches with",
	} {
		s := specificOf(t, replay(t, fakeWith(discussing), bash("Bash", command)))
		if s.Permission != "deny" || !strings.Contains(s.PermReason, want) {
			t.Errorf("%s: %+v", command, s)
		}
	}
}

// TestPreTool_BW5_otherShells: a shell's command is found however an agent
// passes it.
func TestPreTool_BW5_otherShells(t *testing.T) {
	for payload, want := range map[string]string{
		bash("PowerShell", "git status"):                  "",
		bash("PowerShell", "Remove-Item f"):               "ask",
		bash("PowerShell", `echo "\\"; rm x; echo "\\""`): "ask",
		bash("PowerShell", "ls 'a b'"):                    "ask",
		bash("Monitor", "tail -f log"):                    "",
		bash("run_shell_command", "touch f"):              "deny",
		`{"hook_event_name":"PreToolUse","tool_name":"shell","tool_input":{"command":["bash","-lc","ls"]}}`:         "",
		`{"hook_event_name":"PreToolUse","tool_name":"shell","tool_input":{"command":["bash","-lc","ls; rm f"]}}`:   "deny",
		`{"hook_event_name":"PreToolUse","tool_name":"shell","tool_input":{"command":["ls","a; rm 'f'"]}}`:          "",
		`{"hook_event_name":"PreToolUse","tool_name":"exec_command","tool_input":{"cmd":"ls"}}`:                     "",
		`{"hook_event_name":"PreToolUse","tool_name":"exec_command","tool_input":{"cmd":"rm f"}}`:                   "deny",
		`{"hook_event_name":"PreToolUse","tool_name":"local_shell","tool_input":{"action":{"command":["rm","f"]}}}`: "deny",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":5}}`:                            "ask",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":[]}}`:                           "ask",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash"}`:                                                       "ask",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","agent_id":"a1","tool_input":{"command":"rm f"}}`:       "deny",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","agent_id":"a1","tool_input":{"command":"git status"}}`: "",
	} {
		if s := specificOf(t, replay(t, fakeWith(discussing), payload)); s.Permission != want {
			t.Errorf("%s: %+v", payload, s)
		}
	}
}

// TestPreTool_BW5_refusalsSayEnough: over the corpus, a refusal names the tool,
// the reason and the way out, in less than 400 characters.
func TestPreTool_BW5_refusalsSayEnough(t *testing.T) {
	data, err := os.ReadFile("../shellgate/testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	long := func(v *View) {
		discussing(v)
		v.Task.ID = task.ID(strings.Repeat("long-", 11) + "name-k3v9q2m")
		v.set(config.KeyReadOnly, "x")
		v.set(config.KeyTrigger, strings.Repeat("let us do it ", 4))
	}
	refused := 0
	for command := range strings.Lines(string(data)) {
		command = strings.ReplaceAll(strings.TrimSuffix(command, "\n"), "␤", "\n")
		if command == "" || strings.HasPrefix(command, "#") || strings.HasPrefix(command, "==") {
			continue
		}
		for _, view := range []func(*View){discussing, long} {
			f := fakeWith(view)
			c := &call{
				ctx: t.Context(), brew: f, view: f.view, p: Payload{ToolName: "Bash", PermissionMode: "dontAsk"},
				getenv: func(string) string { return "" },
			}
			c.p.ToolInput, _ = json.Marshal(map[string]string{"command": command})
			v := shellgate.Judge(command, shellgate.Options{Brew: judgeBrew})
			reply := c.judgeShell("Bash", shellTool)
			if v.ReadOnly {
				if reply.permission != "" {
					t.Errorf("%q: %+v", command, reply)
				}
				continue
			}
			refused++
			text, way := reply.permReason, "'git brew mode implementation'."
			if v.Danger != nil || v.Persons != nil && !switchesMode(v.Brew) {
				way = "in a terminal."
			}
			switch {
			case reply.permission != "deny", len(text) >= 400, len(text) < 60, !strings.HasPrefix(text, "Bash is not allowed: "),
				v.Danger == nil && v.Persons == nil && !strings.Contains(text, clean(v.Finding.Why, 150)),
				v.Persons != nil && !strings.Contains(text, v.Persons.Why),
				!strings.HasSuffix(text, way), strings.ContainsAny(text, "\n\x00\x01\x02\x03\x04"):
				t.Errorf("%q: %d bytes, %s", command, len(text), text)
			}
		}
	}
	if refused < 1000 {
		t.Errorf("%d refusals", refused)
	}
}

func TestClassify_BW3_namesOfTools(t *testing.T) {
	for want, tools := range map[toolKind]string{
		writingTool: "Edit Write MultiEdit NotebookEdit apply_patch ApplyPatch write_file edit_file mcp__fs__write_file " +
			"mcp__fs__writeFile mcp__gh__create_issue mcp__gh__update_pull mcp__x__bulk_delete mcp__plugin_a_b__apply-edit " +
			"mcp__db__insertRow " +
			"mcp__git__git_commit mcp__git__git_add mcp__git__git_reset mcp__git__git_checkout " +
			"mcp__slack__slack_post_message mcp__notion__API-patch-page mcp__supabase__deploy_edge_function " +
			"mcp__gh__fork_repository mcp__cmd__kill_process " +
			"Mcp__x__write mcp_fs_write_file MCP:create_issue str_replace_editor search_replace mcp__x__update_search_index " +
			"mcp__x__set_search_path " +
			"mcp__deploy__deploy_status mcp__send-mail__send_log mcp__post__post_search_update mcp__edit__edit_view",
		shellTool: "Bash PowerShell run_shell_command",
		runningTool: "mcp__x__execute_sql mcp__term__run_command mcp__cmd__start_process mcp__cmd__interact_with_process " +
			"mcp__jupyter__run_cell mcp__run-sql__run_list mcp__x__start_search_reindex",
		agentTool: "Task Agent",
		otherTool: "Read Glob Grep LS TaskCreate TaskUpdate TodoWrite Skill ToolSearch WebFetch ExitPlanMode " +
			"EnterPlanMode AskUserQuestion mcp__asker__ask mcp__fs__read_file mcp__gh__get_commit mcp__gh__list_created " +
			"mcp__gh__search_updates mcp__a mcp__ CronDelete BashOutput KillShell mcp__git__git_log mcp__git__git_diff " +
			"mcp__git__git mcp__log__log_view mcp__cmd__start_search mcp__notion__API-post-search " +
			"mcp__playwright__browser_click",
	} {
		for tool := range strings.FieldsSeq(tools) {
			if got := classify(Payload{ToolName: tool}); got != want {
				t.Errorf("%s: %d, want %d", tool, got, want)
			}
		}
	}
	if classify(Payload{}) != otherTool {
		t.Error("no name")
	}
}

// TestPreTool_BW5_unknownCommandsAreAskedAbout: what nobody knows is asked about
// where somebody is there to answer, and else denied; what is known to write is
// denied either way, and so is a line that does both.
func TestPreTool_BW5_unknownCommandsAreAskedAbout(t *testing.T) {
	for _, c := range []struct{ command, mode, entry, want string }{
		{"frobnicate f", "default", "cli", "ask"},
		{"frobnicate f", "", "", "ask"},
		{"frobnicate f", "plan", "cli", "ask"},
		{"frobnicate f", "acceptEdits", "claude-vscode", "ask"},
		{"frobnicate f", "bypassPermissions", "cli", "deny"},
		{"frobnicate f", "dontAsk", "cli", "deny"},
		{"frobnicate f", "auto", "cli", "deny"},
		{"frobnicate f", "default", "sdk-cli", "deny"},
		{"frobnicate f; touch f", "default", "cli", "deny"},
		{"touch f", "default", "cli", "deny"},
		{"sort --frob f", "default", "cli", "ask"},
		{"sort -o f f", "default", "cli", "deny"},
		{"cargo tree", "default", "cli", "ask"},
		{"MY_LIST=a; ls", "default", "cli", ""},
		{"CLAUDE_CODE_ENTRYPOINT=x; ls", "default", "cli", "deny"},
		{"EXPORTED=x; ls", "default", "cli", "deny"}, // programs get what it is set to
		{"cargo build", "default", "cli", "deny"},
	} {
		payload, _ := json.Marshal(map[string]any{
			"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": "/repo", "permission_mode": c.mode, "tool_name": "Bash",
			"tool_input": map[string]string{"command": c.command},
		})
		env := map[string]string{"CLAUDE_CODE_ENTRYPOINT": c.entry, "EXPORTED": "y"}
		out := Handle(t.Context(), fakeWith(discussing), Input{
			Stdin: strings.NewReader(string(payload)), Now: func() time.Time { return testNow },
			Getenv: func(name string) string { return env[name] },
		})
		if s := specificOf(t, out); s.Permission != c.want {
			t.Errorf("%q in %q, started by %q: %+v, want %s", c.command, c.mode, c.entry, s, c.want)
		}
	}
}

// TestPreTool_BW5_gitInAnotherRepository: git reads where the directory can name no
// program that it runs; elsewhere it is asked about.
func TestPreTool_BW5_gitInAnotherRepository(t *testing.T) {
	for command, want := range map[string]string{
		"git log":                      "",
		"cd sub && git log":            "",
		"git -C /strange log":          "ask",
		"cd /strange && git status":    "ask",
		"(cd /strange; git diff) | wc": "ask",
		"ls /strange":                  "",
		"git brew -C /strange list":    "ask",
		"cd /strange && git brew list": "ask",
		"git brew list":                "",
		`git -C "$dir" log`:            "ask",
		"cd; git log":                  "ask",
	} {
		f := fakeWith(discussing)
		f.gate.runs = map[string]string{"/strange": "it is a bare repository"}
		input, _ := json.Marshal(map[string]string{"command": command})
		if s := specificOf(t, replay(t, f, asCall("Bash", string(input)))); s.Permission != want {
			t.Errorf("%q: %+v, want %q", command, s, want)
		}
	}
}

// TestPreTool_BW8_BW9_implementationKeeps: in implementation mode what is for people
// alone is refused in whatever way it is written, and so is plain destruction.
func TestPreTool_BW8_BW9_implementationKeeps(t *testing.T) {
	for command, want := range map[string]string{
		"X=trust; git brew $X add --all":                           "deny",
		`X=mode; Y=implementation; git brew "$X" "$Y"`:             "deny",
		"for x in status trust; do git brew $x add; done":          "deny",
		"git brew tru* add":                                        "deny",
		"git brew {trust,list}":                                    "deny",
		"git brew mode im*":                                        "deny",
		`git brew mode "$m"`:                                       "deny",
		`git brew start "$option"`:                                 "deny",
		"g=git; $g brew mode implementation":                       "deny",
		"$(echo git) brew trust add x":                             "deny",
		"/any/where/git-brew mode toggle":                          "deny",
		"echo trust | xargs git brew":                              "deny",
		"killall5":                                                 "deny",
		"killall5 -9":                                              "deny",
		"pkill -u root":                                            "deny",
		`pkill -9 -u "$USER"`:                                      "deny",
		"pkill .":                                                  "deny",
		"kill -9 -1":                                               "deny",
		`find / -xdev -type f -exec rm {} \;`:                      "deny",
		`find / -maxdepth 1 -mindepth 1 -exec rm -rf {} +`:         "deny",
		`find ~ -user me -delete`:                                  "deny",
		`find / ! -name keep -exec sh -c 'rm -rf "$1"' _ {} \;`:    "deny",
		"cd / && find . -delete":                                   "deny",
		"eval 'rm -rf /'":                                          "deny",
		"git brew trust list":                                      "",
		"t=add-jwt-auth; git brew show $t":                         "",
		`git brew lock release "$t"`:                               "",
		"pkill -u me node":                                         "",
		"pkill -f 'vite dev'":                                      "",
		"find / -name core -delete":                                "",
		"find . -name '*.o' -delete":                               "",
		`find /tmp/x -type f -exec rm {} +`:                        "",
		"x=build; rm -rf $x; npm test":                             "",
		`cd "$(git rev-parse --show-toplevel)" && rm -rf ./dist/*`: "",
	} {
		input, _ := json.Marshal(map[string]string{"command": command})
		f := fakeWith(func(v *View) { discussing(v); v.Mode, v.Guarded = ModeImplementation, true })
		if s := specificOf(t, replay(t, f, asCall("Bash", string(input)))); s.Permission != want {
			t.Errorf("%q: %+v, want %q", command, s, want)
		}
	}
}
