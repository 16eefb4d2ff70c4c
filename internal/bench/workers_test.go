package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// stories is how many phases the measured run of workers has.
const stories = 60

// What a story may cost the runner itself: ms of cpu, and MiB for all of them.
const (
	mustStory       = 50
	mustStoryMemory = 30
)

// runnersOwn has workers that do next to nothing carry out a list of stories, and tells what that
// costs 'git brew run' itself, without its children: only Linux says that of a process.
func (s *suite) runnersOwn() string {
	if runtime.GOOS != "linux" {
		return ""
	}
	dir := filepath.Join(s.work, "stories")
	s.git("", "init", "-q", "-b", "main", dir)
	s.git(dir, "commit", "-q", "--allow-empty", "-m", "Begin")
	agent := filepath.Join(s.work, "agent")
	s.write(agent, "#!/bin/sh\ncat >/dev/null\necho x >\"f$BREW_PHASE\"\ngit add -A\ngit commit -qm \"$BREW_PHASE\"\n"+
		"echo '<promise>COMPLETE</promise>'\n", 0o755)
	var tasks []map[string]any
	for i := range stories {
		tasks = append(tasks, map[string]any{
			"id": fmt.Sprintf("US-%d", i+1), "title": fmt.Sprintf("Story %d", i+1), "acceptanceCriteria": []string{"done"},
			"verification": []string{"true"}, "dependsOn": []string{}, "complexity": "junior",
		})
	}
	text, err := json.Marshal(map[string]any{"featureName": "Stories", "tasks": tasks})
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(filepath.Join(s.work, "prd.json"), string(text), 0o666)
	s.brewIn(dir, "create", "--prd", filepath.Join(s.work, "prd.json"))
	for _, tier := range []string{"junior", "senior", "executive"} {
		s.git(dir, "config", "brew.tier."+tier+".command", agent)
	}
	s.git(dir, "config", "brew.run.review", "off")
	cmd := s.command(dir, *program, "run", "--parallel", "3")
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	own, memory := watched(cmd.Process.Pid)
	if err := cmd.Wait(); err != nil {
		s.t.Fatal(err)
	}
	var base time.Duration
	const rounds = 50
	for range rounds {
		git := s.command(dir, "git", "rev-parse", "HEAD")
		s.done(git)
		base += git.ProcessState.UserTime() + git.ProcessState.SystemTime()
	}
	own, base = own/stories, base/rounds
	return fmt.Sprintf("`git brew run`, %d stories, 3 workers: %.0f ms of its own cpu a story (%d ms must hold; %.0fx that of "+
		"`git rev-parse HEAD`), %.0f MiB at most (%d must hold).\n", stories, millis(own), mustStory,
		float64(own)/float64(base), float64(memory)/1024, mustStoryMemory)
}

// watched waits until a child of this process has ended, and gives its own cpu, and the most memory
// that it was seen with, in KiB.
func watched(pid int) (cpu time.Duration, memory int64) {
	const tick = 10 * time.Millisecond
	for {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, rest, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 13 {
			return cpu, memory
		}
		cpu = 0
		for _, ticks := range fields[11:13] {
			n, _ := strconv.Atoi(ticks)
			cpu += time.Duration(n) * tick
		}
		if fields[0] == "Z" {
			return cpu, memory
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		for line := range strings.Lines(string(status)) {
			if size, is := strings.CutPrefix(line, "VmHWM:"); is {
				memory, _ = strconv.ParseInt(strings.Fields(size)[0], 10, 64)
			}
		}
		time.Sleep(tick)
	}
}

func (s *suite) write(path, text string, mode os.FileMode) {
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		s.t.Fatal(err)
	}
}
