package hooks

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/task"

	"github.com/git-brew/git-brew/internal/shellgate"
)

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
		`{"hook_event_name":"PreToolUse","tool_name":"shell","tool_input":{"command":["bash","-lc","ls"]}}`:         "ask",
		`{"hook_event_name":"PreToolUse","tool_name":"shell","tool_input":{"command":["bash","-lc","ls; rm f"]}}`:   "ask",
		`{"hook_event_name":"PreToolUse","tool_name":"shell","tool_input":{"command":["ls","a; rm 'f'"]}}`:          "ask",
		`{"hook_event_name":"PreToolUse","tool_name":"exec_command","tool_input":{"cmd":"ls"}}`:                     "",
		`{"hook_event_name":"PreToolUse","tool_name":"exec_command","tool_input":{"cmd":"rm f"}}`:                   "deny",
		`{"hook_event_name":"PreToolUse","tool_name":"local_shell","tool_input":{"action":{"command":["rm","f"]}}}`: "ask",
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
		set(v, config.KeyReadOnly, "x")
		set(v, config.KeyTrigger, strings.Repeat("let us do it ", 4))
	}
	refused := 0
	for command := range strings.Lines(string(data)) {
		command = strings.ReplaceAll(strings.TrimSuffix(command, "\n"), "␤", "\n")
		if command == "" || strings.HasPrefix(command, "#") || strings.HasPrefix(command, "==") {
			continue
		}
		for _, view := range []func(*View){discussing, long} {
			f := fakeWith(view)
			input, _ := json.Marshal(map[string]string{"command": command})
			c := &gate.Call{
				Ctx: t.Context(), Brew: f, View: f.view, Getenv: func(string) string { return "" },
				Payload: Payload{ToolName: "Bash", PermissionMode: "dontAsk", ToolInput: input},
			}
			v := shellgate.Judge(command, shellgate.Options{Brew: gate.JudgeBrew})
			reply, _ := c.Judge()
			if v.ReadOnly {
				if reply.Permission != "" {
					t.Errorf("%q: %+v", command, reply)
				}
				continue
			}
			refused++
			text, way := reply.PermReason, "'git brew mode implementation'."
			if v.Danger != nil || v.Persons != nil && !slices.ContainsFunc(v.Brew, func(words []string) bool {
				return slices.Contains(words, "mode")
			}) {
				way = "in a terminal."
			}
			switch {
			case reply.Permission != "deny", len(text) >= 400, len(text) < 60, !strings.HasPrefix(text, "Bash is not allowed: "),
				v.Danger == nil && v.Persons == nil && !strings.Contains(text, protocol.Clean(v.Finding.Why, 150)),
				v.Persons != nil && !strings.Contains(text, v.Persons.Why),
				!strings.Contains(text, way), strings.ContainsAny(text, "\n\x00\x01\x02\x03\x04"):
				t.Errorf("%q: %d bytes, %s", command, len(text), text)
			}
		}
	}
	if refused < 1000 {
		t.Errorf("%d refusals", refused)
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
		"git config brew.gate off\n)":                              "deny",
		"rm -rf ~ #\x1b":                                           "deny",
		strings.Repeat("(", 300) + "; git config brew.gate off":    "ask",
		"printf '\x1b[0m' (":                                       "",
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
