package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/cli"
)

// sequence is a repository in which the hooks of some sessions arrive, one after
// another, in this process. It has a task on its branch, and beside it a work
// tree that the client made for a sub-agent.
type sequence struct {
	t    *testing.T
	repo string
	env  []string
	now  time.Time
}

// sequenceStart is when every sequence begins.
var sequenceStart = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

func newSequence(t *testing.T) *sequence {
	t.Helper()
	s := emptySequence(t)
	s.must("", "create", "Add JWT auth", "--phase", "Token model")
	s.git(s.repo, "worktree", "add", "-q", "-b", "worktree-agent-x", ".claude/worktrees/agent-x")
	return s
}

// emptySequence has a repository of one commit, and no task.
func emptySequence(t *testing.T) *sequence {
	t.Helper()
	dir := t.TempDir()
	s := &sequence{
		t: t, repo: filepath.Join(dir, "repo"), now: sequenceStart,
		env: append(hermetic(dir), "PATH="+os.Getenv("PATH")),
	}
	if err := os.MkdirAll(filepath.Join(dir, "home"), 0o777); err != nil {
		t.Fatal(err)
	}
	s.git(dir, "init", "-q", "repo")
	s.git(s.repo, "commit", "-q", "--allow-empty", "-m", "first")
	return s
}

func (s *sequence) git(dir string, args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// at is the directory that a step names: "", agent, elsewhere.
func (s *sequence) at(place string) string {
	switch place {
	case "":
		return s.repo
	case "agent":
		return filepath.Join(s.repo, ".claude", "worktrees", "agent-x")
	}
	dir := filepath.Join(filepath.Dir(s.repo), place)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		s.t.Fatal(err)
	}
	return dir
}

func (s *sequence) getenv(name string) string {
	for _, pair := range s.env {
		if value, found := strings.CutPrefix(pair, name+"="); found {
			return value
		}
	}
	if name == "CLAUDE_PROJECT_DIR" {
		return s.repo
	}
	return ""
}

func (s *sequence) run(dir, stdin string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(s.t.Context(), args, &cli.Env{
		Machine: func() string { return "machine" },
		In:      strings.NewReader(stdin), Out: &o, Err: &e, Getenv: s.getenv, Environ: s.env,
		Now: func() time.Time { return s.now }, Dir: dir, Host: "laptop", User: "mara",
	})
	return code, o.String(), e.String()
}

func (s *sequence) must(session string, args ...string) string {
	s.t.Helper()
	if session != "" {
		args = append(args, "--session", session)
	}
	code, out, errs := s.run(s.repo, "", args...)
	if code != 0 {
		s.t.Fatalf("git brew %v: exit %d: %s", args, code, errs)
	}
	return out
}

// hook runs one hook: "s1 SessionStart source=startup"; "@agent" is where it
// runs. It reports whether the session was told of the task.
func (s *sequence) hook(step string) (told bool) {
	s.t.Helper()
	words := strings.Fields(step)
	payload := map[string]any{"session_id": words[0], "hook_event_name": words[1], "cwd": s.repo}
	for _, w := range words[2:] {
		if place, found := strings.CutPrefix(w, "@"); found {
			payload["cwd"] = s.at(place)
			continue
		}
		name, value, _ := strings.Cut(w, "=")
		payload[name] = strings.ReplaceAll(value, "_", " ")
	}
	data, err := json.Marshal(payload)
	if err != nil {
		s.t.Fatal(err)
	}
	cwd, _ := payload["cwd"].(string)
	code, out, errs := s.run(cwd, string(data), "hook")
	if code != 0 || errs != "" {
		s.t.Errorf("%s: exit %d, %s", step, code, errs)
	}
	return strings.Contains(out, "this work tree is on task add-jwt-auth")
}

