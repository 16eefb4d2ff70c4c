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
		"## Phase 01: One\n**Depends on:** none\n":                                                "1 One [] [] []",
		"## Phase 2 - Two\n- **Depends on:** Phase 1, phase-03\n":                                 "2 Two [1 3] [] []",
		"```\n## Phase 1: in code\n```\n":                                                         "",
		"## Phase 1v: Check\n**Kind:** verification\n":                                            "1V Check [] [] [] verification",
		"## Phase 1F2: Mend\n## Phase 1F2V: Check that\n":                                         "1.2 Mend [] [] [];1.2V Check that [] [] []",
		"## Phase 1: One\n### Success Criteria\n- a\n- b, c\n":                                    "1 One [] [a|b, c] []",
		"## Phase 1: One\n**Done when:** it works\n":                                              "1 One [] [it works] []",
		"## Phase 1: One\n**Verify:** `a b`, `c`; not this\n":                                     "1 One [] [] [a b|c]",
		"## Phase 1: One\n### Verification\n- `a`\n- `a`, and `b`\n":                              "1 One [] [] [a|b]",
		"## Phase 1: One\n**Verify:** `` a `b` ``, `c`\n":                                         "1 One [] [] [a `b`|c]",
		"## Phase 1: One\n**Verify:** make test\n":                                                "1 One [] [] []",
		"## Phases\n| # | Title | Depends on |\n|---|---|---|\n| 1 | One | |\n| 02 | Two | 1 |\n": "1 One [] [] [];2 Two [1] [] []",
	} {
		var got []string
		for _, p := range PlannedPhases([]byte(in)) {
			line := fmt.Sprintf("%s %s %v [%s] [%s] %s", p.ID, p.Title, p.DependsOn, strings.Join(p.Acceptance, "|"), strings.Join(p.Verify, "|"), p.Word)
			got = append(got, strings.TrimSpace(line))
		}
		if strings.Join(got, ";") != want {
			t.Errorf("%q:\n%q, want\n%q", in, strings.Join(got, ";"), want)
		}
	}
}
