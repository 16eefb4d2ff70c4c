package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// good is a task whose documents lack nothing.
func good() Subject {
	s := Subject{Task: "jwt-abcdefg", Names: []string{"jwt", "Add JWT"}, Stage: stageExecute, Texts: map[string][]byte{}}
	registry, roadmapText := "", ""
	for n := 1; n <= 5; n++ {
		id := fmt.Sprint(n)
		s.Phases = append(s.Phases, Phase{ID: id, Title: "Part " + id, Kind: Execution, Agents: []string{"developer"}},
			Phase{ID: id + "V", Title: "Verify " + id, Kind: Verification, Of: id})
		registry += fmt.Sprintf("| %d | Part %d | developer | |\n| %dV | Verify %d | reviewer | %d |\n", n, n, n, n, n)
		roadmapText += fmt.Sprintf("## Phase %d: Part %d\n**Goal:** it works\n**Success Criteria:** tests\n"+
			"**Depends on:** none\n\n", n, n)
	}
	s.Phases[0].Due = true
	s.Phases = append(s.Phases, Phase{ID: "1.1", Title: "Fix Part 1", Kind: Fix, Of: "1", Due: true},
		Phase{ID: "FR", Title: "Final review", Kind: FinalReview})
	for name, text := range map[string]string{
		Spec: "# JWT\n\n## Goal\nLog in.\n\n## Scope\n\n### In\n- login\n- logout\n\n### Out\n- single sign-on\n\n" +
			"## Original Requirements\n1. tokens expire\n2. **FR-7**: it is documented\n\n" +
			"## User Q&A\nskipped\n\n## Analysis\nOne service.\n\n## Context Files\n- `auth.go`\n\n## Risks\n- clocks\n\n" +
			"## Decisions\n- HS256\n\n## Research\nNone.\n",
		Context:  "# Context\n\n## Gray Areas Remaining\n- [x] which algorithm? — HS256\n",
		Research: "# Research\n\n## Findings\nThere is a library.\n\n## Sources\n- its README\n",
		Roadmap:  "# Roadmap\n\n" + roadmapText,
		Plan: "# Plan\n\n## Completion Criteria\nAll tests pass.\n\n## Technology Choices\n\n" +
			"| Choice | Decision | Rationale | Alternatives |\n|---|---|---|---|\n| signing | HS256 | one service | RS256 |\n" +
			"\n" +
			"## Agents\n- developer\n\n## Phase Registry\n\n| # | Subject | Agent | Blocked By |\n|---|---|---|---|\n" +
			registry + "| FR | Final review | reviewer | 5V |\n\n" +
			"## Traceability\n\n| Requirement | Phases |\n|---|---|\n| S1 | 1 |\n| logout | 2, 3 |\n| R1 | phase-04 |\n",
		PlanName("1"): "---\ntask: jwt\nphase: 1\ndepends_on: []\ncreates: [token.go]\ncovers: [FR-7]\n---\n# Part 1\n\n" +
			"## Objective\nA model.\n\n## Context Files\n- auth.go\n\n## Tasks\n\n" +
			"### Task 1: the type\n**Files:** `token.go`\n**Action:** write it\n**Verify:** go test\n" +
			"**Done when:** it compiles\n\n## Role\ndeveloper\n\n## Context\n- token.go\n\n## Constraints\n" +
			"- no new dependency\n\n## Artifacts\n- the type\n",
		PlanName("1V"): "# Verify 1\n\n## Objective\nIs it right?\n\n## Files to Review\n- token.go\n\n## Checklist\n" +
			"- expiry\n\n## Verdict\nPASS or FAIL.\n",
		PlanName("1.1"): "---\nphase: 1F1\nmodifies: [token.go]\n---\n# Fix\n\n## Objective\nExpiry.\n\n## References\n" +
			"The report.\n\n## Tasks\n- mend it\n\n## Exit Criteria\n- tests pass\n",
		Changelog: "# Changelog\n\n## Today\n- **What:** a\n- **Why:** b\n- **Files:** c\n",
	} {
		s.Texts[name] = []byte(text)
	}
	return s
}

