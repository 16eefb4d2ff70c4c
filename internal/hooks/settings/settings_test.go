package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/hooks/claude"
)

func TestInstall_everyEventOnce(t *testing.T) {
	for _, form := range []Form{Local, Shared} {
		out, err := Install(nil, form)
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Hooks map[string][]struct {
				Matcher string
				Hooks   []struct {
					Type, Command string
					Args          []string
					Timeout       int
				}
			}
			StatusLine *struct{ Type, Command string }
		}
		if err := json.Unmarshal(out, &s); err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		want := "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PreCompact Stop SubagentStart " +
			"SubagentStop Notification SessionEnd"
		if len(s.Hooks) != len(strings.Fields(want)) {
			t.Errorf("%d events", len(s.Hooks))
		}
		for event := range strings.FieldsSeq(want) {
			groups := s.Hooks[event]
			if len(groups) != 1 || len(groups[0].Hooks) != 1 {
				t.Fatalf("%s: %+v", event, groups)
			}
			h := groups[0].Hooks[0]
			if h.Type != "command" || h.Timeout != 10 {
				t.Errorf("%s: %+v", event, h)
			}
			if form == Local && (h.Command != "git-brew hook" || h.Args != nil) { // which Copilot CLI would drop
				t.Errorf("%s: not the plain line: %+v", event, h)
			}
			if form == Shared && (h.Args != nil || !strings.Contains(h.Command, "command -v git-brew")) {
				t.Errorf("%s: not guarded: %+v", event, h)
			}
			if tool := strings.Contains(event, "ToolUse"); tool != (groups[0].Matcher == "*") {
				t.Errorf("%s: matcher %q", event, groups[0].Matcher)
			}
		}
		if (s.StatusLine != nil) != (form == Local) {
			t.Errorf("form %d: status line %+v", form, s.StatusLine)
		}
	}
}

func TestInstall_leavesAllElse(t *testing.T) {
	for _, x := range settingsTexts {
		for _, form := range []Form{Local, Shared} {
			roundTrip(t, []byte(x), form)
		}
	}
}

var settingsTexts = []string{
	"", "{}", "{}\n", "{ }", "{\n}\n", "\n{\n\n}", "\ufeff{\"a\": 1}",
	`{"model":"opus"}`,
	"{\n  \"model\": \"opus\"\n}\n",
	"{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {}\r\n}",
	`{"hooks":{}}`, `{"hooks": { } }`, "{\n  \"hooks\": {\n  }\n}\n",
	`{"hooks":{"Stop":[]}}`, "{\n  \"hooks\": {\n    \"Stop\": [\n    ]\n  }\n}\n",
	`{"hooks":{"Stop":[{"hooks":[]}]}}`,
	"{\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\n                \"matcher\": \"Bash\",\n" +
		"                \"hooks\": [\n                    {\"type\": \"command\", \"command\": \"lint\"}\n" +
		"                ]\n            }\n        ],\n        \"WorktreeCreate\": 5\n    },\n" +
		"    \"statusLine\": {\"type\": \"command\", \"command\": \"mine\"}\n}",
	`{"hooks":{"Stop":[]},"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}],"Stop":[]}}`,
	`{"statusLine": null, "a": [1, {"hooks": {}}], "b": "\"hooks\": {"}`,
}

func roundTrip(t interface {
	Helper()
	Fatalf(string, ...any)
}, x []byte, form Form,
) {
	t.Helper()
	before := bytes.Clone(x)
	installed, err := Install(x, form)
	if err != nil {
		t.Fatalf("install into %q: %v", x, err)
	}
	if !bytes.Equal(before, x) {
		t.Fatalf("the input was changed")
	}
	if !json.Valid(bytes.TrimPrefix(installed, []byte("\ufeff"))) {
		t.Fatalf("not JSON any more:\n%s", installed)
	}
	if names, err := Registered(installed); err != nil || len(names) != len(claude.Events()) {
		t.Fatalf("registered are %v (%v) in\n%s", names, err, installed)
	}
	again, err := Install(installed, form)
	if err != nil || !bytes.Equal(again, installed) {
		t.Fatalf("a second install (%v) makes of\n%s\nthis\n%s", err, installed, again)
	}
	out, err := Uninstall(installed)
	if err != nil || !bytes.Equal(out, x) {
		t.Fatalf("uninstall (%v) makes of\n%s\nnot\n%q\nbut\n%q", err, installed, x, out)
	}
}

// TestUninstall_property: whatever settings a person has, in whatever way they
// are written, are there again byte for byte.
func TestUninstall_property(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawSettings(t)
		roundTrip(t, []byte(x), rapid.SampledFrom([]Form{Local, Shared}).Draw(t, "form"))
	})
}

