package task

import (
	"slices"
	"testing"
)

// BW-19, BW-51: how a title begins says what kind of work it is.
func TestKindOfTitle_BW19_BW51(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title, typ string
		priority   Priority
	}{
		{"fix-login", "fix", ""},
		{"fix: login fails", "fix", ""},
		{"Fix(auth)!: login fails", "fix", ""},
		{"feat: sign in", "feature", ""},
		{"refactor-tokens", "refactor", ""},
		{"docs/readme", "docs", ""},
		{"test-tokens", "test", ""},
		{"perf!: faster", "perf", ""},
		{"chore-deps", "chore", ""},
		{"experiment-wasm", "experiment", ""},
		{"migrate-to-pg", "migrate", ""},
		{"h-fix-login", "fix", PriorityHigh},
		{"m-implement-login", "feature", PriorityMedium},
		{"L-docs-readme", "docs", PriorityLow},
		{"?-fix-login", "fix", ""},

		{"Test-driven design of tokens", "", ""},
		{"Fix login", "", ""},
		{"fixture-loader", "", ""},
		{"fix", "", ""},
		{"fix-", "", ""},
		{"fix(auth) login", "", ""},
		{"h-index", "", ""},
		{"Add JWT auth", "", ""},
		{"日本語", "", ""},
		{"", "", ""},
	} {
		if typ, priority, _ := KindOfTitle(c.title); typ != c.typ || priority != c.priority {
			t.Errorf("%q: %q %q, want %q %q", c.title, typ, priority, c.typ, c.priority)
		}
	}
	for _, w := range typesByWord {
		if !slices.Contains(Types, w.of) {
			t.Errorf("%s gives %s, which nobody can choose", w.said, w.of)
		}
	}
}

// BW-19: what says the type in front of a colon is no part of the title; a name stays
// as it is.
func TestKindOfTitle_BW19_left(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"docs: explain links":        "explain links",
		"Fix:  Crash at a start":     "Crash at a start",
		"feat(api): Sign in":         "api: Sign in",
		"fix: docs: a wrong link":    "docs: a wrong link",
		"feat(api)!: Sign in":        "feat(api)!: Sign in",
		"perf!: faster":              "perf!: faster",
		"fix:login":                  "fix:login",
		"fix:":                       "fix:",
		"fix-login":                  "fix-login",
		"h-fix-login":                "h-fix-login",
		"docs/readme":                "docs/readme",
		"Note: fix it":               "Note: fix it",
		"fix login: Safari":          "fix login: Safari",
		"feat(): Sign in":            "feat(): Sign in",
		"feat(api: web): Sign in (x": "feat(api: web): Sign in (x",
	} {
		if _, _, left := KindOfTitle(title); left != want {
			t.Errorf("%q: %q, want %q", title, left, want)
		}
	}
}

// BW-26: links to issues are read from titles and addresses, and are names only.
func TestIssue_BW26(t *testing.T) {
	t.Parallel()
	for title, want := range map[string][]string{
		"Fix login #123":                       {"#123"},
		"Login (acme/app#7, #123) and #7, #7.": {"acme/app#7", "#123", "#7"},
		"group/sub/project#1!":                 {"group/sub/project#1"},
		"C# and F#, v1#2, #0, #1234567890":     nil,
		"a/../b#1 -x/y#2 a//b#3":               nil,
	} {
		if got := IssuesIn(title); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
	for given, want := range map[string]string{
		"#12": "#12", "12": "#12", "acme/app#3": "acme/app#3",
		"https://github.com/acme/app/issues/3":                   "acme/app#3",
		"https://github.com/acme/app/issues/3#issuecomment-9":    "acme/app#3",
		"https://gitlab.example.com/group/sub/app/-/issues/44/":  "group/sub/app#44",
		"https://github.com/acme/app/pull/3":                     "",
		"https://user:secret@github.com/acme/app/issues/3?x=#12": "",
		"":                        "",
		"#":                       "",
		"app#1":                   "",
		"acme/app#1\x1b":          "",
		"acme/app#99999999999999": "",
	} {
		got, err := ParseIssue(given)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v; want %q", given, got, err, want)
		}
	}
}
