package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// obedient is a session in which the agent types exactly what it is told, and the user
// says only what is proposed. Every call of a tool passes the hooks, as the client has
// it: what they refuse, or ask about, fails the test.
type obedient struct {
	*sequence
	// answers is what the user says to a question, rejects the phases that they send
	// back at first.
	rejects map[string]bool
	told    []string
}

const agentSession = "s1"

func newObedient(t *testing.T, files map[string]string, create ...string) *obedient {
	t.Helper()
	s := emptySequence(t)
	dir := filepath.Dir(s.repo)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for i, arg := range create {
			if arg == name {
				create[i] = filepath.Join(dir, name)
			}
		}
	}
	s.must("", append([]string{"create"}, create...)...)
	o := &obedient{sequence: s, rejects: map[string]bool{}}
	o.event("SessionStart", map[string]any{"source": "startup"})
	return o
}

// event sends one hook of the session, and gives its answer.
func (o *obedient) event(name string, fields map[string]any) hookAnswer {
	o.t.Helper()
	payload := map[string]any{"session_id": agentSession, "hook_event_name": name, "cwd": o.repo}
	for k, v := range fields {
		payload[k] = v
	}
	data, err := json.Marshal(payload)
	if err != nil {
		o.t.Fatal(err)
	}
	code, out, errs := o.run(o.repo, string(data), "hook")
	if code != 0 || errs != "" {
		o.fail("%s: exit %d, %s", name, code, errs)
	}
	var answer hookAnswer
	if out != "" {
		if err := json.Unmarshal([]byte(out), &answer); err != nil && name != "PreCompact" {
			o.fail("%s: %v in %s", name, err, out)
		}
	}
	return answer
}

type hookAnswer struct {
	Decision string
	Reason   string
	Specific struct {
		Permission string `json:"permissionDecision"`
		Why        string `json:"permissionDecisionReason"`
		Context    string `json:"additionalContext"`
	} `json:"hookSpecificOutput"`
}

func (o *obedient) fail(format string, args ...any) {
	o.t.Helper()
	o.t.Fatalf("%s\n\n%s", fmt.Sprintf(format, args...), strings.Join(o.told[max(0, len(o.told)-12):], "\n"))
}

func (o *obedient) note(format string, args ...any) {
	o.told = append(o.told, fmt.Sprintf(format, args...))
}

// tool makes one call of a tool, which the gate has to let pass.
func (o *obedient) tool(name string, input map[string]any) {
	o.t.Helper()
	if a := o.event("PreToolUse", map[string]any{"tool_name": name, "tool_input": input}); a.Specific.Permission != "" {
		o.fail("%s %v: %s: %s", name, input, a.Specific.Permission, a.Specific.Why)
	}
}

// types has the agent type a command. One that ends with - gets the text that it is
// for as a here-document.
func (o *obedient) types(command, text string) string {
	o.t.Helper()
	typed := command
	if strings.HasSuffix(command, " -") {
		typed += " <<'EOF'\n" + text + "EOF"
	}
	o.tool("Bash", map[string]any{"command": typed})
	var words []string
	for _, word := range strings.Fields(strings.TrimPrefix(command, "git brew ")) {
		words = append(words, strings.Trim(word, "'\""))
	}
	had := o.env
	o.env = append(slices.Clone(had), "CLAUDE_CODE_SESSION_ID="+agentSession)
	code, out, errs := o.run(o.repo, text, words...)
	o.env = had
	o.note("agent: %s\n%s%s", command, out, errs)
	if code != 0 {
		o.fail("%s: exit %d: %s", command, code, errs)
	}
	o.event("PostToolUse", map[string]any{
		"tool_name": "Bash", "tool_input": map[string]any{"command": typed},
		"tool_response": map[string]any{"stdout": out},
	})
	return out
}

// says is a prompt of the user's.
func (o *obedient) says(prompt string) string {
	o.t.Helper()
	o.note("user: %s", prompt)
	context := o.event("UserPromptSubmit", map[string]any{"prompt": prompt}).Specific.Context
	o.note("hook: %s", context)
	return context
}

// nextAsked is what `next --json` says to the agent.
type nextAsked struct {
	Next struct {
		Step, Phase, Command, Needs, Ask string
	}
	Task string
}

