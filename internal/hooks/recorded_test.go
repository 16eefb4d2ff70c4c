package hooks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/event"
)

// Every payload leaves an event of a type that a hook records, with no other fields than
// docs/using/record.md has.
func TestRecord_BW31_asTheRegistrySays(t *testing.T) {
	all := []string{"schema", "ts", "session", "correlation", "execution", "worktree", "task", "phase", "mode"}
	hooked := []string{"type", "hook", "agent_id", "agent", "decision", "reason", "hook_us"}
	page, err := os.ReadFile("../../docs/using/record.md")
	if err != nil {
		t.Fatal(err)
	}
	own := map[event.Type][]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, " | "); len(cells) == 3 {
			fields := strings.Fields(strings.NewReplacer("`", "", ",", "", "|", "").Replace(cells[2]))
			own[event.Type(strings.Trim(cells[0], "| `"))] = fields
		}
	}
	payloads, err := filepath.Glob(filepath.Join("testdata", "payloads", "*.json"))
	if err != nil || len(payloads) < 20 {
		t.Fatalf("%d payloads, %v", len(payloads), err)
	}
	for _, path := range payloads {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []Mode{ModeDiscussion, ModeImplementation} {
			brew := fakeWith(noTask, func(v *View) { v.Mode, v.Gated = mode, true })
			runEvent(t, brew, "", string(text))
			for _, e := range brew.records {
				// All that hooks record have a detail.
				if !slices.Contains(event.TypeNames(), string(e.Type)) || !slices.Contains(own[e.Type], "data.detail") {
					t.Errorf("%s: recorded as a %q", path, e.Type)
				}
				for _, f := range fieldsOf(t, e) {
					if !slices.Contains(all, f) && !slices.Contains(hooked, f) && !slices.Contains(own[e.Type], f) {
						t.Errorf("%s: a %s has %s, which docs/using/record.md does not say", path, e.Type, f)
					}
				}
			}
		}
	}
}

func fieldsOf(t *testing.T, e event.Event) []string {
	t.Helper()
	line, err := event.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(line, &fields); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range fields {
		if name != "data" {
			names = append(names, name)
		}
	}
	for name := range e.Data {
		names = append(names, "data."+name)
	}
	return names
}