func TestCheck_goodDocuments(t *testing.T) {
	t.Parallel()
	r := Check(good(), "")
	for _, f := range r.Findings {
		t.Errorf("%s:%d: %s: %s (%s)", f.Document, f.Line, f.Severity, f.Text, f.Rule)
	}
	want := "S1=1 S2=2,3 R1=4 FR-7=1"
	var got []string
	for _, q := range r.Requirements {
		got = append(got, q.ID+"="+strings.Join(q.Phases, ","))
	}
	if strings.Join(got, " ") != want {
		t.Errorf("covered: %v, want %s", got, want)
	}
}

// broken says how a good task breaks each rule, and where that is seen.
var broken = []struct {
	rule string
	// document, old and new: what is replaced in it; document "": none.
	document, old, new string
	change             func(*Subject)
	at                 int
	says               string
}{
	{
		rule: "document.placeholder", document: Plan, old: "one service", new: "{RATIONALE}", at: 10,
		says: "{RATIONALE} is not filled in",
	},
	{
		rule: "document.placeholder", document: PlanName("1"), old: "[FR-7]", new: "[{COVERS}]", at: 6,
		says: "{COVERS} is not filled in",
	},
	{rule: "document.size", document: Spec, old: "## Original Requirements\n", new: "## Original Requirements\n" +
		strings.Repeat("- again\n", maxRequirements), at: 1, says: "requirements, the first 20000 are looked at"},
	{
		rule: "document.front-matter", document: PlanName("1"), old: "task: jwt", new: "task: another", at: 2,
		says: `it names the task "another", this is jwt`,
	},
	{
		rule: "document.front-matter", document: PlanName("1"), old: "depends_on: []", new: "depends_on: {a: b}", at: 4,
		says: "can't be read",
	},

	{
		rule: "document.front-matter", document: PlanName("1"), old: "covers: [FR-7]\n---", new: "covers: [FR-7]", at: 1,
		says: "does not end",
	},
	{
		rule: "document.front-matter", document: PlanName("1"), old: "phase: 1\n", new: "phase : 1\n", at: 3,
		says: "no field",
	},

	{
		rule: "spec.goal", document: Spec, old: "## Goal\nLog in.", new: "## Goal\n<!-- later -->", at: 3,
		says: `the section "Goal" is empty`,
	},
	{
		rule: "spec.scope", document: Spec, old: "## Scope\n\n### In\n- login\n- logout\n\n### Out\n- single sign-on\n",
		new: "", at: 1, says: `no section "Scope"`,
	},
	{
		rule: "spec.scope-in", document: Spec, old: "### In\n", new: "### Somewhere\n", at: 6,
		says: "does not list what is in",
	},
	{rule: "spec.scope-out", document: Spec, old: "### Out\n- single sign-on", new: "", at: 6, says: "what is out"},
	{
		rule: "spec.requirements", document: Spec, old: "## Original Requirements", new: "## Wishes", at: 1,
		says: "Original Requirements",
	},
	{rule: "spec.questions", document: Spec, old: "## User Q&A\nskipped", new: "## User Q&A", at: 19, says: "empty"},
	{rule: "spec.analysis", document: Spec, old: "## Analysis", new: "## A", at: 1, says: "Analysis"},
	{rule: "spec.context-files", document: Spec, old: "## Context Files", new: "## A", at: 1, says: "Context Files"},
	{rule: "spec.risks", document: Spec, old: "## Risks", new: "## A", at: 1, says: "Risks"},
	{rule: "spec.decisions", document: Spec, old: "## Decisions", new: "## A", at: 1, says: "Decisions"},
	{rule: "spec.research", document: Spec, old: "## Research", new: "## A", at: 1, says: "Research"},

	{rule: "context.questions", change: func(s *Subject) {
		s.Stage, s.Questions = stageClarify, []Question{{4, "which?"}}
	}, document: Context, at: 4, says: "open: which?"},
	{rule: "context.questions", change: func(s *Subject) {
		s.Undiscussed, s.Questions = true, []Question{{4, "which?"}}
	}, document: Context, at: 4, says: "open: which?"},
	{rule: "context.questions-late", change: func(s *Subject) {
		s.Questions = []Question{{4, "which?"}}
	}, document: Context, at: 4, says: "open: which?"},

	{
		rule: "context.boxes", document: Context, old: "## Gray Areas Remaining\n- [x]", new: "## Other Questions\n- [ ]",
		at: 4, says: "counted as nothing",
	},

	{rule: "research.findings", document: Research, old: "## Findings", new: "## A", at: 1, says: "Findings"},
	{rule: "research.sources", document: Research, old: "- its README", new: "", at: 6, says: "empty"},

	{rule: "roadmap.phases", document: Roadmap, old: "## Phase ", new: "## Chapter ", at: 1, says: "Phase 1: Title"},
	{
		rule: "roadmap.phase-goal", document: Roadmap, old: "Part 1\n**Goal:** it works", new: "Part 1", at: 3,
		says: "phase 1: no goal",
	},
	{
		rule: "roadmap.phase-criteria", document: Roadmap, old: "Part 1\n**Goal:** it works\n**Success Criteria:** tests",
		new: "Part 1\n**Goal:** it works", at: 3, says: "when it is done",
	},
	{
		rule: "roadmap.matches", document: Roadmap, old: "Phase 5: Part 5", new: "Phase 6: Part 5", at: 23,
		says: `phase 6 is not in the task; git brew phase add "Part 5" --id 6`,
	},
	{
		rule: "roadmap.twice", document: Roadmap, old: "## Phase 2:",
		new: "## Phase 01: Part 1\n**Goal:** x\n**Success Criteria:** y\n\n## Phase 2:", at: 8,
		says: "phase 01 stands in line 3, too",
	},
	{
		rule: "roadmap.titles", document: Roadmap, old: "Phase 5: Part 5", new: "Phase 5: Other", at: 23,
		says: `"Other" here`,
	},
	{
		rule: "roadmap.cycle", document: Roadmap, old: "tests\n**Depends on:** none\n\n## Phase 2",
		new: "tests\n**Depends on:** 1\n\n## Phase 2", at: 3, says: "each other: 1",
	},
	{
		rule: "roadmap.depends", document: Roadmap, old: "tests\n**Depends on:** none\n\n## Phase 2",
		new: "tests\n**Depends on:** Phase 9\n\n## Phase 2", at: 3, says: `phase 1 depends on "9", which is no phase`,
	},

	{
		rule: "plan.completion", document: Plan, old: "## Completion Criteria", new: "## A", at: 1,
		says: "Completion Criteria",
	},
	{
		rule: "plan.technology", document: Plan, old: "## Technology Choices", new: "## A", at: 1,
		says: "Technology Choices",
	},
	{
		rule: "plan.choices", document: Plan, old: "| RS256 |", new: "| - |", at: 10,
		says: "signing: no rejected alternatives",
	},
	{
		rule: "plan.choices", document: Plan, old: "| Choice | Decision | Rationale | Alternatives |\n|---|---|---|---|\n" +
			"| signing | HS256 | one service | RS256 |", new: "### signing\n**Why:** one service", at: 8,
		says: "signing: no rejected",
	},
	{rule: "plan.choices", document: Plan, old: "| Choice | Decision | Rationale | Alternatives |\n|---|---|---|---|\n" +
		"| signing | HS256 | one service | RS256 |", new: "HS256.", at: 6, says: "there is no rationale"},
	{rule: "plan.roles", document: Plan, old: "## Agents", new: "## A", at: 1, says: "Role Constraints"},
	{rule: "plan.registry", document: Plan, old: "## Phase Registry", new: "## A", change: func(s *Subject) {
		s.Phases = nil
		delete(s.Texts, Roadmap)
		delete(s.Texts, PlanName("1"))
	}, at: 1, says: "no phases"},
	{
		rule: "plan.matches", document: Plan, old: "| FR | Final review | reviewer | 5V |\n", new: "", at: 28,
		says: "phase FR Final review of the task is not in it",
	},
	{
		rule: "plan.twice", document: Plan, old: "| FR |", new: "| 5 | Part 5 | developer | |\n| FR |", at: 29,
		says: "phase 5 stands in line 27, too",
	},
	{
		rule: "plan.titles", document: Plan, old: "| Part 2 |", new: "| Other |", at: 21,
		says: `phase 2 is "Other" here, and "Part 2" in the task`,
	},
	{
		rule: "plan.agents", document: Plan, old: "| Verify 1 | reviewer |", new: "| Verify 1 | |", at: 20,
		says: "phase 1V has no agent",
	},
	{rule: "plan.depends", document: Plan, old: "reviewer | 5V |", new: "reviewer | 7 |", at: 29, says: `depends on "7"`},
	{
		rule: "plan.cycle", document: Plan, old: "| 1 | Part 1 | developer | |", new: "| 1 | Part 1 | developer | 1V |",
		at: 19, says: "each other: 1, 1V",
	},
	{rule: "plan.count", change: func(s *Subject) {
		for n := 6; n <= 13; n++ {
			s.Phases = append(s.Phases, Phase{ID: fmt.Sprint(n), Kind: Execution})
		}
	}, document: Plan, at: 15, says: "phases in the plan: 13; 5 to 12 are usual"},
	{rule: "plan.count", change: func(s *Subject) {
		s.Phases = slices.DeleteFunc(s.Phases, func(p Phase) bool { return p.Kind == Execution && p.ID != "1" })
	}, document: Plan, at: 15, says: "phases in the plan: 1; 5 to 12 are usual"},
	{rule: "plan.verification", change: func(s *Subject) {
		s.Phases = slices.DeleteFunc(s.Phases, func(p Phase) bool { return p.ID == "3V" })
	}, document: Plan, at: 15, says: "phase 3 has no verification 3V"},
	{rule: "plan.final-review", change: func(s *Subject) {
		s.Phases = slices.DeleteFunc(s.Phases, func(p Phase) bool { return p.ID == "FR" })
	}, document: Plan, at: 15, says: "no final review"},
	{
		rule: "plan.trace", document: Plan, old: "| logout |", new: "| log off |", at: 36,
		says: `the spec does not ask for "log off"`,
	},
	{rule: "plan.trace", document: Plan, old: "phase-04", new: "phase-40", at: 37, says: `"phase-40" is no phase`},

	{
		rule: "phase.phase", document: PlanName("1"), old: "phase: 1", new: "phase: 2", at: 3,
		says: "it names phase 2, and is the plan of 1",
	},
	{
		rule: "phase.depends", document: PlanName("1"), old: "depends_on: []", new: "depends_on: [2]", at: 4,
		says: "it depends on 2",
	},
	{
		rule: "phase.files", document: PlanName("1.1"), old: "modifies: [token.go]\n", new: "", at: 1,
		says: "it names no files",
	},
	{
		rule: "phase.paths", document: PlanName("1"), old: "phase: 1", new: "phase: 1\nmodifies: [../../etc/passwd]", at: 4,
		says: `"../../etc/passwd" is no path that counts: it leads out of the work tree`,
	},
	{
		rule: "phase.files", document: PlanName("1"), old: "**Files:** `token.go`",
		new: "**Files:** `token.go`, its tests and so on", at: 19,
		says: `"its tests and so on" is no path that counts: a path with blanks is put into backquotes`,
	},
	{rule: "phase.covers", document: PlanName("1"), old: "[FR-7]", new: "[FR-7, R9]", at: 6, says: `"R9"`},
	{
		rule: "phase.objective", document: PlanName("1"), old: "## Objective\nA model.", new: "## Objective", at: 10,
		says: "empty",
	},
	{rule: "phase.tasks", document: PlanName("1.1"), old: "## Tasks", new: "## A", at: 1, says: "Tasks"},
	{rule: "phase.exit", document: PlanName("1.1"), old: "## Exit Criteria", new: "## A", at: 1, says: "Exit Criteria"},
	{
		rule: "phase.task", document: PlanName("1"), old: "**Verify:** go test\n", new: "", at: 18,
		says: `"Task 1: the type" has no Verify`,
	},
	{
		rule: "phase.context-files", document: PlanName("1"), old: "## Context Files", new: "## A", at: 1,
		says: "Context Files",
	},
	{
		rule: "phase.review", document: PlanName("1V"), old: "## Files to Review", new: "## A", at: 1,
		says: "Files to Review",
	},
	{rule: "phase.checklist", document: PlanName("1V"), old: "- expiry", new: "", at: 9, says: "empty"},
	{rule: "phase.verdict", document: PlanName("1V"), old: "## Verdict", new: "## A", at: 1, says: "Verdict"},
	{rule: "phase.evidence", document: PlanName("1.1"), old: "The report.", new: "", at: 10, says: "empty"},

	{
		rule: "changelog.entries", document: Changelog, old: "- **Why:** b\n", new: "", at: 3,
		says: `"Today" does not say Why`,
	},

	{
		rule: "phase.worker", document: PlanName("1"), old: "## Role\ndeveloper\n\n## Context\n- token.go\n",
		new: "## Role\n", at: 1, says: "nothing under Role, References",
	},
	{
		rule: "task.requirements", document: Plan, old: "| R1 | phase-04 |\n", new: "", at: 0,
		says: "no phase covers R1, line 16 of the spec: tokens expire",
	},
	{rule: "task.coverage", change: func(s *Subject) {
		delete(s.Texts, Plan)
		delete(s.Texts, PlanName("1"))
	}, at: 0, says: "Covers: R1"},
	{rule: "task.documents", change: func(s *Subject) {
		s.Stage = stagePlan
		delete(s.Texts, Spec)
		delete(s.Texts, Context)
	}, at: 0, says: "the stage is plan, and there is no spec and no context"},
	{
		rule: "task.phase-plan", change: func(s *Subject) { s.Phases[2].Due = true }, at: 0,
		says: "git brew doc template phases/2/plan",
	},
	{rule: "task.cycle", change: func(s *Subject) {
		s.Phases[0].DependsOn = []string{"2"}
		s.Phases[2].DependsOn = []string{"1"}
	}, at: 0, says: "each other: 1, 1V, 2, 2V, 1.1"},
	{rule: "task.cycle", change: func(s *Subject) {
		s.Phases[0].DependsOn = []string{"2"}
		s.Phases[2].DependsOn = []string{"1V"}
	}, at: 0, says: "each other: 1, 1V, 2"},
	{rule: "task.cycle", change: func(s *Subject) {
		s.Phases[1].DependsOn = []string{"1", "2"}
		s.Phases[2].DependsOn = []string{"1"}
	}, at: 0, says: "each other: 1, 1V, 2"},
}

