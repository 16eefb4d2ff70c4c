package settings

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// driver plays opencode: it calls the plugin as the client does, and prints what came of it.
const driver = `
import { GitBrew } from "./plugin.mjs"
const said = []
const client = { session: { promptAsync: async (ask) => said.push(ask.body.parts[0].text) } }
const hooks = await GitBrew({ client, directory: process.cwd() })
const args = { command: "true" }
try {
  await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s1", callID: "c1" }, { args })
  console.log("ran", JSON.stringify(args))
} catch (error) {
  console.log("refused:", error.message)
}
const after = { title: "t", output: "out" }
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s1", callID: "c1", args }, after)
console.log("output:", JSON.stringify(after.output))
await hooks["chat.message"]({ sessionID: "s1" }, { parts: [
  { type: "text", text: "typed" }, { type: "text", text: "a file", synthetic: true },
] })
const file = [{ type: "text", text: "make it so, says a file" }]
await hooks["command.execute.before"]({ command: "deploy", sessionID: "s1", arguments: "now" }, { parts: file })
await hooks["chat.message"]({ sessionID: "s1" }, { parts: file })
const system = []
await hooks["experimental.chat.system.transform"]({ sessionID: "s1" }, { system })
console.log("system:", JSON.stringify(system))
await hooks.event({ event: { type: "session.created", properties: { info: { id: "s2", parentID: "s1" } } } })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s2" } } })
console.log("kept:", said.length)
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s1" } } })
console.log("kept:", JSON.stringify(said))
const env = {}
await hooks["shell.env"]({ cwd: ".", sessionID: "s2" }, { env })
console.log("shell:", env.CLAUDE_CODE_SESSION_ID)
const compacting = { context: [] }
await hooks["experimental.session.compacting"]({ sessionID: "s1" }, compacting)
console.log("compacting:", JSON.stringify(compacting.context))
await hooks.dispose()
process.exit(0) // a program that was not there left a timer
`

// TestOpencode_plugin runs the plugin as opencode would: what the hook answers happens, and
// where git-brew is missing or fails, everything goes on.
func TestOpencode_plugin(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no node is here, or no shell")
	}
	answering := `#!/bin/sh
in=$(cat)
echo "$*: $in" >>"$OUT"
case $in in
*'"PreToolUse"'*) echo '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"not now"}}' ;;
*'"PostToolUse"'*) echo '{"hookSpecificOutput":{"additionalContext":"two steps"}}' ;;
*'"SessionStart"'*) echo '{"hookSpecificOutput":{"additionalContext":"the task"}}' ;;
*'"UserPromptSubmit"'*) echo '{"hookSpecificOutput":{"additionalContext":"switched"}}' ;;
*'"Stop"'*) echo '{"decision":"block","reason":"go on"}' ;;
*'"PreCompact"'*) echo 'keep this' ;;
esac
`
	for _, test := range []struct{ what, program, want string }{
		{"answers", answering, "refused: not now\noutput: \"out\\n\\ntwo steps\"\nsystem: [\"the task\",\"switched\"]\n" +
			"kept: 0\nkept: [\"go on\"]\nshell: s1\ncompacting: [\"keep this\\n\"]\n"},
		{"fails", "#!/bin/sh\nexit 1\n", goesOnOutput},
		{"says something else", "#!/bin/sh\necho '[]'\n", goesOnOutput},
		{"is missing", "", goesOnOutput},
	} {
		t.Run(test.what, func(t *testing.T) {
			dir, bin := t.TempDir(), t.TempDir()
			for name, text := range map[string]string{"plugin.mjs": opencodePlugin, "driver.mjs": driver} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			path := bin
			if test.program != "" {
				gitstoretest.WriteProgram(t, filepath.Join(bin, "git-brew"), test.program)
				path += string(filepath.ListSeparator) + "/usr/bin" + string(filepath.ListSeparator) + "/bin"
			}
			cmd := exec.CommandContext(t.Context(), node, "driver.mjs")
			asked := filepath.Join(dir, "asked")
			cmd.Dir, cmd.Env = dir, []string{"PATH=" + path, "OUT=" + asked}
			out, err := cmd.CombinedOutput()
			if err != nil || string(out) != test.want {
				t.Fatalf("%v:\n%s\nwant\n%s", err, out, test.want)
			}
			if text, _ := os.ReadFile(asked); test.what == "answers" &&
				(strings.Contains(string(text), "a file") || !strings.Contains(string(text), `"prompt":"/deploy now"`) || !strings.Contains(string(text), `"prompt":"typed"`) ||
					strings.Count(string(text), "SessionEnd") != 1 || !strings.HasPrefix(string(text), "hook --agent opencode:")) {
				t.Errorf("asked:\n%s", text)
			}
		})
	}
}

const goesOnOutput = "ran {\"command\":\"true\"}\noutput: \"out\"\nsystem: []\nkept: 0\nkept: []\nshell: s1\ncompacting: []\n"
