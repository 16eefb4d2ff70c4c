package main

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// A machine keeps its id when it is called something else, and where the system
// has none, too.
func TestMachineID(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const systems = "0123456789abcdef0123456789abcdef"
	system, none, unset := filepath.Join(dir, "system"), filepath.Join(dir, "none"), filepath.Join(dir, "unset")
	for path, text := range map[string]string{system: systems + "\n", unset: "uninitialized\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	own := filepath.Join(dir, "config", "git-brew", "machine-id")
	if id := machineID(system, own); id != systems {
		t.Errorf("the system's: %q", id)
	}
	if _, err := os.Stat(own); err == nil {
		t.Error("an id was drawn that nobody needs")
	}
	// Several processes at once draw one.
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() { ids[i] = machineID(none, own) })
	}
	all.Wait()
	for _, id := range append(ids, machineID(unset, own)) {
		if len(id) != 32 || id != ids[0] {
			t.Errorf("drawn %q", append(ids, machineID(unset, own)))
			break
		}
	}
	left, err := os.ReadDir(filepath.Dir(own))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if id := machineID(none, ""); id != "" {
		t.Errorf("without a place: %q", id)
	}
	if id := machineID(none, filepath.Join(system, "machine-id")); id != "" {
		t.Errorf("a place that can't be: %q", id)
	}
}
