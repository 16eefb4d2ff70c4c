//go:build unix

package run

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/task"
)

// A pipe or a link in the place of a supervisor's file is neither waited for nor written
// through, and is told once (BR-29).
func TestFiles_BR29_plainFilesOnly(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(at("events"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("precious"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(at("precious"), at("status.new")); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	f := files{events: at("events"), status: at("status"), live: at("live")}
	f.note(Event{Kind: Began}, now)
	f.stands(Standing{Total: 1}, now)
	if got := f.untold(); !strings.Contains(got, "run.eventsFile is left out: ") || f.untold() != "" {
		t.Errorf("told %q", got)
	}
	f.events = at("link")
	if err := os.Symlink(at("precious"), f.events); err != nil {
		t.Fatal(err)
	}
	f.note(Event{Kind: Began}, now)
	f.stands(Standing{Total: 2}, now)
	if data, _ := os.ReadFile(at("precious")); string(data) != "mine" {
		t.Errorf("it was written through a link: %q", data)
	}
	for _, name := range []string{"status", "live"} {
		if data, _ := os.ReadFile(at(name)); !strings.Contains(string(data), `"total":2`) {
			t.Errorf("the %s is %q", name, data)
		}
	}
	f.events = at("plain")
	f.note(Event{Kind: Began}, now)
	f.note(Event{Kind: Ended}, now)
	if data, _ := os.ReadFile(f.events); strings.Count(string(data), "\n") != 2 {
		t.Errorf("the events are %q", data)
	}
}

// What a supervisor reads has the fields that Brigade writes, with its values; a number of nothing
// is written, too, and whatever stands in a text, a line is JSON (BR-33, BR-34).
func TestFiles_BR34_fields(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	f := files{events: filepath.Join(t.TempDir(), "events"), title: "a\n\"b", prefix: "shop", began: now}
	p := task.Phase{UID: "1", ID: "US-1"}
	review := task.Turn{By: task.ByReview, Outcome: task.TurnRejected, Reason: "no\x00 tests"}
	for _, e := range []Event{
		{Kind: Began},
		{Kind: Escalated, Phase: p, From: task.TierJunior, Tier: task.TierSenior},
		{Kind: Turned, Phase: p, Turn: task.Turn{Outcome: task.TurnAbsorbed, Reason: "by phase US-2"}},
		{Kind: Turned, Phase: p, Turn: review},
		{Kind: Turned, Phase: p, Turn: task.Turn{By: task.ByChecks, Outcome: task.TurnRejected}},
		{Kind: Slow, Phase: p, For: 12 * time.Minute},
		{Kind: Asked, Phase: p, Tier: task.TierExecutive, Text: "blocked", Decision: "d1"},
		{Kind: Decided, Phase: p, Decision: "d1", Action: "retry"},
		{Kind: Completed, Phase: p},
		{Kind: Ended},
	} {
		f.note(e, now)
	}
	var want strings.Builder
	for _, rest := range []string{
		`"service_start","prd":"a\n\"b","total":0`,
		`"escalation","prd":"a\n\"b","task":"shop/US-1","worker":"senior","from":"junior","to":"senior"`,
		`"task_absorbed","prd":"a\n\"b","task":"shop/US-1","absorbed_by":"shop/US-2","result":"absorbed","reason":"by phase US-2"`,
		`"review","prd":"a\n\"b","task":"shop/US-1","result":"FAIL","reason":"no\u0000 tests"`,
		`"verification","prd":"a\n\"b","task":"shop/US-1","result":"failed"`,
		`"task_slow","prd":"a\n\"b","task":"shop/US-1","elapsed":12,"expected":10`,
		`"decision_needed","prd":"a\n\"b","task":"shop/US-1","worker":"executive","reason":"blocked","id":"d1","type":"failed",` +
			`"context":{"failureReason":"blocked","iterations":0,"lastWorker":"executive"}`,
		`"decision_received","prd":"a\n\"b","task":"shop/US-1","id":"d1","action":"retry"`,
		`"task_complete","prd":"a\n\"b","task":"shop/US-1","duration":0`,
		`"service_complete","prd":"a\n\"b","completed":0,"failed":0,"duration":0`,
	} {
		want.WriteString(`{"ts":"2026-01-05T09:00:00Z","event":` + rest + "}\n")
	}
	if data, _ := os.ReadFile(f.events); string(data) != want.String() {
		t.Errorf("the events are\n%s\nwant\n%s", data, want.String())
	}
}

// Attention is asked for a phase until something is done about that phase, whatever becomes of
// others (BR-33).
func TestFiles_BR33_attention(t *testing.T) {
	f := files{status: filepath.Join(t.TempDir(), "status")}
	one, two := task.Phase{UID: "1", ID: "1"}, task.Phase{UID: "2", ID: "2"}
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	reads := func(then, want string) {
		f.stands(Standing{Total: 2, Rows: []Row{{Phase: "2", Tier: "senior", Since: now.Add(-time.Minute)}}}, now)
		data, _ := os.ReadFile(f.status)
		want = `{"done":0,"total":2,"current":"/2","worker":"senior","elapsed":60,` + want +
			`,"lastUpdate":"2026-01-05T09:00:00Z"}` + "\n"
		if string(data) != want {
			t.Errorf("%s, the status is %swant %s", then, data, want)
		}
	}
	reads("at first", `"attention":false`)
	f.note(Event{Kind: Failed, Phase: one, Text: "no key"}, now)
	f.note(Event{Kind: Completed, Phase: two}, now)
	reads("after another one is completed", `"attention":true,"reason":"phase 1: no key"`)
	f.note(Event{Kind: Parked}, now)
	reads("at a limit", `"attention":true,"reason":"all workers wait for their client's limit"`)
	f.note(Event{Kind: Working, Phase: two}, now)
	reads("after the limit", `"attention":true,"reason":"phase 1: no key"`)
	f.note(Event{Kind: Started, Phase: one}, now)
	reads("when it is begun anew", `"attention":false`)
}

// A file of events that has grown large is put aside where a run begins (BR-34).
func TestFiles_BR34_bounded(t *testing.T) {
	dir := t.TempDir()
	set := config.Defaults()
	set.Put(config.KeyRunEventsFile, "", filepath.Join(dir, "events"))
	w := &workers{set: set, top: dir}
	for _, size := range []int64{maxEvents + 1, maxEvents} {
		if err := os.WriteFile(filepath.Join(dir, "events"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(dir, "events"), size); err != nil {
			t.Fatal(err)
		}
		newFiles(w, "", time.Time{}, task.Task{ID: "shop-1234567"})
		if _, err := os.Stat(filepath.Join(dir, "events")); (err == nil) != (size <= maxEvents) {
			t.Errorf("of %d bytes: %v", size, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "events.old")); err != nil || info.Size() != maxEvents+1 {
		t.Errorf("what was put aside is %v, %v", info, err)
	}
}

// The status file is whole at any time: what can't be written beside it first leaves it as it was,
// and is told (BR-33).
func TestFiles_BR33_statusIsWhole(t *testing.T) {
	f := files{status: filepath.Join(t.TempDir(), "status")}
	f.stands(Standing{Total: 1}, time.Time{})
	if err := os.MkdirAll(filepath.Join(f.status+".new", "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	f.stands(Standing{Total: 2}, time.Time{})
	if data, err := os.ReadFile(f.status); err != nil || !strings.Contains(string(data), `"total":1`) {
		t.Errorf("the status is %q: %v", data, err)
	}
	if got := f.untold(); !strings.Contains(got, "run.statusFile is left out: ") {
		t.Errorf("told %q", got)
	}
}
