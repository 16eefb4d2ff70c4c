package workflow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// What hooks after a step start does not wait for them: they may take the next
// step. To say that one comes from there would be a way past every hook, so it is
// proved: by a number that is made for one run and that only its programs are
// given. While they run, a file in the cache has its hash, with the record that
// they run for; so a run that was killed proves nothing afterwards to whoever
// finds the file.

// The names of these files, one for each work tree.
const (
	runPrefix = "hooks-"
	runSuffix = ".run"
)

// runProved is runHooks for what follows a step, alone in its work tree.
func (s *Service) runProved(ctx context.Context, id task.ID, side side) (task.StepHookPayload, error) {
	proof, err := operation.NewID(s.random)
	if err != nil {
		return side.payload(), err
	}
	name := runPrefix + filepath.Base(s.repo.GitDir()) + runSuffix
	if err := s.repo.WriteCache(name, []byte(runLine(side.record, string(proof)))); err != nil {
		return side.payload(), err
	}
	defer func() { _ = os.Remove(filepath.Join(s.repo.CacheDir(), name)) }()
	side.run = string(proof)
	return s.runHooks(ctx, id, side)
}

// runs: the caller was started by the hooks that run just now for a record.
func (s *Service) runs(record task.UID) bool {
	if s.caller.HookRun == "" {
		return false
	}
	entries, err := os.ReadDir(s.repo.CacheDir())
	if err != nil {
		return false
	}
	want := runLine(record, s.caller.HookRun)
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasPrefix(e.Name(), runPrefix) || !strings.HasSuffix(e.Name(), runSuffix) {
			continue
		}
		if line, err := gitstore.ReadFile(filepath.Join(s.repo.CacheDir(), e.Name())); err == nil && string(line) == want {
			return true
		}
	}
	return false
}

func runLine(record task.UID, proof string) string {
	sum := sha256.Sum256([]byte(proof))
	return string(record) + " " + hex.EncodeToString(sum[:]) + "\n"
}
