package hooks

import (
	"strings"
	"testing"

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
			"git brew", "git brew status", "git-brew status --json", "  git brew list --all\n", "git brew show add:plan.md", "git -C /repo brew log",
			"git brew -C /repo diff --phase 2", "git brew --help", "git brew doc set plan /tmp/plan.md", "git brew doc get plan", "git brew doc", "git brew gray add 'what about $HOME; rm?'",
			`git brew learn -t avoid "ids are strings, never ints"`, "git brew learn 'two\nlines'", "git brew report 2 --agent developer FILE", "git brew block 'waits for the key'",
			"git brew start", "git brew next --claim", "git brew mode", "git brew mode discussion", "git brew lock show", "git brew phase list", "git brew knowledge list",
			"git brew decision add x", "git brew session list", "git brew events --since 1d", "git brew doctor", "git brew --session x status", "git brew --color=always show add", "git brew -qC /repo list", "git brew --json=true status", "git brew lock --session s show",
			"git brew block 'the run of config waits'", "git brew learn -t fact --src trust 'delete'",
			"git brew doc set plan - <<'EOF'\n# Plan\n\n1. $(rm -rf /) `x` git brew config\nEOF", "git brew doc set plan - << \"END\"\n\nEND\n",
			"git brew learn 'never git brew config'", "git brew status; ls", "git brew status && git log | head", "git brew list > /dev/null", `git brew learn "in $HOME"`,
			"git --no-pager brew status", "git brew 'sta'\\tus", "/usr/bin/git brew status", "cat plan.md | git brew doc set plan -", `git brew learn "seen in $(git rev-parse HEAD)"`,
			"git brew doc set plan - <<EOF\nat $(git rev-parse HEAD)\nEOF", "git brew learn 'run: git brew config set gate off'",
		}},
		{"people", []string{
			"git brew mode implementation", "git-brew mode toggle", "git brew mode --json implementation", "git brew mode impl", "git brew trigger add x", "git brew trigger list",
			"git brew config set gate off", "git brew lock steal", "git brew start --steal", "git brew trust add x", "git brew run", "git brew delete add", "git brew purge add",
			"git -C /repo brew mode implementation", "git brew -q mode implementation", "git brew status; git brew mode implementation", "env -u CLAUDE_CODE_SESSION_ID git brew mode implementation",
			"CLAUDE_CODE_SESSION_ID= git brew mode implementation", "/usr/bin/git brew mode toggle", "sh -c 'git brew mode implementation'", "x=$(git-brew mode implementation)",
			"true && \"git\" 'brew' mode implementation", "git brew status\ngit brew config gate off", "echo | ./bin/git-brew purge x", "gi\\t brew mode toggle",
			"git brew start --steal=true", "git brew start --steal=1", "git brew start --session x --steal=t", "git brew start add --steal=",
			"git brew --session x mode implementation", "git brew --session=x mode implementation", "git brew mode --session x implementation", "git brew --color=never mode implementation",
			"git brew --color never config set gate off", "git brew -C dir mode toggle", "git brew -C=dir mode toggle", "git brew -Cdir mode toggle", "git brew -qC dir mode toggle", "git brew -qCdir delete x",
			"git brew --json=true mode implementation", "git brew --json=false --quiet=true mode implementation", "git brew --help=false mode implementation", "git brew -h=false run", "git brew -q=true trust add x",
			"git brew --unknown x mode implementation", "git brew -- mode implementation", "git brew ${x} config gate off", "git brew mod? implementation", "git brew `echo mode` toggle", "git brew $(echo mode) implementation",
			"git --no-pager brew mode implementation", "git -c a=b brew config gate off", "git --git-dir /repo/.git brew delete x", "git brew mode \\\n implementation", "git brew lock --color list steal",
			"sudo git brew config set gate off", "eval git brew trust add x", "eval 'git brew trust add x'", "bash <<'EOF'\ngit brew mode toggle\nEOF", "find . -exec git brew mode toggle \\;", "echo x | xargs git brew purge",
			"echo '{}' | git brew hook UserPromptSubmit", "f() { git brew config set gate off; }; f", "time git brew run", "( (git brew run) & )", "git brew show $(git brew delete x)", "timeout 5 git brew run",
			"git brew doc set plan - <<EOF\n$(git brew mode toggle)\nEOF",
		}},
		{"refused", []string{
			"git brew status && npm run build", "git brew lock --session show acquire", "git brew knowledge --unknown list rm 1", "git brew phase --task list reset 1",
			"git brew --unknown x status", "git brew --session", "git brew $x",
			"git brew status > f", "git brew show $(x)", "git brew show `x`", "git brew status \"$x\"", "git brew doctor $x",
			`git brew learn "a" ; rm b`, "git brew list\nrm x", "A=1 git brew status",
			"git -c core.pager=x brew log", "git brew --exec status", "git brew log --output=/repo/x", "git brew diff --ext-diff", "git brew doctor --fix", "git brew show *",
			"git brew create x", "git brew phase start", "git brew phase complete", "git brew finish", "git brew verify", "git brew knowledge export", "git brew doc edit plan", "git brew sync",
			"git brew doc set plan - <<EOF\n$(x)\nEOF", "git brew doc set plan - <<'EOF'\nx\nEOF\nrm y", "git brew doc set plan - <<'EOF' && rm x\nx\nEOF",
			"git brew learn 'x", "git brew\u00a0status", "git brew status\r", "git brewer status", "git brew-x mode implementation", "gitbrew mode implementation", strings.Repeat("git ", 1<<20),
		}},
	} {
		for _, command := range c.commands {
			if got := judged(command); got != c.want {
				t.Errorf("%.80q: %s, want %s", command, got, c.want)
			}
		}
	}
}

