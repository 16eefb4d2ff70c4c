package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/plugin"
)

// skillStep is one step of a skill, as an agent or its user takes it.
type skillStep struct {
	skill string
	// One of these is what is done: a command that is typed, with its text; what the user
	// says; an agent that is started, and ends; a file that is written and committed.
	types, text, says, agent, writes string
	// missed is what is said of it by the first command after it that refuses, where it was
	// left out; free says why none has to.
	missed, free string
}

func (s skillStep) String() string { return s.types + s.says + s.agent + s.writes }

const skillSpec = `# Add keys

## Goal

Tokens are signed with keys that rotate.

## Scope

| In | Out |
|---|---|
| rotation | storage |

## Original Requirements

- R1: a key is good for a day
- R2: an old token is refused
- R3: it is documented

## User Q&A

| # | Question | Answer |
|---|---|---|
| 1 | Which algorithm? | HMAC |

## Analysis

One package.

## Context Files

- README.md

## Risks

- clocks differ

## Decisions

- HMAC

## Research

One library.
`

const skillRoadmap = `# Roadmap of Add keys

## Phase 1: Token model

- **Goal:** a key has a day
- **Covers:** S1, R1
- **Success Criteria:** a test shows a key's end
- **Depends on:** none

## Phase 2: Refuse old tokens

- **Goal:** an old token is refused
- **Covers:** R2
- **Success Criteria:** a test shows it
- **Depends on:** Phase 1

## Phase 3: Words

- **Goal:** it is documented
- **Covers:** R3
- **Success Criteria:** the README says it
- **Depends on:** Phase 2
`

// ideaToEnd are the skills spec, research, plan and start for a task of three phases.
func ideaToEnd() []skillStep {
	const checked = "a check: it refuses, and nothing builds on it"
	steps := []skillStep{
		{skill: "spec", types: `git brew create "Add keys"`, missed: "no task"},
		{skill: "spec", types: "git brew start", missed: "pending"},
		{skill: "spec", types: `git brew question add "Which algorithm?"`, missed: "no question 1"},
		{skill: "spec", types: `git brew question resolve 1 -m "HMAC"`, missed: "leaves out the discussion"},
		{skill: "spec", types: "git brew doc set spec -", text: skillSpec, missed: "no document spec"},
		{skill: "spec", types: "git brew doc check spec", free: checked},
		{skill: "research", types: "git brew stage research", free: "the document counts, not the stage"},
		{
			skill: "research", types: "git brew doc set research -",
			text:   "# Research\n\n## Findings\n\nA library does it.\n\n## Sources\n\n- its manual\n",
			missed: "no document research",
		},
		{skill: "research", types: "git brew doc check research", free: checked},
		{skill: "plan", types: "git brew stage plan", free: "the roadmap counts, not the stage"},
		{skill: "plan", types: "git brew doc set roadmap -", text: skillRoadmap, missed: "no document roadmap"},
		{skill: "plan", types: "git brew phase add --from roadmap", missed: "no such phase"},
		{skill: "plan", types: "git brew doc check", free: checked},
		planOf("1"),
		{skill: "plan", types: "git brew doc check phases/1/plan", free: checked},
		{skill: "start", says: "make it so", missed: "discussion mode"},
	}
	for n := 1; n <= 3; n++ {
		id := fmt.Sprint(n)
		if n > 1 {
			steps = append(steps, planOf(id))
		}
		next := fmt.Sprintf("phase %s ", id)
		steps = append(steps,
			skillStep{skill: "start", types: "git brew phase start " + id, missed: next + "is pending"},
			skillStep{skill: "start", agent: "brew-developer", free: "who works alone owes no report"},
			skillStep{skill: "start", writes: "key" + id + ".go", free: "phase done and the review say what is not there"},
			skillStep{
				skill: "start", types: "git brew report " + id + " --agent developer -",
				text: "# Report\n\nIt was done.\n", missed: "1 report MISSING",
			},
			skillStep{skill: "start", types: "git brew report check " + id, free: checked},
			skillStep{skill: "start", types: "git brew phase done " + id, missed: "no phase is in review"},
			skillStep{skill: "review", types: "git brew phase review " + id, free: "it only looks"},
			skillStep{skill: "start", says: "approved phase " + id, missed: "in review"},
		)
	}
	return append(steps, skillStep{skill: "start", types: "git brew finish", missed: "the end"})
}

