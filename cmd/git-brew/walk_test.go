package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// walkPage has a task's whole way, as a terminal shows it.
const walkPage = "docs/using/workflow.md"

// walkSlug is the task's, whose id ends with walkTail on the page: the real tail
// is drawn.
const (
	walkSlug = "add-jwt-auth"
	walkTail = "k3v9q2m"
)

// walkID is a task's id, with its tail.
const walkID = walkSlug + "-" + walkTail

// TestWalk types what the page's console blocks have behind "$ ", with the lines
// behind "> " that belong to it, and compares what is printed with the page. All
// of it happens in one repository, some minutes between one command and the next.
func TestWalk(t *testing.T) {
	path := filepath.Join("..", "..", walkPage)
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w := &walk{rig: newRig(t), now: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)}
	got := w.page(string(page))
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := strings.Split(string(page), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("%s, line %d: the program prints %q; go test ./cmd/git-brew -run TestWalk -update", walkPage, i+1, line)
		}
	}
}

// walk runs the commands of a page.
type walk struct {
	*rig
	now time.Time
	id  string // of the task; "" until a command wants it
}

// page returns the page with what its commands print now.
func (w *walk) page(text string) string {
	var out strings.Builder
	inside, typed, prompted := false, "", ""
	flush := func() {
		if typed != "" {
			out.WriteString(prompted + w.types(typed))
		}
		typed, prompted = "", ""
	}
	for line := range strings.Lines(text) {
		switch {
		case line == "```console\n":
			inside = true
			out.WriteString(line)
		case inside && line == "```\n":
			flush()
			inside = false
			out.WriteString(line)
		case !inside:
			out.WriteString(line)
		case strings.HasPrefix(line, "$ "):
			flush()
			typed, prompted = line[2:], line
		case typed != "" && strings.HasPrefix(line, ">"):
			typed += strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")
			prompted += line
		}
	}
	return out.String()
}

// types runs one command, and returns what the terminal shows of it.
func (w *walk) types(command string) string {
	w.t.Helper()
	w.now = w.now.Add(7 * time.Minute)
	at := w.now.Format(time.RFC3339)
	w.env = append(w.env, "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at, clockVariable+"="+at)
	tail := regexp.MustCompile(regexp.QuoteMeta(walkSlug) + "-[a-z0-9]{7}")
	if w.id == "" && strings.Contains(command, walkID) {
		w.id = tail.FindString(w.must("git-brew", "status", "--porcelain"))
	}
	// One stream, as a terminal has it: what is said first comes first.
	shown := w.run("sh", "-c", "exec 2>&1\n"+strings.ReplaceAll(command, walkID, w.id)).stdout
	if shown != "" && !strings.HasSuffix(shown, "\n") {
		shown += "\n"
	}
	// as long as a command took
	shown = regexp.MustCompile(`\b\d+\.\d s\b`).ReplaceAllString(shown, "0.0 s")
	// operations are named at random
	shown = regexp.MustCompile(`(git brew undo )[0-9a-f]{7}\b`).ReplaceAllString(shown, "${1}4f1c2aa")
	return tail.ReplaceAllString(shown, walkID)
}