func drawSettings(t *rapid.T) string {
	blank := func() string {
		return rapid.SampledFrom([]string{"", "", " ", "\n", "\n  ", "\n\t\t", "\r\n  ", "  "}).Draw(t, "blank")
	}
	join := func(open, end string, parts []string) string {
		text := open
		for i, p := range parts {
			if i > 0 {
				text += blank() + ","
			}
			text += blank() + p
		}
		return text + blank() + end
	}
	pair := func(key, value string) string { return fmt.Sprintf("%q%s:%s%s", key, blank(), blank(), value) }
	handler := func() string {
		return rapid.SampledFrom([]string{
			`{"type":"command","command":"lint"}`, `{ "type": "command", "command": "git", "args": ["status"] }`,
			`{"type":"prompt","prompt":"}]"}`, `{}`, `{"type":"command","command":"git-brew statusline"}`,
		}).Draw(t, "handler")
	}
	list := func(n int, item func() string) []string {
		parts := make([]string, rapid.IntRange(0, n).Draw(t, "n"))
		for i := range parts {
			parts[i] = item()
		}
		return parts
	}
	groupText := func() string {
		parts := []string{pair("hooks", join("[", "]", list(2, handler)))}
		if rapid.Bool().Draw(t, "matcher") {
			parts = append(parts, pair("matcher", `"Bash|Edit"`))
		}
		return join("{", "}", parts)
	}
	event := func() string {
		name := rapid.SampledFrom([]string{"Stop", "PreToolUse", "SessionStart", "Setup", "SessionEnd"}).Draw(t, "event")
		return pair(name, join("[", "]", list(2, groupText)))
	}
	top := func() string {
		switch rapid.IntRange(0, 3).Draw(t, "member") {
		case 0:
			return pair("hooks", join("{", "}", list(3, event)))
		case 1:
			return pair("statusLine", `{"type":"command","command":"mine"}`)
		}
		return pair(rapid.SampledFrom([]string{"model", "env", `a"b`, "é"}).Draw(t, "key"),
			rapid.SampledFrom([]string{`"opus"`, "1e9", "null", `{"hooks":{}}`, "[ ]", `"\\\""`}).Draw(t, "value"))
	}
	return rapid.SampledFrom([]string{"", "\n", " "}).Draw(t, "before") + join("{", "}", list(3, top)) + blank()
}

// A person's comments stay, and what is theirs beside them.
func TestUninstall_withComments(t *testing.T) {
	t.Parallel()
	ours, err := Install(nil, Local)
	if err != nil {
		t.Fatal(err)
	}
	with, err := Install([]byte("{\n  \"theme\": \"// \\\"dark\" // mine\n}\n"), Local)
	if err == nil {
		t.Errorf("a file with comments was edited: %s", with)
	}
	plain := "{\n  \"theme\": \"// \\\"dark\"\n}\n"
	if with, err = Install([]byte(plain), Local); err != nil {
		t.Fatal(err)
	}
	const note = "{ // \"hooks\": {"
	for in, want := range map[string]string{
		"/* a */" + string(with) + "// b":                                       "/* a */" + plain + "// b",
		strings.Replace(string(with), "{", note, 1):                             strings.Replace(plain, "{", note, 1),
		"// a\n" + string(ours):                                                 "// a\n{}\n",
		strings.Replace(string(with), `"hooks": {`, `"hooks": { /* mine */`, 1): "",
		string(with) + "/*":                                                     "",
	} {
		got, err := Uninstall([]byte(in))
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("of %s\nis left %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestInstall_refusesWhatIsNoSettings(t *testing.T) {
	for _, x := range []string{
		" ", "{", "[]", "null", `"hooks"`, "// no\n{", `{"a":1,}`, `{"hooks":null}`, `{"hooks":[]}`,
		`{"hooks":{"Stop":{}}}`, `{"hooks":{"Stop":[1]}}`, `{"hooks":{"Stop":[{"hooks":{}}]}}`, `{"hooks":{"Stop":[{}]}}`,
		strings.Repeat("[", 100_000),
	} {
		if _, err := Install([]byte(x), Local); !errors.Is(err, ErrSettings) {
			t.Errorf("install into %.40q: %v", x, err)
		}
		if _, err := Uninstall([]byte(x)); !errors.Is(err, ErrSettings) {
			t.Errorf("uninstall from %.40q: %v", x, err)
		}
	}
}

func TestUninstall_afterAPersonEdited(t *testing.T) {
	installed, err := Install([]byte("{\n  \"model\": \"opus\"\n}\n"), Local)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(installed), `"timeout": 10}]`,
		`"timeout": 10}, {"type": "command", "command": "mine"}]`, 1)
	edited = strings.Replace(edited, "\n  \"statusLine\"", "\n  \"env\": {},\n  \"statusLine\"", 1)
	out, err := Uninstall([]byte(edited))
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"SessionStart\": [\n" +
		"      {\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}\n    ]\n  },\n  \"env\": {}\n}\n"
	if string(out) != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

// A plugin's file registers every event that init does, in the form that is everybody's,
// and says in each that it is the plugin's.
func TestPluginHooks(t *testing.T) {
	var file struct {
		Hooks map[string][]struct {
			Matcher string
			Hooks   []struct{ Type, Command string }
		}
	}
	if err := json.Unmarshal(PluginHooks(), &file); err != nil {
		t.Fatal(err)
	}
	for _, e := range claude.Events() {
		groups := file.Hooks[e]
		if len(groups) != 1 || len(groups[0].Hooks) != 1 || groups[0].Hooks[0].Type != "command" ||
			!strings.HasSuffix(groups[0].Hooks[0].Command, "exec git-brew hook "+FromPlugin) ||
			strings.Contains(e, "ToolUse") != (groups[0].Matcher == "*") {
			t.Errorf("%s: %+v", e, groups)
		}
	}
	if len(file.Hooks) != len(claude.Events()) {
		t.Errorf("%d events, want %d", len(file.Hooks), len(claude.Events()))
	}
}
