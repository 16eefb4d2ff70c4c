//go:build unix

package run

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
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
	f := files{events: at("events"), status: at("status")}
	f.write(line{Event: "service_start"}, standing{Total: 1})
	if got := f.untold(); !strings.Contains(got, "run.eventsFile is left out: ") || f.untold() != "" {
		t.Errorf("told %q", got)
	}
	f.events = at("link")
	if err := os.Symlink(at("precious"), f.events); err != nil {
		t.Fatal(err)
	}
	f.write(line{Event: "service_start"}, standing{Total: 2})
	if data, _ := os.ReadFile(at("precious")); string(data) != "mine" {
		t.Errorf("it was written through a link: %q", data)
	}
	if data, _ := os.ReadFile(at("status")); !strings.Contains(string(data), `"total":2`) {
		t.Errorf("the status is %q", data)
	}
	f.events = at("plain")
	f.write(line{Event: "service_start"}, standing{})
	f.write(line{Event: "service_complete"}, standing{})
	if data, _ := os.ReadFile(f.events); strings.Count(string(data), "\n") != 2 {
		t.Errorf("the events are %q", data)
	}
}

// The status file is whole at any time: what can't be written beside it first leaves it as it was,
// and is told (BR-33).
func TestFiles_BR33_statusIsWhole(t *testing.T) {
	f := files{status: filepath.Join(t.TempDir(), "status")}
	f.write(line{}, standing{Total: 1})
	if err := os.MkdirAll(filepath.Join(f.status+".new", "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	f.write(line{}, standing{Total: 2})
	if data, err := os.ReadFile(f.status); err != nil || !strings.Contains(string(data), `"total":1`) {
		t.Errorf("the status is %q: %v", data, err)
	}
	if got := f.untold(); !strings.Contains(got, "run.statusFile is left out: ") {
		t.Errorf("told %q", got)
	}
}
