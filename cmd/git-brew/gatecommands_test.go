package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/command"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/hooks/settings"
)

// verdicts say what becomes of our own commands in an agent's shell: in
// discussion mode, and in a sub-agent's in implementation mode. A new command
// gets its rows here and in internal/command.
var verdicts = map[string][]string{
	// discussion, sub-agent
	"passes passes": {
		"", "status", "status --json", "list --all", "show add-jwt-auth", "summary", "map", "log", "diff", "next",
		"next --all",
		"next --interactive", "events --since 1d", "stats", "version", "help start", "completion bash",
		"plugin", "plugin list",
		"statusline", "learn x", "report 1 --agent a f", "report list", "report show 1", "report check 1", "question list",
		"question add x", "doc list", "doc get plan", "doc check", "doc template plan",
		"mode", "phase list", "phase review", "stage", "session list", "session show", "lock show", "lock list",
		"knowledge list", "knowledge inject", "backlog list", "pipeline show", "pipeline check", "doctor",
		"decision list", "decision show 1", "graph --format dot", "verify -n", "config get gate", "config list",
		"trigger list", "trust list",
		"remark tally", "remark list", "remark show 1", "remark add plan x", "remark confirm 1", "remark reject 1 -m x",
		"pipeline failed x -m y",
		"doc set research -", "doc set phases/1/context f", "backlog add x",
	},
	"passes no": {
		"question resolve 1", "doc set plan f", "decision add x", "pause -m x", "start", "mode discussion", "undo --list",
		"undo x -l", "escalate 1",
		"phase drop 1 -m x", "remark resolve 1", "decision supersede 1 --by x", "decision revoke 1 -m x",
		"create x", "switch x", "doc resolve plan", "stage plan", "phase add x", "phase edit 1 --title x",
		"phase split --into x",
		"knowledge compact", "knowledge prune", "knowledge rm 1", "knowledge import f", "backlog done 1", "backlog promote 1",
		"session set --title x", "session correlate a b",
		"import brigade f", "next --skip research -m x", "next -m x --skip=clarify",
	},
	"no passes": {"verify", "verify -n --dry-run=false"},
	"no no": {
		"edit --title x", "finish", "archive", "init", "plugin export d",
		"export brigade d", "sync", "doc edit plan", "doctor --fix",
		"phase start", "phase done", "phase approve", "phase reject -m x", "phase fail -m x", "phase revise", "phase reset",
		"escalate 1 --action ask", "escalate --action=ask", "undo", "undo x", "undo --list --list=false", "knowledge export",
		"knowledge rules",
		"lock acquire", "lock bind", "lock renew", "lock release",
		"pipeline set f", "pipeline retry", "pipeline skip -m x",
		"next --claim", "next --all --claim=true", "next --auto", "next add-jwt-auth -n --claim",
	},
	"people people": {
		"mode implementation", "mode toggle", "config set gate off", "config unset gate", "trigger add x", "trigger rm x",
		"start --steal", "start --steal", "pause --allow-secret -m x", "--allow-secret pause -m x",
		"trust add x", "trust rm x", "delete x", "purge x", "purge -n x", "run", "hook", "mcp", "uninit", "uninit --all",
	},
}

// harmless are the options with which a command that passes in discussion mode
// still does no more than a discussion is for. One that a command gets later, and
// that is not here, has to be refused there: an option can make a reading command
// begin work.
var harmless = map[string]string{
	"question resolve": "message",
	"switch":           "dry-run",
	"session set":      "title",
	"phase split":      "dry-run into worker",
	"phase review":     "dry-run worker",
	"phase list":       "prd",
	"phase edit": "acceptance agent depends-on dry-run no-acceptance no-agent no-depends-on no-verify tier " +
		"title verify",
	"phase add":          "acceptance after agent depends-on dry-run from id kind of tier verify",
	"knowledge rm":       "project",
	"knowledge prune":    "dry-run project",
	"knowledge import":   "dry-run project",
	"knowledge compact":  "dry-run if-due project",
	"import":             "dry-run",
	"create":             "branch dry-run from here issue no-switch phase plan prd priority service spec type",
	"backlog promote":    "branch dry-run phase switch task title type",
	"backlog add":        "src",
	"backlog":            "all",
	"pause":              "dry-run message",
	"decision add":       "dry-run phase rejected message task",
	"decision":           "all",
	"decision list":      "all",
	"help":               "all",
	"remark":             "open",
	"decision revoke":    "dry-run message task",
	"decision supersede": "by dry-run phase rejected message task",
	"diff":               "at doc phase",
	"doc check":          "strict",
	"doc set":            "base",
	"doctor":             "dry-run",
	"escalate":           "agent agree dry-run into message tier worker", // nothing without --action
	"events":             "hook since task type until",
	"graph":              "format",
	"knowledge inject":   "path project type",
	"knowledge list":     "project type",
	"learn":              "path project src task type",
	"list":               "all archived status",
	"backlog list":       "all",
	"next":               "all dry-run interactive message skip worker",
	"pipeline failed":    "dry-run phase message",
	"phase drop":         "dry-run message",
	"remark add":         "dry-run file reviewer severity",
	"remark confirm":     "dry-run message reviewer",
	"remark list":        "open",
	"remark reject":      "dry-run message reviewer",
	"remark resolve":     "dry-run message",
	"report":             "agent dry-run task verify",
	"report show":        "agent iteration",
	"show":               "at",
	"start":              "dry-run restart",
	"stats":              "repo since task until",
	"status":             "all brief watch",
	"statusline":         "form",
}

