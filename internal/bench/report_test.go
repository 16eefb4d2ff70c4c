package bench

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// What a hook may take, in MiB: must, aim.
const (
	mustMemory = 24
	aimMemory  = 16
)

// report is docs/reference/benchmarks.md.
func report(s *suite, rows []*row, runs int) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("# Benchmarks")
	p("")
	p("Written by `make bench`; do not edit. Whole processes, from before the start to after")
	p("the end, all rows in turn, %d rounds. A ratio compares medians of the same run: of the", runs)
	p("same thing in the small repository where a large one is measured, of `git rev-parse")
	p("HEAD` in the small repository otherwise. State changes are synced to the disk.")
	p("")
	p("- small: %d tasks, and hardly anything else", fewTasks)
	p("- 630,000 objects: the same beside %d commits, all objects, git brew's too, in one pack", bigCommits)
	p("- 10,000 tasks: the same beside %d tasks, each with a loose ref, %d entries of the", manyTasks, manyFacts)
	p("  project's knowledge, and %d events", manyEvents)
	p("")
	p("Machine: %s, %d processors, %s, %s/%s. %s, %s, %s. %s.", processor(), runtime.NumCPU(), kernel(), runtime.GOOS,
		runtime.GOARCH,
		firstLine(*program, "version"), firstLine("git", "--version"), runtime.Version(),
		time.Now().UTC().Format(time.DateOnly))
	p("")
	p("| what | repository | median ms | p95 ms | measured | must hold | aim | |")
	p("|---|---|--:|--:|--:|--:|--:|---|")
	for _, r := range rows {
		median, p95 := millis(r.quantile(0.5)), millis(r.quantile(0.95))
		measured, must, aim, verdict := "", "", "", ""
		unit := "x"
		if r.limitMS {
			unit = " ms"
		}
		switch {
		case r.limitMS:
			measured = fmt.Sprintf("%.0f ms", r.value())
		case r.against != nil:
			measured = fmt.Sprintf("%.2fx", r.value())
		}
		if r.must > 0 {
			must, aim, verdict = fmt.Sprintf("%g%s", r.must, unit), fmt.Sprintf("%g%s", r.aim, unit),
				judge(r.value(), r.must, r.aim)
		}
		p("| %s | %s | %.2f | %.2f | %s | %s | %s | %s |", r.what, r.repo, median, p95, measured, must, aim, verdict)
	}
	p("")
	p("| peak memory of | repository | MiB | must hold | aim | |")
	p("|---|---|--:|--:|--:|---|")
	for _, r := range rows {
		if !r.wantMemory {
			continue
		}
		size := float64(r.memory) / 1024
		must, aim, verdict := "", "", ""
		if strings.HasPrefix(r.what, "hook") {
			must, aim, verdict = fmt.Sprint(mustMemory), fmt.Sprint(aimMemory), judge(size, mustMemory, aimMemory)
		}
		p("| %s | %s | %.1f | %s | %s | %s |", r.what, r.repo, size, must, aim, verdict)
	}
	return b.String()
}

func judge(value, must, aim float64) string {
	switch {
	case value <= aim:
		return "aim met"
	case value <= must:
		return "holds"
	}
	return "**missed**"
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func firstLine(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return name + " unknown"
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

func kernel() string { return firstLine("uname", "-sr") }

func processor() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(data)) {
			if name, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(model)
			}
		}
	}
	return runtime.GOARCH
}
