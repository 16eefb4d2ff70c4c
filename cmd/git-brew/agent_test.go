package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// agentProgram is what scripts have for a coding agent: a worker that does what a file
// says, a step a line. The file is $AGENT_DIR/PHASE, or PHASE.review, .decide or .look where it is
// asked for that; turns are parted by lines of dashes, and after the last one it does that again. What
// it was told is written to $AGENT_DIR/PHASE.N.prompt.
func agentProgram(args []string) int {
	if verb, is := strings.CutSuffix(args[0], "s"); is && len(args) == 2 { // in a script: waits, sleeps
		code, err := agentDoes(verb, args[1], nil)
		if err != nil {
			return agentFails(err)
		}
		return max(0, code)
	}
	prompt, err := io.ReadAll(os.Stdin)
	if err != nil {
		return agentFails(err)
	}
	if len(args) == 2 && strings.HasSuffix(args[1], ".md") { // what it is to do stands in a file, too
		file, err := os.ReadFile(args[1])
		if err == nil && string(file) != string(prompt) {
			err = errors.New("it has another text")
		}
		if err != nil {
			return agentFails(fmt.Errorf("%s is not the prompt: %w", args[1], err))
		}
	}
	name := filepath.Join(os.Getenv("AGENT_DIR"), os.Getenv("BREW_PHASE"))
	for _, asked := range []string{"review", "decide", "look"} {
		if os.Getenv("BREW_"+strings.ToUpper(asked)) != "" {
			name += "." + asked
		}
	}
	said, err := os.ReadFile(name)
	if err != nil {
		return agentFails(err)
	}
	n := 1
	for agentFile(name, n, "prompt", prompt) != nil { // of several, each takes a number
		n++
	}
	turns := strings.Split(string(said), "---\n")
	for step := range strings.Lines(turns[min(n, len(turns))-1]) {
		verb, rest, _ := strings.Cut(strings.TrimSpace(step), " ")
		switch code, err := agentDoes(verb, rest, args); {
		case err != nil:
			return agentFails(err)
		case code >= 0:
			return code
		}
	}
	return 0
}

func agentFails(err error) int {
	fmt.Fprintln(os.Stderr, "agent:", err)
	return 1
}

// agentFile writes a file that was not there.
func agentFile(name string, n int, kind string, data []byte) error {
	file, err := os.OpenFile(fmt.Sprintf("%s.%d.%s", name, n, kind), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.Write(data)
	return err
}

// agentDoes takes one step. A code of 0 or more ends the agent.
func agentDoes(verb, rest string, args []string) (code int, err error) {
	first, second, _ := strings.Cut(rest, " ")
	switch verb {
	case "":
	case "write":
		if err := os.MkdirAll(filepath.Dir(first), 0o777); err != nil {
			return -1, err
		}
		return -1, os.WriteFile(first, []byte(strings.ReplaceAll(second, `\n`, "\n")+"\n"), 0o666)
	case "remove":
		return -1, agentRemoves(first)
	case "link":
		return -1, os.Symlink(second, first)
	case "set":
		return -1, agentGit("config", first, second)
	case "git":
		return -1, agentGit(strings.Fields(rest)...)
	case "try": // git, whatever comes of it, which is written down
		return -1, agentTries(rest)
	case "environ":
		text := strings.Join(os.Environ(), "\n") + "\n"
		return -1, os.WriteFile(filepath.Join(os.Getenv("AGENT_DIR"), "env"), []byte(text), 0o666)
	case "commit": // all there is, and a file of its own, so that there is something
		name := "log-" + os.Getenv("BREW_PHASE")
		log, _ := os.ReadFile(name)
		if err := os.WriteFile(name, append(log, rest+"\n"...), 0o666); err != nil {
			return -1, err
		}
		if err := agentGit("add", "-A"); err != nil {
			return -1, err
		}
		return -1, agentGit("commit", "-q", "-m", rest)
	case "say":
		fmt.Println(strings.ReplaceAll(rest, `\n`, "\n"))
	case "tier":
		fmt.Println("I am a", args[0])
	case "complain":
		fmt.Fprintln(os.Stderr, rest)
	case "sleep":
		d, err := time.ParseDuration(rest)
		time.Sleep(d)
		return -1, err
	case "wait": // until a file is there
		for range 2000 {
			if _, err := os.Stat(rest); err == nil {
				return -1, nil
			}
			time.Sleep(10 * time.Millisecond)
		}
		return -1, fmt.Errorf("%s does not come", rest)
	case "decide": // as a supervisor: PHASE and what to say of it, with ID for the question's
		return -1, supervisorDecides(first, second)
	case "deaf":
		signal.Ignore(syscall.SIGTERM, os.Interrupt)
	case "flood": // megabytes
		n, err := strconv.Atoi(rest)
		line := strings.Repeat("x", 1023) + "\n"
		for range n << 10 {
			fmt.Print(line)
		}
		return -1, err
	case "fork": // something that writes a file after a time, unless it is ended
		return -1, exec.Command("sh", "-c", "sleep "+first+"; echo late > "+second, os.Getenv("AGENT_DIR")).Start()
	case "daemon": // fork, in a session of its own, without a parent
		cmd := exec.Command("sh", "-c", "setsid sh -c 'sleep "+first+"; echo late > "+second+"' & sleep 0.2")
		return -1, cmd.Run()
	case "orphan": // the keeper is killed, and who started it
		return -1, exec.Command("sh", "-c", "kill -9 $(ps -o ppid= -p "+strconv.Itoa(os.Getppid())+") "+
			strconv.Itoa(os.Getppid())).Run()
	case "exit":
		return strconv.Atoi(rest)
	default:
		return -1, fmt.Errorf("no step %q", verb)
	}
	return -1, nil
}

// agentRemoves takes files and directories away, by a pattern.
func agentRemoves(pattern string) error {
	names, err := filepath.Glob(pattern)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("there is no %s", pattern)
	}
	for _, name := range names {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}

// agentTries runs git, and adds to $AGENT_DIR/PHASE.tried what it was, how it ended, and what it said.
func agentTries(line string) error {
	err := agentGit(strings.Fields(line)...)
	text := fmt.Sprintf("%s: %v\n", line, err)
	if err == nil {
		text = line + ": went through\n"
	}
	name := filepath.Join(os.Getenv("AGENT_DIR"), os.Getenv("BREW_PHASE")+".tried")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString(text)
	return err
}

// supervisorDecides waits until a run asks about a phase, in $AGENT_DIR/events.jsonl, and
// writes the answer to $AGENT_DIR/decision.json. Each question is answered once.
func supervisorDecides(phase, answer string) error {
	dir := os.Getenv("AGENT_DIR")
	said := filepath.Join(dir, "decided")
	for range 2000 {
		answered, _ := os.ReadFile(said)
		events, _ := os.ReadFile(filepath.Join(dir, "events.jsonl"))
		for line := range bytes.Lines(events) {
			var e struct{ Event, Task, ID string }
			if json.Unmarshal(line, &e) != nil || e.Event != "decision_needed" || !strings.HasSuffix(e.Task, "/"+phase) ||
				bytes.Contains(answered, []byte(e.ID)) {
				continue
			}
			if err := os.WriteFile(said, append(answered, e.ID+"\n"...), 0o666); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "decision.json"), []byte(strings.ReplaceAll(answer, "ID", e.ID)), 0o666)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return errors.New("nothing is asked about phase " + phase)
}

func agentGit(args ...string) error {
	out, err := exec.Command("git", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}
