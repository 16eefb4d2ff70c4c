package gate

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/shellgate"
)

// judged is what becomes of a shell command in discussion mode.
func judged(command string) string {
	v := shellgate.Judge(command, shellgate.Options{Brew: JudgeBrew})
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

func TestClassify_BW3_namesOfTools(t *testing.T) {
	for want, tools := range map[Kind]string{
		Writing: "Edit Write MultiEdit NotebookEdit apply_patch ApplyPatch write_file edit_file mcp__fs__write_file " +
			"mcp__fs__writeFile mcp__gh__create_issue mcp__gh__update_pull mcp__x__bulk_delete mcp__plugin_a_b__apply-edit " +
			"mcp__db__insertRow mcp__x__get_and_delete mcp__x__fetchOrCreate " +
			"mcp__git__git_commit mcp__git__git_add mcp__git__git_reset mcp__git__git_checkout " +
			"mcp__slack__slack_post_message mcp__notion__API-patch-page mcp__supabase__deploy_edge_function " +
			"mcp__gh__fork_repository mcp__cmd__kill_process " +
			"Mcp__x__write mcp_fs_write_file MCP:create_issue mcp__x__update_search_index " +
			"mcp__x__set_search_path mcp__crm__post_save_search " +
			"mcp__deploy__deploy_status mcp__send-mail__send_log mcp__post__post_search_update mcp__edit__edit_view",
		Shell: "Bash PowerShell Monitor",
		Running: "mcp__x__execute_sql mcp__term__run_command mcp__cmd__start_process mcp__cmd__interact_with_process " +
			"mcp__jupyter__run_cell mcp__run-sql__run_list mcp__x__start_search_reindex " +
			"mcp__es__post_execute_search",
		Agent: "Task Agent",
		Other: "Read Glob Grep LS TaskCreate TaskUpdate TodoWrite Skill ToolSearch WebFetch ExitPlanMode " +
			"EnterPlanMode AskUserQuestion mcp__asker__ask mcp__fs__read_file mcp__gh__get_commit mcp__gh__list_created " +
			"mcp__gh__search_updates mcp__a mcp__ CronDelete BashOutput KillShell mcp__git__git_log mcp__git__git_diff " +
			"mcp__git__git mcp__log__log_view mcp__cmd__start_search mcp__notion__API-post-search " +
			"mcp__playwright__browser_click",
	} {
		for tool := range strings.FieldsSeq(tools) {
			if got := KindOf(protocol.Payload{ToolName: tool}); got != want {
				t.Errorf("%s: %d, want %d", tool, got, want)
			}
		}
	}
	if KindOf(protocol.Payload{}) != Other {
		t.Error("no name")
	}
}

// TestReadWrites_patches: a patch is read leniently, and what is too much is said.
func TestReadWrites_patches(t *testing.T) {
	for patch, want := range map[string]string{
		"*** Begin Patch\n  *** Update File: .git/config\n": ".git/config",
		"--- .git/config\n+++ .git/config\n":                ".git/config",
		"--- \"a/.git/config\"\n+++ x\n":                    ".git/config",
		"diff --git a/x b/y\nrename to .git/config\n":       ".git/config",
		"--- a/src/x.go\n+++ b/src/x.go\n":                  "src/x.go",
	} {
		input, _ := json.Marshal(map[string]string{"patch": patch})
		if w := readWrites(protocol.Payload{ToolName: "apply_patch", ToolInput: input}); !slices.Contains(w.paths, want) ||
			w.more {
			t.Errorf("%q: %+v, want %s", patch, w, want)
		}
	}
	input, _ := json.Marshal(map[string]string{"patch": strings.Repeat("*** Update File: f\n", maxPaths+1)})
	if !readWrites(protocol.Payload{ToolName: "apply_patch", ToolInput: input}).more {
		t.Error("65 files are all looked at")
	}
}

// TestShellCommand: words beside a command are its own, in its object; what else decides
// about it makes that it can't be told.
func TestShellCommand(t *testing.T) {
	for _, c := range []struct {
		input, want string
		ok          bool
	}{
		{`{"command":"ls"}`, "ls", true},
		{`{"command":["ls","a b"]}`, "'ls' 'a b'", true},
		{`{"command":"ls","cmd":"it's"}`, `bash -c 'it'\''s'` + "\nbash -c 'ls'\n", true},
		{`{"commands":["a","b"]}`, "bash -c 'a'\nbash -c 'b'\n", true},
		{`{"command":"ls","workdir":"/it's"}`, "cd '/it'\\''s'\nls", true},
		{`{"command":"ls","cwd":"."}`, "ls", true},
		{`{"command":"ls","dir_path":"/here"}`, "ls", true},
		{`{"command":"ls","workdir":["a"]}`, "cd 'a'\nls", false},
		{`{"command":"ls","workdir":"a","cwd":"b"}`, "ls", false},
		{`{"commands":["a","b"],"workdir":"c"}`, "bash -c 'cd '\\''c'\\''\na'\nbash -c 'cd '\\''c'\\''\nb'\n", true},
		{`{"command":"rm","args":["-rf","x y"]}`, "rm '-rf' 'x y'", false},
		{`{"steps":[{"command":"rm","args":["x"]},{"command":"ls"}]}`, `bash -c 'rm '\''x'\'''` + "\nbash -c 'ls'\n", false},
		{`{"command":5}`, "", false},
		{`{"commands":[{"command":"ls"}]}`, "ls", false},
	} {
		got, ok := ShellCommand(protocol.Payload{ToolName: "Bash", Cwd: "/here", ToolInput: []byte(c.input)})
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %q, %v, want %q, %v", c.input, got, ok, c.want, c.ok)
		}
	}
}

