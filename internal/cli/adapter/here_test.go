package adapter

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/cli"
)

// The client's plans are where its directory is.
func TestLatestPlan_clientDir(t *testing.T) {
	t.Parallel()
	home, client := t.TempDir(), t.TempDir()
	for _, dir := range []string{filepath.Join(home, ".claude"), client} {
		if err := os.MkdirAll(filepath.Join(dir, "plans"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "plans", "calm.md"), []byte("# Plan\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for set, want := range map[string]string{"": filepath.Join(home, ".claude"), client: client} {
		e := &cli.Env{}
		e.Getenv = func(name string) string { return map[string]string{"HOME": home, "CLAUDE_CONFIG_DIR": set}[name] }
		plan := (&Agent{Env: e}).LatestPlan()
		if path := filepath.Join(want, "plans", "calm.md"); plan.Path != path {
			t.Errorf("CLAUDE_CONFIG_DIR=%s: %s; want %s", set, plan.Path, path)
		}
	}
}

func TestTooOld_BW36(t *testing.T) {
	for version, want := range map[string]bool{
		"2.11.0": true, "2.29.9": true, "1.9": true,
		"2.30.0": false, "2.39.5 (Apple Git-154)": false, "2.50.1.windows.1": false, "3.0.0-rc1": false,
		"": false, "2": false, "x.y": false,
	} {
		if got := TooOld(version); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
}
