package main

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/plugin"
)

// typedIn are the command lines that a text tells somebody to type: between backquotes,
// or on a line of their own.
func typedIn(text string) []string {
	var found []string
	for _, m := range regexp.MustCompile("`(git brew [^`\n]+)`|(?m)^ +(git brew .+)$").FindAllStringSubmatch(text, -1) {
		found = append(found, m[1]+m[2])
	}
	return found
}

// wordsTyped are the words of a command line as a shell has them: without a here-document.
func wordsTyped(line string) []string {
	line, _, _ = strings.Cut(line, " <<")
	var words []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2]+m[3])
	}
	return words[2:]
}

// problemOf says what is wrong with a command line, "" for nothing: the command, its
// options with their values, how many arguments it takes.
func problemOf(line string) string {
	root := newRootCmd(&cli.Env{Out: io.Discard, Err: io.Discard})
	words := wordsTyped(line)
	cmd, rest, err := root.Find(words)
	if err != nil || !cmd.Runnable() {
		return "no such command"
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err.Error()
	}
	if cmd.Args == nil {
		return ""
	}
	args := cmd.Flags().Args()
	if err := cmd.Args(cmd, args); err != nil && len(args) > 0 { // alone it is named, not typed
		return err.Error()
	}
	return ""
}

// Each command line in a skill, an agent, a workflow or a template of a document is a
// command of git brew's, with options that it has and as many arguments as it takes.
func TestPlugin_commandLinesCanBeTyped(t *testing.T) {
	texts := map[string]string{}
	for _, f := range append(plugin.InProject(""), plugin.InPlugin("")...) {
		texts[f.Path] = string(f.Data)
	}
	for _, name := range pipeline.Workflows() {
		texts[name], _ = pipeline.WorkflowText(name)
	}
	for _, name := range document.Templates() {
		texts["template "+name] = document.TemplateText(name)
	}
	for name, text := range texts {
		lines := typedIn(text)
		if len(lines) < 3 && !strings.HasPrefix(name, "template ") {
			t.Errorf("%s names %d commands", name, len(lines))
		}
		for _, line := range lines {
			if problem := problemOf(line); problem != "" || strings.Contains(line, "|") {
				t.Errorf("%s: %s: %s", name, line, problem)
			}
		}
	}
	for line, want := range map[string]string{
		"git brew plan": "is not a command", "git brew next --soon": "unknown flag: --soon",
		"git brew question resolve N M": "unexpected argument", "git brew doc set spec - <<'EOF'": "",
	} {
		if got := problemOf(line); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q: the test sees nothing", line, got, want)
		}
	}
}

// What a skill tells an agent to type passes the gate in the mode in which it is typed,
// and what an agent's file tells it passes in a sub-agent; but for what they say is
// another's. So no text leads into a wall.
func TestPlugin_BW38_BW37_gateLetsItPass(t *testing.T) {
	users := "git brew trigger add|git brew trigger rm|git brew mode implementation|git brew config set|" +
		"git brew trust add|git brew run"
	others := map[string]string{ // said to be somebody else's
		"trigger": users, "plan": users, "prd": users,
		"research":         "git brew phase start",
		"rules":            "git brew knowledge rules|git brew knowledge rules --prefix",
		"architect":        "git brew decision add",
		"knowledge-keeper": "git brew knowledge rm|git brew knowledge compact|git brew knowledge rules",
	}
	work := []string{"start", "review", "rules"}
	talking, working := newObedient(t, nil, "Add keys"), newObedient(t, nil, "Add keys")
	for _, o := range []*obedient{talking, working} {
		o.types("git brew start", "")
	}
	working.says("make it so")
	for _, f := range plugin.InProject("") {
		o, fields := talking, map[string]any{}
		switch {
		case f.Kind() == plugin.Agents:
			o, fields = working, map[string]any{"agent_id": "a1", "agent_type": "brew-" + f.Name()}
		case slices.Contains(work, f.Name()):
			o = working
		}
		for _, line := range typedIn(string(f.Data)) {
			fields["tool_name"], fields["tool_input"] = "Bash", map[string]any{"command": shellLine(line)}
			answer := o.event("PreToolUse", fields).Specific
			theirs := others[f.Name()] != "" && slices.ContainsFunc(strings.Split(others[f.Name()], "|"), func(s string) bool {
				return strings.HasPrefix(line, s)
			})
			if answer.Permission != "" && !theirs {
				t.Errorf("%s: %s: %s: %s", f.Path, line, answer.Permission, answer.Why)
			}
		}
	}
}

// shellLine is a line as an agent types it, with the end of its text.
func shellLine(line string) string {
	if strings.Contains(line, "<<") {
		return line + "\nThe text.\nEOF"
	}
	return line
}

// BW-12: some clients hand a skill's text on as the user's prompt: what it says of their words
// is not said by them.
func TestPlugin_BW12_textsAreNobodysWord(t *testing.T) {
	t.Parallel()
	o := newObedient(t, nil, "Add keys", "--phase", "Model")
	o.types("git brew start", "")
	o.says("make it so")
	o.types("git brew phase start 1", "")
	o.types("git brew phase done 1", "")
	texts := plugin.InProject("")
	for _, name := range pipeline.Workflows() {
		text, _ := pipeline.WorkflowText(name)
		texts = append(texts, plugin.File{Path: name, Data: []byte(text)})
	}
	for _, mode := range []string{"discussion", "implementation"} {
		o.must("", "mode", mode)
		for _, f := range texts {
			o.says(string(f.Data))
			if now := o.must("", "mode", "--json"); !strings.Contains(now, `"mode": "`+mode+`"`) {
				t.Fatalf("%s as a prompt: %s", f.Path, now)
			}
		}
	}
	if phases := o.must("", "phase", "list"); !strings.Contains(phases, "awaits review") {
		t.Errorf("a text approved it: %s", phases)
	}
}
