package hooks

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
)

var update = flag.Bool("update", false, "rewrite the golden answers")

// situations are what every recorded payload is replayed in.
var situations = []struct {
	name string
	view func(*View)
}{
	{"no-task", noTask},
	{"holder", func(*View) {}},
	{"discussion", discussing},
	{"other-session", foreign},
	{"unbound", unbound},
	{"paused", compacting},
	{"terminal", stands(task.Finished)},
	{"lost", lostLock},
}

// TestGolden replays every payload recorded from the client, for every
// situation. No golden file means: no answer.
func TestGolden_S41_everyPayload(t *testing.T) {
	files, err := filepath.Glob("testdata/payloads/*.json")
	if err != nil || len(files) < 80 {
		t.Fatalf("%d payloads, %v", len(files), err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		payload, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var head struct {
			Event string `json:"hook_event_name"`
		}
		if err := json.Unmarshal(payload, &head); err != nil {
			t.Fatal(err)
		}
		for _, s := range situations {
			name := strings.TrimSuffix(filepath.Base(file), ".json") + "." + s.name
			golden := filepath.Join("testdata/golden", name+".json")
			seen[golden] = true
			t.Run(name, func(t *testing.T) {
				out := replay(t, fakeWith(s.view), string(payload))
				if out.Exit != 0 || out.Stderr != "" {
					t.Fatalf("exit %d, %s", out.Exit, out.Stderr)
				}
				if err := checkAnswer(head.Event, out.Stdout); err != nil {
					t.Error(err)
				}
				compareGolden(t, golden, out.Stdout)
			})
		}
	}
	stored, _ := filepath.Glob("testdata/golden/*.json")
	for _, file := range stored {
		if !seen[file] {
			t.Errorf("%s belongs to no payload", file)
		}
	}
}

func compareGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if len(got) == 0 {
			_ = os.Remove(file)
		} else if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("answer\n%s\nwant\n%s", got, want)
	}
}
