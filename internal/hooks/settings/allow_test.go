package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/command"
)

// BC-72: the client need not ask about what an agent's work is full of; what is for
// people alone is in no rule, whatever follows its words.
func TestAllowRules_BC72_nothingOfPeoples(t *testing.T) {
	rules := AllowRules()
	if !slices.Contains(rules, "Bash(git brew status:*)") || !slices.Contains(rules, "Bash(git brew doc set:*)") ||
		!slices.Contains(rules, "Bash(git brew start)") {
		t.Errorf("%q", rules)
	}
	for _, rule := range rules {
		text := strings.TrimSuffix(strings.TrimPrefix(rule, "Bash(git brew "), ")")
		text, open := strings.CutSuffix(text, ":*")
		words := strings.Fields(text)
		for _, r := range command.Table {
			if open && r.Has(command.People) && strings.HasPrefix(r.Path+" ", text+" ") {
				t.Errorf("%s allows what is for people alone: %+v", rule, r)
			}
		}
		for _, option := range []string{"--steal", "--ext-diff"} {
			if open && (words[0] == "start" || slices.Contains([]string{"log", "diff", "show"}, words[0])) {
				t.Errorf("%s allows %s", rule, option)
			}
		}
	}
}

// What Allow adds Disallow takes out again, byte for byte, whatever stood there.
func TestAllow_takenBackByteForByte(t *testing.T) {
	rules := []string{"Bash(git brew status:*)", "Bash(git brew list:*)", "Bash(git brew start)"}
	for _, text := range []string{
		"{}", "{\n}\n", `{"a": 1}`, "{\n\t\"a\": 1\n}\n", `{"permissions": {}}`,
		"{\n  \"permissions\": {\n    \"deny\": [\"Bash(rm:*)\"]\n  }\n}\n",
		`{"permissions":{"allow":[]}}`, "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls:*)\"\n    ]\n  },\n" +
			"  \"b\": 2\n}\n",
		"{\r\n  \"permissions\": {\"allow\": [\"Bash(git brew list:*)\"], \"ask\": []}\r\n}\r\n",
	} {
		after, added, err := Allow([]byte(text), rules)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, rule := range rules {
			if !strings.Contains(string(after), `"`+rule+`"`) {
				t.Errorf("%s: %s is missing in\n%s", text, rule, after)
			}
		}
		if again, more, err := Allow(after, rules); err != nil || len(more) > 0 || string(again) != string(after) {
			t.Errorf("%s: once more: %q, %v", text, more, err)
		}
		if back, err := Disallow(after, added); err != nil || string(back) != text {
			t.Errorf("%q: taken back: %q, %v", text, back, err)
		}
	}
	for _, text := range []string{`{"permissions": []}`, `{"permissions": {"allow": "x"}}`, `[]`, "{"} {
		if _, _, err := Allow([]byte(text), rules); err == nil {
			t.Errorf("%s is no settings file", text)
		}
	}
}
