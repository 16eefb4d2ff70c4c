package document

import (
	"fmt"
	"strings"
	"testing"
)

// SP-9: what a roadmap says about its phases, in the forms that people write.
func TestPlannedPhases_SP9(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"# Roadmap\n": "",
		"## Phase 01: One\n**Depends on:** none\n":                   "1 One [] [] []",
		"## Phase 2 - Two\n- **Depends on:** Phase 1, phase-03\n":    "2 Two [1 3] [] []",
		"```\n## Phase 1: in code\n```\n":                            "",
		"## Phase 1v: Check\n**Kind:** verification\n":               "1V Check [] [] [] verification",
		"## Phase 1F2: Mend\n## Phase 1F2V: Check that\n":            "1.2 Mend [] [] [];1.2V Check that [] [] []",
		"## Phase 1: One\n### Success Criteria\n- a\n- b, c\n":       "1 One [] [a|b, c] []",
		"## Phase 1: One\n**Done when:** it works\n":                 "1 One [] [it works] []",
		"## Phase 1: One\n**Verify:** `a b`, `c`; not this\n":        "1 One [] [] [a b|c]",
		"## Phase 1: One\n### Verification\n- `a`\n- `a`, and `b`\n": "1 One [] [] [a|b]",
		"## Phase 1: One\n**Verify:** `` a `b` ``, `c`\n":            "1 One [] [] [a `b`|c]",
		"## Phase 1: One\n**Verify:** make test\n":                   "1 One [] [] []",
		"## Phases\n| # | Title | Depends on |\n" +
			"|---|---|---|\n| 1 | One | |\n| 02 | Two | 1 |\n": "1 One [] [] [];2 Two [1] [] []",
	} {
		var got []string
		for _, p := range PlannedPhases(Roadmap, []byte(in)) {
			line := fmt.Sprintf("%s %s %v [%s] [%s] %s", p.ID, p.Title, p.DependsOn, strings.Join(p.Acceptance, "|"),
				strings.Join(p.Verify, "|"), p.Word)
			got = append(got, strings.TrimSpace(line))
		}
		if strings.Join(got, ";") != want {
			t.Errorf("%q:\n%q, want\n%q", in, strings.Join(got, ";"), want)
		}
	}
}

// SP-9, BC-22: what a phase waits for and who works on it, as people and Specdacular's
// roadmaps write it.
func TestDependencies_SP9(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"None (first phase)":           "",
		"none":                         "",
		"No dependencies":              "",
		"—":                            "",
		"None — can start immediately": "",
		"1, 2V; FR":                    "1 2V FR",
		"Phase 1 complete":             "1",
		"Phase 1 complete (needs docs, and tests)": "1",
		"Phase 1 and Phase 2 complete (both)":      "1 2",
		"Phase 1 (a, b), Phase 2 (c)":              "1 2",
		"Phase 4 and 5":                            "4 5",
		"Phases 1-3 complete (all of them)":        "1 2 3",
		"phases 2 – 4":                             "2 3 4",
		"1 to 3":                                   "1 to 3",
		"Phases 1 to 3":                            "1 2 3",
		"Phase 1: Token model":                     "1",
		"**Phase 2.1** & phase-03":                 "2.1 phase-03",
		"step 2":                                   "2",
		"All previous phases":                      "A B",
		"Phases 1-900":                             "1-900",
		"US-003":                                   "US-003",
		"Node 20 is installed, 1":                  "Node 20 is installed|1",
		"the review by legal":                      "the review by legal",
	} {
		got := dependencies(in, []string{"A", "B"})
		sep := " "
		if strings.Contains(want, "|") {
			sep = "|"
		}
		if strings.Join(got, sep) != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"developer":          "developer",
		"-":                  "",
		"reviewer + tester":  "reviewer tester",
		"reviewer x3":        "reviewer reviewer-2 reviewer-3",
		"reviewer (×2), dev": "reviewer reviewer-2 dev",
		"dev, reviewer x2":   "dev reviewer reviewer-2",
		"reviewer x900":      "reviewer x900",
		"x3":                 "x3",
		"team:Developer":     "team:Developer",
		"sonnet 4":           "sonnet 4",
	} {
		if got := strings.Join(agents(in), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// BC-10: a plan has its phases in its table, else in its headings, as a client's plan
// mode writes them.
func TestPlannedPhases_BC10_planMode(t *testing.T) {
	t.Parallel()
	const table = "## Phase Registry\n| # | Subject | Agent |\n|---|---|---|\n| 1 | Model | a + b |\n"
	for in, want := range map[string]string{
		"# Plan\n## Context\nslow\n## Changes\n### 1. Add `a.go`\n### 2. Use it\n**Depends on:** step 1\n## Verification\n": "1 Add a.go [];2 Use it [1]",
		"# Plan\n## Step 1: One\n## Step 2 - Two\n": "1 One [];2 Two []",
		"# Plan\n### Task 1: One\n":                 "1 One []",
		"# Plan\n## Phase 1: One\n### Step 1: a\n":  "1 One []",
		"## Phase 1: Details\n" + table:             "1 Model []",
		"## 1. Context\n## 2. Approach\n":           "",
		"## Implementation\n### 2024 and later\n":   "",
	} {
		var got []string
		for _, p := range PlannedPhases(Plan, []byte(in)) {
			got = append(got, fmt.Sprintf("%s %s %v", p.ID, p.Title, p.DependsOn))
		}
		if strings.Join(got, ";") != want {
			t.Errorf("%q:\n%q, want\n%q", in, strings.Join(got, ";"), want)
		}
	}
	if p := PlannedPhases(Plan, []byte(table)); len(p) != 1 || fmt.Sprint(p[0].Agents) != "[a b]" {
		t.Errorf("%+v", p)
	}
}

func TestLead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "",
		"# Only a heading\n":             "",
		"# A\n## B\n\none\ntwo\n\nthree": "one two",
		"one\n```\ncode":                 "one",
		"| a | b |\n|---|---|\n":         "",
		"- [ ] a box\n":                  "",
		"a <b>\r\nc\r\n":                 "a <b> c",
		"---\ntask: x\n---\nText\n":      "Text",
	} {
		if got := Lead([]byte(text)); got != want {
			t.Errorf("Lead(%q) = %q, want %q", text, got, want)
		}
	}
}