func planOf(id string) skillStep {
	text := "# Phase " + id + "\n\n## Objective\n\nOne step.\n\n## Tasks\n\n### Task 1: write\n\n- **Files:** key" + id +
		".go\n- **Action:** write it\n- **Verify:** look\n- **Done when:** it is there\n\n## Exit Criteria\n\n- it is there\n"
	step := skillStep{
		skill: "plan", types: "git brew doc set phases/" + id + "/plan -", text: text,
		missed: "leaves out the plan of phase " + id,
	}
	if id == "1" {
		step.missed = "no document phases/1/plan"
	}
	return step
}

// take does a step, as the client has it, and gives what refused it.
func (o *obedient) take(step skillStep) (refused string) {
	o.t.Helper()
	switch {
	case step.says != "":
		if said := o.says(step.says); strings.Contains(said, "not recorded") ||
			strings.Contains(said, "nothing was approved") {
			return "the user's word: " + said
		}
	case step.agent != "":
		call := map[string]any{
			"tool_name": "Agent", "tool_use_id": "u" + fmt.Sprint(len(o.told)),
			"tool_input": map[string]any{"subagent_type": step.agent, "description": "work", "prompt": "Do the phase."},
		}
		o.event("PreToolUse", call)
		o.event("SubagentStart", map[string]any{"agent_id": "a1", "agent_type": step.agent})
		call["tool_response"] = map[string]any{"status": "completed"}
		o.event("PostToolUse", call)
		o.note("agent: started %s", step.agent)
	case step.writes != "":
		o.tool("Write", map[string]any{"file_path": filepath.Join(o.repo, step.writes), "content": "package key\n"})
		if err := os.WriteFile(filepath.Join(o.repo, step.writes), []byte("package key\n"), 0o666); err != nil {
			o.t.Fatal(err)
		}
		o.git(o.repo, "add", ".")
		o.git(o.repo, "commit", "-q", "-m", "work")
	default:
		return o.tries(step.types, step.text)
	}
	return ""
}

// tries has the agent type a command, and gives what the gate or the command refused it by.
func (o *obedient) tries(command, text string) (refused string) {
	o.t.Helper()
	call := map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}}
	if text != "" {
		call["tool_input"] = map[string]any{"command": command + " <<'EOF'\n" + text + "EOF"}
	}
	if a := o.event("PreToolUse", call).Specific; a.Permission != "" {
		return a.Why
	}
	had := o.env
	o.env = append(slices.Clone(had), "CLAUDE_CODE_SESSION_ID="+agentSession)
	code, out, errs := o.run(o.repo, text, wordsTyped(command)...)
	o.env = had
	o.note("agent: %s\n%s%s", command, out, errs)
	call["tool_response"] = map[string]any{"stdout": out}
	o.event("PostToolUse", call)
	if code != 0 {
		return out + errs
	}
	return ""
}

func newSkillSession(t *testing.T) *obedient {
	t.Helper()
	o := &obedient{sequence: emptySequence(t), rejects: map[string]bool{}}
	o.event("SessionStart", map[string]any{"source": "startup"})
	return o
}

// BC-1, BC-3, BC-12, BC-14: a session that follows the skills, with the client's events
// between, takes an idea to a finished task of three phases, and nothing is refused.
func TestSkills_BC1_BC3_BC12_BC14_ideaToEnd(t *testing.T) {
	t.Parallel()
	o := newSkillSession(t)
	for _, step := range ideaToEnd() {
		if refused := o.take(step); refused != "" {
			o.fail("%s: %s: %s", step.skill, step, refused)
		}
		if stop := o.event("Stop", map[string]any{"stop_hook_active": false}); stop.Decision != "" &&
			!strings.Contains(stop.Reason, "git brew") {
			o.fail("kept without a way on: %s", stop.Reason)
		}
	}
	if out := o.must("", "status", "--json"); !strings.Contains(out, `"status": "finished"`) ||
		!strings.Contains(out, `"completed": 3`) {
		o.fail("not finished: %s", out)
	}
}

