package document

import (
	"strings"
	"testing"
)

// What a field of front matter says, as YAML reads it; the error's words where it
// says nothing that is read.
func TestReadFront_SP15_values(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`["a]b", 'c[d', e]`:         "a]b|c[d|e",
		`["{COVERS}"]`:              "{COVERS}",
		`[R{1}, src/[id]/page.tsx]`: "R{1}|src/[id]/page.tsx",
		`["src/[id]/page.tsx"]`:     "src/[id]/page.tsx",
		`["**/*.tsx", sp ace.go]`:   "**/*.tsx|sp ace.go",
		`[]`:                        "",
		`[ , a, ]`:                  "a",
		`a, b`:                      "a, b",
		"\n  - a, b\n  - \"c # d\"": "a, b|c # d",
		`[a`:                        "is read; put",
		`["a # b", c]`:              "a # b|c",
		`["a,b", c]`:                "comma on a line of its own",
		`"a" # b`:                   "is read; put",
		`a # b`:                     "a",
		`["a"] # b`:                 "is read; put",
		`['it''s', "x"]`:            "is read; put",
		"# b\n  # c\n  - a":         "a",
		"# b":                       "",
		"none # b":                  "",
		"\n  - ~ # b\n  - a":        "a",
		"\n  # c\n  - a":            "a",
		`[a # b]`:                   "is read; put",
		`[a] b`:                     "is read; put",
		`["a, b]`:                   "is read; put",
		`["a" b]`:                   "is read; put",
		`["a\"b"]`:                  "is read; put",
		`[a, [b]]`:                  "is read; put",
		`[{a: b}]`:                  "is read; put",
		`[*.go]`:                    "with other marks into quotes",
		"{a: b}":                    "is read; put",
	} {
		f, _ := ReadFront([]byte("---\nx: " + in + "\n---\n")).Field("x")
		if f.Unread != nil {
			if !strings.Contains(f.Unread.Error(), want) || want == "" || f.Raw == "" {
				t.Errorf("%s: %v (%q), want %q", in, f.Unread, f.Raw, want)
			}
		} else if got := strings.Join(f.Values, "|"); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// F26: what git brew's own template leaves open is told as that.
func TestCheck_SP15_placeholdersInFrontMatter(t *testing.T) {
	t.Parallel()
	for _, covers := range []string{`["{COVERS}"]`, "[{COVERS}]", "{COVERS}", "\n  - {COVERS}"} {
		s := Subject{
			Task: "t", Phases: []Phase{{ID: "1", Kind: Execution}},
			Texts: map[string][]byte{PlanName("1"): []byte("---\ncovers: " + covers + "\n---\n# Phase 1\n")},
		}
		found := Check(s, "", "document.placeholder", "document.front-matter").Findings
		if len(found) != 1 || found[0].Text != "{COVERS} is not filled in" || found[0].Line != 2 {
			t.Errorf("%s: %+v", covers, found)
		}
	}
}

// F18: nothing that is found is kept back.
func TestCheck_BC18_allOfThem(t *testing.T) {
	t.Parallel()
	const many = 12_000
	var spec strings.Builder
	spec.WriteString("## Requirements\n")
	for range many {
		spec.WriteString("- one more\n")
	}
	r := Check(Subject{
		Phases: []Phase{{ID: "1", Kind: Execution}},
		Texts: map[string][]byte{
			Spec:     []byte(spec.String()),
			Plan:     []byte("## Traceability\n| # | Phases |\n|---|---|\n| R0 | |\n"),
			Research: []byte(strings.Repeat("{WHAT}\n\n", 300)),
		},
	}, "")
	count := func(rule string) int {
		n := 0
		for _, f := range r.Findings {
			if f.Rule == rule {
				n++
			}
		}
		return n
	}
	if u, p := count("task.requirements"), count("document.placeholder"); u != many || p != 300 ||
		len(r.Requirements) != many {
		t.Errorf("%d uncovered, %d placeholders, %d requirements", u, p, len(r.Requirements))
	}
	found := Check(Subject{Texts: map[string][]byte{Roadmap: []byte(strings.Repeat("{ABC} ", 150_000))}}, "",
		"document.placeholder").Findings
	if len(found) != 150_000 {
		t.Errorf("%d findings", len(found))
	}
	var plan strings.Builder
	plan.WriteString("## Task 1\n**Files:** a.go")
	for i := range 5000 {
		plan.WriteString(", " + strings.Repeat("x", i%50+1) + "/" + strings.Repeat("y", i/50+1))
	}
	for range 300 {
		plan.WriteString("\n\n### Task more\ndo it\n")
	}
	if f := ReadPhaseFile([]byte(plan.String())); len(f.Touches) != 5001 || len(f.Tasks) != 301 {
		t.Errorf("%d paths, %d tasks", len(f.Touches), len(f.Tasks))
	}
}