func (o *obedient) next() nextAsked {
	o.t.Helper()
	var n nextAsked
	if err := json.Unmarshal([]byte(o.must(agentSession, "next", "--json")), &n); err != nil {
		o.fail("%v", err)
	}
	o.note("next: %+v", n.Next)
	return n
}

// texts are what an agent writes where a text is asked for.
func textFor(command string) string {
	switch {
	case strings.Contains(command, "doc set spec"):
		return "# Keys\n\nTokens are signed with keys that rotate every day.\n"
	case strings.Contains(command, "doc set roadmap"):
		return "# Roadmap\n\n## Phase 1: Token model\n\nGoal: a token can be parsed.\n\n## Phase 2: Login\n\n" +
			"Goal: who logs in gets a token.\n\nDepends on: Phase 1\n"
	case strings.Contains(command, "/plan"):
		return "# Plan\n\n## Objective\n\nOne step of the work.\n\n## Tasks\n\n1. Write main.go.\n"
	case strings.Contains(command, "report"):
		return "# Report\n\nIt was done, and looked at.\n"
	}
	return "# Found\n\nA library does it.\n"
}

// goOn lets the session run until it is done, and gives how many turns of the user it
// took. No state is met twice between two of them.
func (o *obedient) goOn() (turns int) {
	o.t.Helper()
	for range 80 {
		n := o.next()
		stopped := o.event("Stop", map[string]any{"stop_hook_active": false})
		switch {
		case n.Next.Step == "done":
			if stopped.Decision != "" {
				o.fail("a session whose task has ended is kept: %s", stopped.Reason)
			}
			return turns
		case n.Next.Needs == "user":
			if stopped.Decision != "" {
				o.fail("the user is asked, and the session is kept: %s", stopped.Reason)
			}
			turns++
			o.answer(n)
		case n.Next.Needs == "agent" && n.Next.Command != "":
			if stopped.Decision != "" && !strings.Contains(stopped.Reason, n.Next.Command) {
				o.fail("kept for %q, and next says %q", stopped.Reason, n.Next.Command)
			}
			o.work(n)
		default:
			o.fail("nobody is asked: %+v", n)
		}
	}
	o.fail("no end")
	return 0
}

// work is the agent's turn.
func (o *obedient) work(n nextAsked) {
	o.t.Helper()
	if n.Next.Step == "execute" && strings.Contains(n.Next.Command, "done") ||
		strings.HasSuffix(n.Next.Command, "finish") {
		name := fmt.Sprintf("main%d.go", len(o.told))
		o.tool("Write", map[string]any{"file_path": filepath.Join(o.repo, name), "content": "package main\n"})
		if err := os.WriteFile(filepath.Join(o.repo, name), []byte("package main\n"), 0o666); err != nil {
			o.t.Fatal(err)
		}
		o.tool("Bash", map[string]any{"command": "git add . && git commit -m work"})
		o.git(o.repo, "add", ".")
		o.git(o.repo, "commit", "-q", "-m", "work")
	}
	o.types(n.Next.Command, textFor(n.Next.Command))
}

// answer is the user's turn, and what the agent makes of it.
func (o *obedient) answer(n nextAsked) {
	o.t.Helper()
	switch ask := n.Next.Ask; {
	case n.Next.Step == "review" && strings.Contains(n.Next.Command, "phase review") && o.rejects[n.Next.Phase]:
		delete(o.rejects, n.Next.Phase)
		o.must("", "phase", "reject", n.Next.Phase, "-m", "a test is missing")
	case n.Next.Step == "review" && strings.Contains(n.Next.Command, "phase review"):
		o.types(n.Next.Command, "")
		o.says(proposed(o, ask))
	case strings.Contains(ask, "They agree with"):
		o.says(proposed(o, ask))
	case n.Next.Command == "git brew trust list":
		o.types(n.Next.Command, "")
		for line := range strings.Lines(o.must("", "trust", "list", "--porcelain")) {
			o.must("", "trust", "add", strings.Fields(line)[0])
		}
	case n.Next.Step == "clarify" && strings.Contains(n.Next.Command, "question list"):
		out := o.types(n.Next.Command, "")
		_, hint, found := strings.Cut(out, "next: ")
		if !found {
			o.fail("nothing says how an answer is kept: %s", out)
		}
		o.says("Cookies.")
		o.types(strings.ReplaceAll(strings.TrimSpace(hint), "ANSWER", "cookies"), "")
	case strings.HasSuffix(n.Next.Command, " -"):
		o.says("Keys that rotate.")
		o.types(n.Next.Command, textFor(n.Next.Command))
	case n.Next.Command != "":
		o.says("Yes.")
		o.types(n.Next.Command, textFor(n.Next.Command))
	default:
		o.fail("the user can't answer %q", ask)
	}
}