// Each step stands in its skill, and each that is left out is refused by a command after
// it, which says what is missing, before the end is reached.
func TestSkills_BW38_aStepLeftOutIsRefused(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for _, f := range plugin.InProject("") {
		if f.Kind() == plugin.Skills {
			texts[f.Name()] = string(f.Data)
		}
	}
	steps, root := ideaToEnd(), newRootCmd(&cli.Env{})
	for i, step := range steps {
		said := step.says
		if step.types != "" {
			cmd, _, err := root.Find(wordsTyped(step.types))
			if said = cmd.CommandPath() + " "; err != nil {
				t.Fatal(err)
			}
		}
		if said = strings.TrimRight(said, " 123"); !strings.Contains(texts[step.skill], said) {
			t.Errorf("skill %s does not say %s", step.skill, said)
		}
		if step.free != "" {
			continue
		}
		t.Run(fmt.Sprintf("%d %s", i, step), func(t *testing.T) {
			t.Parallel()
			o := newSkillSession(t)
			for _, other := range slices.Delete(slices.Clone(steps), i, i+1) {
				switch refused := o.take(other); {
				case refused == "":
				case !strings.Contains(refused, step.missed):
					o.fail("%s refuses, and does not say %q: %s", other, step.missed, refused)
				default:
					return
				}
			}
			if step.missed != "the end" || !strings.Contains(o.must("", "status", "--json"), `"status": "in_progress"`) {
				o.fail("nothing refused that it was left out")
			}
		})
	}
}

// A text that is left half done is refused by the command that keeps it, or by one after it,
// which says what it lacks.
func TestSkills_BW38_halfDoneTextsAreRefused(t *testing.T) {
	t.Parallel()
	steps := ideaToEnd()
	for i, step := range steps {
		if step.text == "" {
			continue
		}
		t.Run(step.types, func(t *testing.T) {
			t.Parallel()
			halfDone(t, steps, i, step.text+"\n{WHAT IT IS}\n", "{WHAT IT IS} is not filled in")
		})
	}
	roadmap := slices.IndexFunc(steps, func(s skillStep) bool { return s.text == skillRoadmap })
	one := strings.Replace(skillRoadmap, "- **Covers:** R2\n", "", 1)
	halfDone(t, steps, roadmap, one, "no phase covers R2")
	none := slices.DeleteFunc(strings.SplitAfter(skillRoadmap, "\n"), func(line string) bool {
		return strings.Contains(line, "Covers")
	})
	halfDone(t, steps, roadmap, strings.Join(none, ""), "nothing says which phase covers what the spec asks for")
}

// halfDone takes all steps, step i with another text, and no check: a command has to say want.
func halfDone(t *testing.T, steps []skillStep, i int, text, want string) {
	t.Helper()
	o := newSkillSession(t)
	steps = slices.Clone(steps)
	steps[i].text = text
	for _, step := range steps {
		if strings.Contains(step.types, "doc check") {
			continue
		}
		switch refused := o.take(step); {
		case refused == "":
		case strings.Contains(refused, want):
			return
		default:
			o.fail("%s: %s", step, refused)
		}
	}
	o.fail("nothing says %q", want)
}

// BR-7: a list of stories becomes a task with a phase for each, from an agent that writes no
// file; its mistakes are all told, and what it says comes back.
func TestSkills_BR7_storiesBecomeATask(t *testing.T) {
	t.Parallel()
	o := newSkillSession(t)
	const story = `{"featureName": "Sign in", "tasks": [{"id": "US-1", "title": "Create the form", ` +
		`"description": "With a field.", "acceptanceCriteria": ["a form is shown"], ` +
		`"verification": [{"type": "unit", "cmd": "go test ./form"}], "dependsOn": [], "complexity": "%s"}]}` + "\n"
	if refused := o.tries("git brew create --prd -", fmt.Sprintf(story, "wizard")); !strings.Contains(refused,
		"tasks[0].complexity") {
		t.Errorf("a mistake is not told: %s", refused)
	}
	if refused := o.tries("git brew create --prd -", fmt.Sprintf(story, "junior")); refused != "" {
		t.Fatal(refused)
	}
	if out := o.must("", "phase", "list", "--prd"); !strings.Contains(out, `"title": "Create the form"`) ||
		!strings.Contains(out, `"complexity": "junior"`) {
		t.Errorf("it comes back otherwise: %s", out)
	}
}

