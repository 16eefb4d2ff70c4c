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

// clientEvents are those that the client knows, as of 2.1.330.
const clientEvents = `SessionStart SessionEnd Setup UserPromptSubmit UserPromptExpansion PreToolUse PermissionRequest
	PermissionDenied PostToolUse PostToolUseFailure PostToolBatch Stop StopFailure SubagentStart SubagentStop PreCompact
	PostCompact Notification MessageDisplay TaskCreated TaskCompleted TeammateIdle InstructionsLoaded ConfigChange
	CwdChanged DirectoryAdded FileChanged WorktreeCreate WorktreeRemove PreModelSwitch PostModelSwitch Elicitation
	ElicitationResult`

// recordedOnce checks that a payload is recorded, once, by its name.
func recordedOnce(t *testing.T, name, payload string) {
	t.Helper()
	f := fakeWith()
	out := replay(t, f, payload)
	if out.Exit != 0 || out.Stderr != "" {
		t.Errorf("%s: exit %d, %s", name, out.Exit, out.Stderr)
	}
	if len(f.records) != 1 {
		t.Fatalf("%s: %d records", name, len(f.records))
	}
	r := f.records[0]
	if r.Hook != name || !slices.Contains(event.TypeNames(), string(r.Type)) || r.Session != sessionID || r.TS == 0 {
		t.Errorf("%s: %+v", name, r)
	}
}

func TestHandle_BW42_everyEventIsRecorded(t *testing.T) {
	known := strings.Fields(clientEvents)
	if len(known) != 33 {
		t.Fatalf("%d events", len(known))
	}
	for _, name := range append(known, "SomethingOf2031", "Ereignis-ä") {
		// With nothing in it but what every payload has; a sub-agent's type, for
		// without one it is the client's own summariser.
		recordedOnce(t, name, `{"hook_event_name":"`+name+`","session_id":"`+sessionID+
			`","agent_type":"developer","cwd":"/repo"}`)
	}
	files, err := filepath.Glob("testdata/payloads/*.json")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		base := filepath.Base(file)
		if strings.HasPrefix(base, "statusLine") || base == "SubagentStop.compaction.json" {
			continue
		}
		payload, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p map[string]any
		if err := json.Unmarshal(payload, &p); err != nil {
			t.Fatal(err)
		}
		p["session_id"] = sessionID
		if payload, err = json.Marshal(p); err != nil {
			t.Fatal(err)
		}
		name, _ := p["hook_event_name"].(string)
		seen[name] = true
		recordedOnce(t, name, string(payload))
	}
	if len(seen) < 31 {
		t.Errorf("payloads of %d events", len(seen))
	}
}

// What is no name of an event is still one line of a record.
func TestHandle_BW42_namesThatAreNone(t *testing.T) {
	for sent, want := range map[string]string{
		"a\u001b[31mb\n\u202ec":    "ab c",
		strings.Repeat("x", 5_000): strings.Repeat("x", 57) + "…",
		"pre-tool-use":             "PreToolUse",
		"pretooluse":               "PreToolUse",
		"STOP":                     "Stop",
	} {
		payload, err := json.Marshal(map[string]string{"hook_event_name": sent, "session_id": sessionID})
		if err != nil {
			t.Fatal(err)
		}
		f := fakeWith()
		replay(t, f, string(payload))
		if len(f.records) != 1 || f.records[0].Hook != want {
			t.Errorf("%q: %+v", sent, f.records)
		}
	}
}