// proposed is what the user is told to say.
func proposed(o *obedient, ask string) string {
	o.t.Helper()
	_, rest, found := strings.Cut(ask, "They agree with '")
	phrase, _, closed := strings.Cut(rest, "'")
	if !found || !closed {
		o.fail("nothing is proposed in %q", ask)
	}
	return phrase
}

const specdacularRoadmap = `# Roadmap: Keys

## Phases

### Phase 1: Token model

**Goal:** A token can be parsed.
**Dependencies:** None

### Phase 2: Login

**Goal:** Who logs in gets a token.
**Dependencies:** Phase 1 complete
`

// TestFlow_BC47_BC70_SP3_obedientSession: an agent that types what next, hooks and hints
// tell it, and a user who says what is proposed, bring a task to its end without a
// refusal, a loop, or a word that nobody told them.
func TestFlow_BC47_BC70_SP3_obedientSession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files  map[string]string
		create []string
		begin  func(o *obedient)
		phases int
	}{
		"without phases": {create: []string{"Fix the typo"}},
		"three phases": {
			create: []string{"Add keys", "--phase", "Model", "--phase", "Login", "--phase", "Docs"},
			begin:  func(o *obedient) { o.rejects["2"] = true }, phases: 4,
		},
		"from a question": {create: []string{"Add keys"}, begin: func(o *obedient) {
			o.types("git brew question add Which", "")
		}, phases: 2},
		"from research": {create: []string{"Add keys"}, begin: func(o *obedient) {
			o.types("git brew start", "")
			o.types("git brew stage research", "")
		}, phases: 2},
		"from a spec": {
			files:  map[string]string{"spec.md": "# Keys\n\nKeys rotate.\n"},
			create: []string{"Add keys", "--spec", "spec.md"}, phases: 2,
		},
		"a roadmap of Specdacular": {create: []string{"Add keys"}, begin: func(o *obedient) {
			o.types("git brew doc set roadmap -", specdacularRoadmap)
		}, phases: 2},
		"phases in parallel": {
			create: []string{"Add keys", "--phase", "Model", "--phase", "Login", "--phase", "Docs"},
			begin: func(o *obedient) {
				o.types("git brew start", "")
				o.says("make it so")
				o.types("git brew phase start 1", "")
				o.types("git brew phase start 2", "")
			}, phases: 3,
		},
		"a phase that is verified": {create: []string{"Add keys", "--phase", "Model"}, begin: func(o *obedient) {
			o.types("git brew phase add Try --kind verification --of 1", "")
			o.types("git brew phase edit 1 --verify true", "")
		}, phases: 2},
		"a final review": {create: []string{"Add keys", "--phase", "Model"}, begin: func(o *obedient) {
			o.types("git brew phase add Review --kind final-review", "")
		}, phases: 2},
		"research for a phase": {create: []string{"Add keys", "--phase", "Model"}, begin: func(o *obedient) {
			o.types("git brew phase add Why --kind research --of 1", "")
		}, phases: 2},
		"paused in between": {create: []string{"Add keys", "--phase", "Model"}, begin: func(o *obedient) {
			o.types("git brew start", "")
			o.types("git brew pause -m lunch", "")
		}, phases: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newObedient(t, c.files, c.create...)
			if c.begin != nil {
				c.begin(o)
			}
			o.goOn()
			var v struct {
				Task   struct{ Status string }
				Phases struct{ Total, Completed int }
			}
			if err := json.Unmarshal([]byte(o.must("", "status", "--json")), &v); err != nil {
				t.Fatal(err)
			}
			if v.Task.Status != "finished" || v.Phases.Total != c.phases || v.Phases.Completed != c.phases {
				o.fail("%+v, want %d phases", v, c.phases)
			}
		})
	}
}