// holder is the session that holds the task's lock: nobody (held by no session),
// or free.
func (s *sequence) holder() (holder, status string) {
	s.t.Helper()
	var v struct {
		Task struct{ Status string }
		Lock struct {
			State   string
			Session string `json:"session_id"`
		}
	}
	if err := json.Unmarshal([]byte(s.must("", "status", "add-jwt-auth", "--json")), &v); err != nil {
		s.t.Fatal(err)
	}
	switch {
	case v.Lock.State == "free":
		return "free", v.Task.Status
	case v.Lock.Session == "":
		return "nobody", v.Task.Status
	}
	return v.Lock.Session, v.Task.Status
}

// Each step is a hook, or a command of git brew in a session's shell, or a
// pause; "+" before a hook says that it tells of the task, and no other does.
// "= s1 paused" says who holds the lock by then, and the task's status where
// that is not in progress.
func TestHooks_S43_sequences(t *testing.T) {
	for name, steps := range map[string][]string{
		"a day, with a compaction": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "= s1",
			"s1 UserPromptSubmit prompt=make_it_so", "s1 PreToolUse tool_name=Read", "s1 PostToolUse tool_name=Read",
			"s1 PreCompact trigger=auto", "= s1 paused", "s1 SubagentStop agent_id=a0",
			"+s1 SessionStart source=compact", "= s1", "s1 PreToolUse tool_name=Edit", "s1 Stop", "= s1",
			"s1 SessionEnd reason=other", "= nobody",
		},
		"two compactions": {
			"s1 git-brew start", "+s1 SessionStart source=startup",
			"s1 PreCompact", "+s1 SessionStart source=compact", "pause", "s1 PreCompact", "+s1 SessionStart source=compact",
			"= s1",
		},
		"registered twice": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "s1 SessionStart source=startup", "= s1",
			"pause", "s1 PreCompact", "s1 PreCompact", "= s1 paused",
			"+s1 SessionStart source=compact", "s1 SessionStart source=compact", "= s1",
			"s1 SessionEnd", "s1 SessionEnd", "= nobody",
		},
		"a task that was started in a terminal": {
			"git-brew start", "= nobody", "+s1 SessionStart source=startup", "= s1",
		},
		"resumed": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "s1 SessionEnd reason=prompt_input_exit", "= nobody",
			"pause", "+s1 SessionStart source=resume", "= s1",
		},
		"resumed after a crash": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "pause", "+s1 SessionStart source=resume", "= s1",
		},
		"resumed at once": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "s1 SessionEnd", "+s1 SessionStart source=resume", "= s1",
			"s1 SessionEnd", "+s1 SessionStart source=resume", "= s1",
		},
		"cleared": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "s1 SessionEnd reason=clear", "= nobody",
			"+s2 SessionStart source=clear", "= s2", "s2 Stop", "= s2",
		},
		"cleared, the new session first": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "pause", "+s2 SessionStart source=clear", "= s1",
			"s1 SessionEnd reason=clear", "= s2", "s2 Stop", "= s2",
		},
		"cleared, and what is late of the old session": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "s1 SessionEnd reason=clear",
			"+s2 SessionStart source=clear",
			"s1 PostToolUse tool_name=Agent", "s1 Stop", "s1 SessionEnd reason=clear", "= s2",
		},
		"forked": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "pause", "+s2 SessionStart source=fork", "= s1",
			"s2 UserPromptSubmit prompt=hello", "s2 Stop", "s2 SessionEnd", "= s1", "s1 Stop", "= s1",
		},
		"two sessions in one work tree": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "+s2 SessionStart source=startup", "= s1",
			"s2 PreCompact", "= s1", "+s2 SessionStart source=compact", "s2 Stop", "= s1", "s2 SessionEnd", "= s1",
			"s1 SessionEnd", "= nobody", "+s3 SessionStart source=startup", "= s3",
		},
		"two clear themselves at once, and nobody can say who is whose": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "+s2 SessionStart source=startup", "pause",
			"+s3 SessionStart source=clear", "+s4 SessionStart source=clear", "s1 SessionEnd reason=clear", "= nobody",
			"s2 SessionEnd reason=clear", "= nobody",
		},
		"a second session clears itself": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "+s2 SessionStart source=startup",
			"s2 SessionEnd reason=clear", "+s3 SessionStart source=clear", "= s1",
		},
		"a sub-agent in its own work tree": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "s1 PreToolUse tool_name=Agent",
			"s1 SubagentStart agent_id=a1 agent_type=developer @agent", "s1 PreToolUse agent_id=a1 tool_name=Read @agent",
			"s1 PostToolUse agent_id=a1 tool_name=Read @agent", "s1 Stop agent_id=a1 @agent",
			"s1 SubagentStop agent_id=a1 agent_type=developer @agent",
			"s1 PostToolUse tool_name=Agent", "= s1", "s1 Stop", "= s1", "s1 SessionEnd", "= nobody",
		},
		"a session of the sub-agent's work tree": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "+s2 SessionStart source=startup @agent", "= s1",
			"s2 Stop @agent", "s2 SessionEnd @agent", "= s1",
		},
		"it ends somewhere else": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "s1 PreToolUse tool_name=Read @elsewhere",
			"s1 PreCompact @elsewhere", "= s1 paused", "+s1 SessionStart source=compact @elsewhere", "= s1",
			"s1 SessionEnd @elsewhere", "= nobody", "+s2 SessionStart source=startup", "= s2",
		},
		"it ends on another branch": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "git switch -q main", "s1 SessionEnd", "= nobody",
			"git switch -q feature/add-jwt-auth", "+s2 SessionStart source=startup", "= s2",
		},
		"out of order around a compaction": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "pause", "+s1 SessionStart source=compact", "s1 PreCompact",
			"= s1 paused",
			"pause", "+s1 SessionStart source=compact", "= s1",
		},
		"out of order around an end": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "s1 SessionEnd", "s1 PostToolUse tool_name=Bash",
			"s1 SubagentStop agent_type=x", "= nobody",
			"+s2 SessionStart source=startup", "= s2", "s1 Stop", "s1 Notification", "= s2",
		},
		"the end of a session that nobody saw": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "s9 SessionEnd", "s9 PreCompact", "= s1",
		},
		"events before the start": {
			"s1 git-brew start", "s1 PreToolUse tool_name=Read", "s1 UserPromptSubmit prompt=hello",
			"+s1 SessionStart source=startup", "= s1",
		},
		"a source that is new": {
			"s1 git-brew start", "+s1 SessionStart source=teleport", "= s1",
		},
		"a task that ended": {
			"s1 git-brew start", "+s1 SessionStart source=startup", "s1 git-brew finish --status cancelled", "= free cancelled",
			"s1 Stop", "s1 PreCompact", "+s1 SessionStart source=compact", "s1 SessionEnd", "= free cancelled",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSequence(t)
			for _, step := range steps {
				s.step(step)
			}
		})
	}
}

func (s *sequence) step(step string) {
	s.t.Helper()
	s.now = s.now.Add(100 * time.Millisecond)
	words := strings.Fields(step)
	switch {
	case step == "pause":
		s.now = s.now.Add(time.Minute)
	case words[0] == "=":
		want := append(words[1:], "in_progress")[:2]
		if holder, status := s.holder(); holder != want[0] || status != want[1] {
			s.t.Errorf("the lock is held by %s, and the task is %s; want %s and %s", holder, status, want[0], want[1])
		}
	case words[0] == "git":
		s.git(s.repo, words[1:]...)
	case words[0] == "git-brew":
		s.must("", words[1:]...)
	case len(words) > 1 && words[1] == "git-brew":
		s.must(words[0], words[2:]...)
	default:
		hook, want := strings.CutPrefix(step, "+")
		if told := s.hook(hook); told != want {
			s.t.Errorf("%s: told of the task: %v", step, told)
		}
	}
}