// What is noted of a refused command has no secret, nor half of one.
func TestNoted_S36(t *testing.T) {
	token := "gh" + "p_" + strings.Repeat("a1B2", 9)
	for command, want := range map[string]string{
		"rm -rf build":                         "rm -rf build",
		"deploy --token " + token:              "deploy --token [redacted]",
		"deploy --to here " + token[:20] + "…": "deploy --to here …",
		"deploy" + token[:20] + "…":            "…",
	} {
		if got := noted(command); got != want {
			t.Errorf("noted(%q) = %q, want %q", command, got, want)
		}
	}
}

// TestForPeople_BW8_letters: options of letters in one word hide no command behind them.
func TestForPeople_BW8_letters(t *testing.T) {
	for line, want := range map[string]bool{
		"git brew -qq $(echo trust) --all": true, "git brew -qC. $X": true, "git brew -qC. start t $X": true,
		"git brew -qC . $X": true, "git brew -qhC=. $X": true, "git brew -qq=true $X": true, "git brew -q$X status": true,
		"git brew -qqC. trust --all": true, "git brew start -qC. --steal": true, "git brew start t -qv $X": true,
		"git brew -qC. start t": false, "git brew -qq status": false, "git brew -qC $X status": false,
		"git brew report 2 - x": false,
	} {
		got := false
		for _, words := range shellgate.Judge(line, shellgate.Options{}).Brew {
			got = got || readBrew(words).forPeople()
		}
		if got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"git brew -qv status": "passes", "git brew status -qq": "passes", "git brew -qx status": "refused",
		"git brew -qC. status": "refused", "git brew - status": "refused", "git brew -qC": "refused",
	} {
		if got := judged(line); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// TestReadInput_notUnderstood: what nobody understands is no reading.
func TestReadInput_notUnderstood(t *testing.T) {
	for _, input := range []string{
		`{"command":"find .","args":{"a":"-delete"}}`, `{"command":"find .","args":"-delete"}`,
		`{"command":"find .","args":[["-delete"]]}`, `{"command":{"cmd":"find ."},"args":["-delete"]}`,
		`{"command":"git status","shell":{"path":"/x"}}`, `{"command":"git status","shell":["bash"]}`,
		`{"command":"git status","shell":"/x"}`, `{"command":"ls","commands":{"a":"b"}}`, `{"commands":["ls",{"a":"b"}]}`,
		`{"commands":["ls",1]}`,
	} {
		if text, ok := ShellCommand(protocol.Payload{ToolName: "Bash", ToolInput: []byte(input)}); ok {
			t.Errorf("%s: %q is all", input, text)
		}
	}
	for input, want := range map[string]Kind{
		`{"commands":{"a":"b"}}`: Shell, `{"commands":[{"a":"b"}]}`: Shell, `{"path":"a/b","content":""}`: Writing,
		`{"path":"a/b","file_text":""}`: Writing, `{"path":"a/b"}`: Running, `{"content":""}`: Other,
		`{"arguments":{"query":"x"}}`: Other, `{"shell":{"a":"b"}}`: Other, `{"commands":{}}`: Other,
	} {
		if got := KindOf(protocol.Payload{ToolName: "mcp__a__b", ToolInput: []byte(input)}); got != want {
			t.Errorf("%s: %d, want %d", input, got, want)
		}
	}
}
