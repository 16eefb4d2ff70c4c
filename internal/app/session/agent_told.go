package session

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/transcript"
)

// Tell records that the caller's session is told what the marks stand for. It
// reports false where it was told all of it before, since its context began.
func (s *Sessions) Tell(ctx context.Context, marks ...string) (first bool, err error) {
	err = s.Clone.Update(ctx, "session "+task.ShortSession(s.Clone.Caller.Session)+": told "+strings.Join(marks, ", "),
		func(ctx context.Context, c *clone.Change) error {
			first = false
			e, known, err := c.Session(ctx, s.Clone.Caller.Session)
			if err != nil {
				return err
			}
			if !known {
				e = clone.Session{StartedAt: s.Clone.Timestamp()}
				e.ID = s.Clone.Caller.Session
			}
			for _, mark := range marks {
				if !slices.Contains(e.Told, mark) {
					e.Told, first = append(e.Told, mark), true
				}
			}
			if !first {
				return nil
			}
			e.SeenAt = s.Clone.Timestamp()
			return c.SetSession(ctx, e)
		})
	return first, err
}

// ContextUse is how much of a model's context is used, in tokens; zero where nobody
// can tell.
type ContextUse struct{ Tokens, Window int64 }

// ContextUse reads it from the end of a transcript, whose path the client names.
// What is there is believed to be anything: this is a remark, and no file of ours.
func (s *Sessions) ContextUse(ctx context.Context, path string) ContextUse {
	if !filepath.IsAbs(path) {
		return ContextUse{}
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ContextUse{} // nor a pipe that nobody writes to
	}
	file, err := os.Open(path)
	if err != nil {
		return ContextUse{}
	}
	defer func() { _ = file.Close() }()
	use, ok := transcript.LastUsage(file, info.Size())
	if !ok {
		return ContextUse{}
	}
	return ContextUse{Tokens: use.Tokens, Window: s.ContextWindow(ctx, use.Model, use.Tokens)}
}

// The sizes of models' contexts, in tokens.
const (
	usualWindow = 200_000
	largeWindow = 1_000_000
)

// windows is the memo of what the agent's client said of models' contexts, by model;
// maxWindows is how many are kept.
const (
	windows    = "context-windows"
	maxWindows = 20
)

// ContextWindow is the size of a model's context in tokens: what the settings
// say, else what the client said last, else what is usual; never less than what
// is used of it.
func (s *Sessions) ContextWindow(ctx context.Context, model string, used int64) int64 {
	if set, err := s.Config.Settings(ctx); err == nil && set.Text(config.KeyContextWindow) != "" {
		return int64(set.Count(config.KeyContextWindow))
	}
	if n := readWindows(s)[model]; n > 0 {
		return n
	}
	if strings.Contains(model, "[1m]") || used > usualWindow {
		return max(largeWindow, used)
	}
	return usualWindow
}

// NoteWindow keeps what the client says about a model's context.
func (s *Sessions) NoteWindow(model string, size int64) {
	all := readWindows(s)
	if model == "" || len(model) > 100 || size <= 0 || all[model] == size {
		return
	}
	if len(all) >= maxWindows {
		clear(all)
	}
	all[model] = size
	if data, err := json.Marshal(all); err == nil {
		_ = s.Clone.Repo.WriteCache(windows, data) // else the usual size is believed
	}
}

func readWindows(s *Sessions) map[string]int64 {
	all := map[string]int64{}
	data, err := gitfile.ReadFile(filepath.Join(s.Clone.Repo.CacheDir(), windows))
	if err != nil || json.Unmarshal(data, &all) != nil || all == nil {
		return map[string]int64{}
	}
	return all
}
