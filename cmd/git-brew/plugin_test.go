package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/plugin"
)

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