// BC-7, BW-37: three agents of one type are three reviewers, by the names that the skill
// gives them; each finds the work, and the board is READY when they say so, not before.
func TestSkills_BC7_BW37_threeReviewers(t *testing.T) {
	t.Parallel()
	o := newSkillSession(t)
	for _, command := range []string{
		`git brew create "Add keys"`, "git brew start", "git brew doc set plan -", "git brew doc set spec -",
	} {
		text := ""
		if strings.HasSuffix(command, " -") {
			text = "# Plan\n\nOne.\n"
		}
		if refused := o.tries(command, text); refused != "" {
			t.Fatal(refused)
		}
	}
	for i, name := range []string{"reviewer", "reviewer-2", "reviewer-3"} {
		if refused := o.tries("git brew remark tally plan", ""); i > 0 && refused == "" {
			t.Errorf("READY before %s spoke", name)
		}
		id := fmt.Sprintf("a%d", i)
		o.event("SubagentStart", map[string]any{"agent_id": id, "agent_type": "brew-reviewer"})
		if refused := o.tries("git brew remark confirm plan --reviewer "+name, ""); refused != "" {
			t.Errorf("%s: %s", name, refused)
		}
	}
	if refused := o.tries("git brew remark tally plan", ""); refused != "" {
		t.Errorf("not READY: %s", refused)
	}
}

// BC-17, BC-53: what brew-reviewer is told to type about a board works word for word, on a
// phase whose number is also a remark's, and on the final review.
func TestPlugin_BC17_BC53_reviewersTypeWhatTheyAreTold(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, f := range plugin.InProject("") {
		if f.Path == "agents/brew-reviewer.md" {
			lines = slices.DeleteFunc(typedIn(string(f.Data)), func(line string) bool {
				return !strings.HasPrefix(line, "git brew remark ") || strings.Contains(line, "tally")
			})
		}
	}
	if len(lines) < 4 {
		t.Fatalf("brew-reviewer types %q", lines)
	}
	for _, phase := range []string{"1", "FR"} {
		o := newObedient(t, nil, "Add keys", "--phase", "Model")
		o.types("git brew phase add Review --kind final-review", "")
		o.types("git brew start", "")
		o.says("make it so")
		o.types("git brew phase start 1", "")
		o.types("git brew phase done 1", "")
		if phase == "FR" {
			o.says("approved phase 1")
			o.types("git brew phase start FR", "")
			o.types("git brew phase done FR", "")
		}
		for i, line := range lines {
			name := "reviewer"
			if i > 0 {
				name = fmt.Sprintf("reviewer-%d", i+1)
			}
			o.event("SubagentStart", map[string]any{"agent_id": name, "agent_type": "brew-reviewer"})
			line = strings.NewReplacer(" N ", " "+phase+" ", "/N ", "/"+phase+" ", "NUMBER", "1", "FILE:LINE", "key.go:1",
				"--reviewer reviewer", "--reviewer "+name).Replace(line)
			if refused := o.tries(line, ""); refused != "" {
				o.fail("%s: %s", line, refused)
			}
		}
		o.tries("git brew remark tally "+phase, "")
		if want := fmt.Sprintf("reviewer-%d (ready)", len(lines)); !strings.Contains(o.told[len(o.told)-1], want) {
			o.fail("the last one's word is not on the board of %s", phase)
		}
		if n := o.next(); phase == "1" && !strings.Contains(n.Next.Ask, "its board is not READY: remark 1 is open. Is it") {
			o.fail("who approves it is not told: %+v", n)
		}
	}
}

// BC-42, BC-53: a report that is missing is the agent's to bring, and a fix is judged before
// the final review that it mends: next, the Stop hook and the user's word agree on it.
func TestNext_BC42_BC53_asksWhoCanGoOn(t *testing.T) {
	t.Parallel()
	o := newObedient(t, nil, "Add keys", "--phase", "Model")
	for _, line := range []string{
		"git brew phase add Review --kind final-review", "git brew phase edit 1 --agent developer", "git brew start",
	} {
		o.types(line, "")
	}
	o.says("make it so")
	o.types("git brew phase start 1", "")
	o.types("git brew phase done 1", "")
	n := o.next()
	if n.Next.Needs != "agent" || n.Next.Command != "git brew report 1 --agent developer -" {
		o.fail("the report is missing, and next says %+v", n.Next)
	}
	if o.event("Stop", nil).Decision != "block" {
		o.fail("the session is let go without its report")
	}
	o.types(n.Next.Command, "# Report\n\nDone.\n")
	o.says("approved phase 1")
	for _, line := range []string{"phase start FR", "phase done FR", "phase revise FR", "phase done FR.1"} {
		o.types("git brew "+line, "")
	}
	for _, want := range []string{"approved phase FR.1", "approved phase FR"} {
		if said := proposed(o, o.next().Next.Ask); said != want {
			o.fail("they are to say %q, want %q", said, want)
		}
		if said := o.says(want); !strings.Contains(said, "is recorded") {
			o.fail("%s: %s", want, said)
		}
	}
}