// BC-3, BC-4, BC-9, BC-13, BC-16, BC-18, BC-21, BC-22, BC-23, BC-24, SP-9, SP-15, SP-16:
// each rule finds what breaks it, at its line.
func TestCheck_eachRule(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{}
	for _, c := range broken {
		tried[c.rule] = true
		s := good()
		if c.old != "" {
			text := string(s.Texts[c.document])
			if !strings.Contains(text, c.old) {
				t.Fatalf("%s: %q is not in %s", c.rule, c.old, c.document)
			}
			s.Texts[c.document] = []byte(strings.ReplaceAll(text, c.old, c.new))
		}
		if c.change != nil {
			c.change(&s)
		}
		i := slices.IndexFunc(Check(s, "").Findings, func(f Finding) bool {
			return f.Rule == c.rule && f.Line == c.at && strings.Contains(f.Text, c.says) &&
				(c.document == "" || strings.HasPrefix(c.rule, "task.") || f.Document == c.document)
		})
		if i < 0 {
			t.Errorf("%s: not found at %s:%d: %q; found %+v", c.rule, c.document, c.at, c.says, Check(s, "").Findings)
		}
	}
	for _, rule := range Rules() {
		if !tried[rule.ID()] {
			t.Errorf("nothing breaks %s", rule.ID())
		}
	}
}

