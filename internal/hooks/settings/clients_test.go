package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/dialect"
)

// Each client that init knows has a dialect of that name, and the other way round.
func TestClients_haveADialect(t *testing.T) {
	var names []string
	for _, c := range Clients() {
		names = append(names, c.Name)
		if _, found := dialect.Find(c.Name); !found {
			t.Errorf("%s has none", c.Name)
		}
	}
	if got := strings.Join(names, " "); got != dialect.Names {
		t.Errorf("clients are %q, dialects %q", got, dialect.Names)
	}
	if want := claude.Events(); !slices.Equal(claudeCode().EventNames(), want) {
		t.Errorf("Claude Code's events are %v, not %v", claudeCode().EventNames(), want)
	}
}

// What is written is what each client reads: its own form, its own unit of time, a command
// that names it, and where a client takes a failing hook for a refusal, one that can't be
// missing.
func TestClients_entry(t *testing.T) {
	want := map[string]string{
		"claude-code": `{"matcher": "*", "hooks": [{"type": "command", "command": "git-brew hook", "timeout": 10}]}`,
		"codex": `{"matcher": "*", "hooks": [{"type": "command", "command": "git-brew hook --agent codex", ` +
			`"timeout": 3}]}`,
		"cursor": `{"command": "git-brew hook --agent cursor", "timeout": 10}`,
		"gemini": `{"matcher": "*", "hooks": [{"type": "command", "name": "git-brew", ` +
			`"command": "git-brew hook --agent gemini", "timeout": 10000}]}`,
		"qwen": `{"matcher": "*", "hooks": [{"type": "command", "name": "git-brew", ` +
			`"command": "git-brew hook --agent qwen", "timeout": 10000}]}`,
	}
	for _, c := range Clients() {
		if c.Text != "" {
			continue
		}
		event := "PreToolUse"
		if !slices.Contains(c.EventNames(), event) {
			event = "BeforeTool"
		}
		for _, form := range []Form{Local, Shared} {
			text := c.entry(event, form)
			if !json.Valid([]byte(text)) {
				t.Errorf("%s: not JSON: %s", c.Name, text)
			}
			guarded := strings.Contains(text, "command -v git-brew")
			if guarded != (form == Shared || c.Name == "copilot") {
				t.Errorf("%s, form %d: guarded is %v", c.Name, form, guarded)
			}
			if named := strings.Contains(text, "git-brew hook --agent "+c.Name); named != (c.Name != "claude-code") {
				t.Errorf("%s: %s", c.Name, text)
			}
			if form == Local && !guarded && text != want[c.Name] {
				t.Errorf("%s: %s", c.Name, text)
			}
		}
	}
}

// TestClients_property: whatever file a person has, in whatever way it is written, is there
// again byte for byte, for each client.
func TestClients_property(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(Clients()).Draw(t, "client")
		if c.Text != "" {
			return
		}
		form := rapid.SampledFrom([]Form{Local, Shared}).Draw(t, "form")
		x := []byte(rapid.SampledFrom(slices.Concat([]string{
			"", `{"version":1}`, "{\n  \"version\": 1\n}\n", `{"version": 1, "hooks": {}}`, "{ }",
			`{"version":1,"hooks":{"stop":[{"command":"mine"}],"Stop":[]}}`,
		}, []string{c.draw(t)})).Draw(t, "file"))
		if len(x) == 0 && rapid.Bool().Draw(t, "no file") {
			x = nil
		}
		installed, err := c.Install(x, form)
		if err != nil {
			t.Fatalf("install into %q: %v", x, err)
		}
		if names, err := c.Registered(installed); err != nil || len(names) != len(c.EventNames()) {
			t.Fatalf("registered are %v (%v) in\n%s", names, err, installed)
		}
		if again, err := c.Install(installed, form); err != nil || !bytes.Equal(again, installed) {
			t.Fatalf("a second install (%v) makes of\n%s\nthis\n%s", err, installed, again)
		}
		out, err := c.Uninstall(installed, x == nil)
		if err != nil || !bytes.Equal(out, x) {
			t.Fatalf("uninstall (%v) makes of\n%s\nnot\n%q\nbut\n%q", err, installed, x, out)
		}
	})
}

// draw is a file in the client's form.
func (c Client) draw(t *rapid.T) string {
	if !c.flat {
		return drawSettings(t)
	}
	hooks := rapid.SliceOfN(rapid.SampledFrom([]string{
		`"stop":[]`, `"preToolUse": [ {"command": "mine"} ]`, `"PreToolUse":[{"type":"command","bash":"x"}]`,
		"\"Stop\": [\n  {\"command\": \"lint\", \"timeout\": 3}\n]",
	}), 0, 3).Draw(t, "hooks")
	return `{"hooks": {` + strings.Join(hooks, ",") + `}, "version": 1}`
}