func TestClassify(t *testing.T) {
	for want, tools := range map[toolKind]string{
		writingTool: "Edit Write MultiEdit NotebookEdit apply_patch ApplyPatch write_file edit_file mcp__fs__write_file mcp__fs__writeFile mcp__gh__create_issue mcp__gh__update_pull mcp__x__bulk_delete mcp__plugin_a_b__apply-edit mcp__db__insertRow",
		shellTool:   "Bash PowerShell run_shell_command",
		runningTool: "mcp__x__execute_sql mcp__term__run_command",
		agentTool:   "Task Agent",
		otherTool:   "Read Glob Grep LS TaskCreate TaskUpdate TodoWrite Skill ToolSearch WebFetch ExitPlanMode EnterPlanMode AskUserQuestion mcp__asker__ask mcp__fs__read_file mcp__gh__get_commit mcp__gh__list_created mcp__gh__search_updates mcp__a mcp__ CronDelete Mcp__x__write",
	} {
		for tool := range strings.FieldsSeq(tools) {
			if got := classify(tool); got != want {
				t.Errorf("%s: %d, want %d", tool, got, want)
			}
		}
	}
	if classify("") != otherTool {
		t.Error("no name")
	}
}

func TestRoleOf_BC66(t *testing.T) {
	for agent, want := range map[string]role{
		"tester": roleTest, "QA-lead": roleTest, "sdet": roleTest, "test-developer": roleTest,
		"code-reviewer": roleReview, "checker": roleReview, "auditor": roleReview,
		"developer": roleDev, "implementer": roleDev, "coder": roleDev, "software-engineer": roleDev, "architect": roleDev, "builder": roleDev, "fixer": roleDev,
		"writer": roleAll, "": roleAll,
	} {
		if got := roleOf(agent); got != want {
			t.Errorf("%s: %s, want %s", agent, got, want)
		}
	}
}

func TestConstraintsFor_plan(t *testing.T) {
	plan := "# Plan\n<!-- ALL -->\nWe speak SQL.\x1b[2J\n<!-- /ALL -->\n<!-- DEV -->\nopen end"
	got := constraintsFor(roleDev, plan)
	if !strings.HasPrefix(got, "We speak SQL.[2J\n") || !strings.Contains(got, defaultConstraints(roleDev)) {
		t.Errorf("%q", got)
	}
}