// BC-51: nothing waits for what belongs to a phase that is nowhere.
func TestStuck_BC51_ofNone(t *testing.T) {
	t.Parallel()
	verification := Phase{ID: "1V", Kind: Verification, Of: "1", DependsOn: []string{"2"}}
	if ids := stuck([]Phase{verification, {ID: "2", Kind: Execution, DependsOn: []string{"1"}}}); ids != nil {
		t.Errorf("%v", ids)
	}
}

// The vocabulary of others is understood: FEATURE.md, a README of a task.
func TestCheck_othersWords(t *testing.T) {
	t.Parallel()
	spec := "# Feature: Login\n\n## What This Is\nTokens.\n\n## Technical Requirements\n\n### Must Create\n" +
		"- [ ] a token\n- [ ] a check\n\n" +
		"## Scope\n\n**This Feature Includes:**\n- login\n- logout\n\n**This Feature Does NOT Include:**\n- sign-on\n\n" +
		"## Clarifications\nnone\n"
	s := Subject{Task: "t", Texts: map[string][]byte{Spec: []byte(spec)}}
	r := Check(s, "")
	if r.Errors() > 0 || len(r.Requirements) != 4 {
		t.Errorf("%+v\n%+v", r.Findings, r.Requirements)
	}
	table := "## Problem / Goal\nx\n## 2. Scope (agreed)\n| In scope | Out |\n|--|--|\n| a<br>b | c |\n" +
		"## Success Criteria\n- [ ] it works\n## User Notes\nx\n"
	r = Check(Subject{Texts: map[string][]byte{Spec: []byte(table)}}, "")
	if r.Errors() > 0 || len(r.Requirements) != 3 || r.Requirements[1].Text != "b" {
		t.Errorf("%+v\n%+v", r.Findings, r.Requirements)
	}
}