// TestGate_BW8_BW10_everyCommandHasItsVerdict: by the hook, as an agent meets it.
func TestGate_BW8_BW10_everyCommandHasItsVerdict(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	call := func(in string, args ...string) string {
		t.Helper()
		e, out, errs := testEnv()
		e.In, e.Dir, e.Environ, e.Getenv = strings.NewReader(in), f.Dir, f.Env, f.Getenv
		e.User, e.Host = "mara", "laptop"
		if code := run(t.Context(), args, e); code != cli.ExitDone {
			t.Fatalf("%s: exit %d, %s", args, code, errs)
		}
		return out.String()
	}
	call("", "create", "Add JWT auth")
	judge := func(command, agent string) string {
		t.Helper()
		payload, err := json.Marshal(map[string]any{
			"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": f.Dir, "agent_id": agent,
			"tool_name": "Bash", "tool_input": map[string]string{"command": "git brew " + command},
		})
		if err != nil {
			t.Fatal(err)
		}
		switch answer := call(string(payload), "hook"); {
		case answer == "":
			return "passes"
		case strings.Contains(answer, "is for the user alone"):
			return "people"
		case strings.Contains(answer, `"permissionDecision":"deny"`):
			return "no"
		default:
			return answer
		}
	}
	root := newRootCmd(&cli.Env{})
	var options func(*cobra.Command)
	options = func(cmd *cobra.Command) {
		path := strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "git brew"))
		if cmd.Runnable() && judge(path, "") == "passes" {
			cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
				if f.Name != "help" && f.Name != "version" && f.Name != "task" &&
					!slices.Contains(strings.Fields(harmless[path]), f.Name) && judge(path+" --"+f.Name+"=x", "") == "passes" {
					t.Errorf("in discussion mode 'git brew %s --%s' passes", path, f.Name)
				}
			})
		}
		for _, sub := range cmd.Commands() {
			options(sub)
		}
	}
	options(root)
	var known []string
	for want, commands := range verdicts {
		discussion, _, _ := strings.Cut(want, " ")
		for _, c := range commands {
			known = append(known, c)
			if got := judge(c, ""); got != discussion {
				t.Errorf("in discussion mode 'git brew %s': %s, want %s", c, got, discussion)
			}
		}
	}
	call("", "mode", "implementation")
	for want, commands := range verdicts {
		_, subAgent, _ := strings.Cut(want, " ")
		for _, c := range commands {
			if got := judge(c, "a1"); (got == "passes") != (subAgent == "passes") {
				t.Errorf("in a sub-agent 'git brew %s': %s, want %s", c, got, subAgent)
			}
		}
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "git brew"))
		if cmd.Runnable() && !hasPrefix(known, path) {
			t.Errorf("'git brew %s' has no verdict here", path)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// BC-72: no rule by which the client does not ask covers what is for people alone. That
// --allow-secret is theirs the program itself sees to, beside every command.
func TestAllowRules_BC72_verdicts(t *testing.T) {
	for want, commands := range verdicts {
		for _, c := range commands {
			if !strings.HasPrefix(want, "people") || strings.Contains(c, "--allow-secret") {
				continue
			}
			for _, rule := range settings.AllowRules() {
				text := strings.TrimSuffix(strings.TrimPrefix(rule, "Bash(git brew "), ")")
				if text, open := strings.CutSuffix(text, ":*"); c == text || open && strings.HasPrefix(c+" ", text+" ") {
					t.Errorf("%s covers 'git brew %s', which is for people alone", rule, c)
				}
			}
		}
	}
}

// TestGate_BW10_judgesCommandsThatAreThere: a rule about a command, a form or an
// option that git brew doesn't have guards nothing, and looks as if it did.
func TestGate_BW10_judgesCommandsThatAreThere(t *testing.T) {
	root := newRootCmd(&cli.Env{})
	root.InitDefaultHelpCmd()
	for _, rule := range command.Table {
		cmd, _, err := root.Find([]string{rule.Command()})
		if err != nil || rule.Path != "" && cmd == root {
			t.Errorf("'git brew %s' is no command", rule.Command())
			continue
		}
		if sub := rule.Word(); sub != "" && sub != "*" {
			form, _, err := cmd.Find([]string{sub})
			// mode has words that are no commands, and three that stand for one of them.
			if (err != nil || form == cmd) && !strings.Contains(cmd.Use, sub) {
				t.Errorf("'git brew %s' is no command", rule.Path)
			}
			cmd = form
		}
		for _, option := range strings.Fields(rule.Never + " " + rule.Only + " " + rule.SubNever) {
			word := strings.TrimLeft(option, "-")
			if cmd.Flags().Lookup(word) == nil && (len(word) > 1 || cmd.Flags().ShorthandLookup(word) == nil) {
				t.Errorf("'git brew %s' has no option %s", rule.Path, option)
			}
		}
	}
}

// hasPrefix reports whether a command begins with words.
func hasPrefix(commands []string, words string) bool {
	for _, c := range commands {
		if c == words || strings.HasPrefix(c, words+" ") {
			return true
		}
	}
	return false
}