// Nothing in code or in a comment counts (BC-24).
func TestPlaceholders_BC24(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"{NAME} and {OTHER_NAME 2}":                     2,
		"`{NAME}` ``a ` {NAME}`` {LEFT}":                1,
		"<!-- {NAME} --> ${HOME} \\{NAME} {name} {A} {": 0,
		"<!-- {NAME}":  1,
		"`open {NAME}": 1, "``` {A1} `": 1, "{NA ME}{X1}": 2,
	} {
		if got := Placeholders(text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
	hits := Check(Subject{Texts: map[string][]byte{Research: []byte("# {TITLE}\n\n```\n{CODE}\n```\n\n    {CODE}\n\n" +
		"- `{CODE}`\n- a `{CO\n  DE}` {ITEM}\n\n<!--\n{COMMENT}\n-->\n\n| {HEAD} |\n|---|\n| `{CODE}` {CELL} |\n")}},
		Research)
	var lines []int
	for _, f := range hits.Findings {
		if f.Rule == "document.placeholder" {
			lines = append(lines, f.Line)
		}
	}
	if !slices.Equal(lines, []int{1, 11, 17, 19}) {
		t.Errorf("%v: %+v", lines, hits.Findings)
	}
}

// BC-2, BC-11: a template that was filled in keeps every rule.
func TestTemplates_BC2_BC11_filledInLackNothing(t *testing.T) {
	t.Parallel()
	s := good()
	for _, tmpl := range Templates() {
		name := map[string]string{
			TemplatePhase: PlanName("1"), TemplateVerification: PlanName("1V"),
			TemplateFix: PlanName("1.1"),
		}[tmpl]
		if name == "" {
			name = tmpl
		}
		before := good()
		if tmpl == Spec {
			delete(before.Texts, Plan) // it names what that spec asks for
			delete(before.Texts, PlanName("1"))
		}
		text := FillIn(TemplateText(tmpl), before, "Add JWT", name)
		for _, left := range Placeholders(strings.NewReplacer("`", "'").Replace(text)) {
			value := map[string]string{"{COVERS}": "FR-7", "{PHASES}": "1", "{DEPENDS_ON}": ""}[left]
			if value == "" {
				value = "filled"
			}
			text = strings.ReplaceAll(text, left, value)
		}
		if tmpl != Spec {
			before.Texts[name] = []byte(text)
		} else {
			before.Texts = map[string][]byte{Spec: []byte(text)}
		}
		if tmpl == PlanName("1") {
			continue
		}
		for _, f := range Check(before, name).Findings {
			t.Errorf("%s: %d: %s (%s)\n%s", tmpl, f.Line, f.Text, f.Rule, text)
		}
		if TemplateOf(s, name) != tmpl {
			t.Errorf("the template of %s is %s, want %s", name, TemplateOf(s, name), tmpl)
		}
	}
}
