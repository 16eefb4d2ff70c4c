package journal

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/safego"
	"github.com/git-brew/git-brew/internal/transcript"
)

// Handed are the files that a sub-agent is handed, the oldest part first.
type Handed struct {
	Files []string
	// Cut: the oldest part is left out.
	Cut bool
}

// handLimit is how long making a share may take; a hook has other things to do
// in its time.
const handLimit = time.Second

// handedAge is how long the files of a session that did not end are kept, and
// of how many sessions, and calls of one, at most.
const (
	handedAge    = 24 * time.Hour
	mostSessions = 100
	mostCalls    = 40
)

// HandTranscript writes the caller's session's share of a transcript for one
// call that starts a sub-agent. Nobody but the user can read the files; they lie
// below the common directory, under names made of hashes, until the session ends
// or for a day. No files: there is nothing to hand over yet.
func (s *Journal) HandTranscript(ctx context.Context, path, call string) (Handed, error) {
	if s.Clone.DryRun() {
		return Handed{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, handLimit)
	defer cancel()
	// It waits for no disk longer than ctx.
	share, err := safego.Await(ctx, func() (transcript.Share, error) { return readTranscript(ctx, path) })
	if err != nil || len(share.Chunks) == 0 {
		return Handed{}, err
	}
	calls := s.transcriptsOf(s.Clone.Caller.Session)
	s.sweep(s.Transcripts(), mostSessions)
	s.sweep(calls, mostCalls)
	dir := filepath.Join(calls, hashOf(call))
	if err := s.Clone.Repo.MakeDir(s.Clone.Repo.CacheDir()); err != nil {
		return Handed{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Handed{}, err
	}
	h := Handed{Cut: share.Cut}
	for i, chunk := range share.Chunks {
		if ctx.Err() != nil {
			return Handed{}, ctx.Err()
		}
		name := filepath.Join(dir, fmt.Sprintf("current_transcript_%03d.json", i+1))
		temp, err := os.CreateTemp(dir, "*.tmp") // 0600
		if err == nil {
			err = gitfile.PutFile(temp, name, chunk) // a hook that is registered twice writes it twice
		}
		if err != nil {
			return Handed{}, err
		}
		h.Files = append(h.Files, name)
	}
	return h, nil
}

// readTranscript makes a share of the file at path, if that is one to read.
func readTranscript(ctx context.Context, path string) (transcript.Share, error) {
	if !filepath.IsAbs(path) || !strings.HasSuffix(path, ".jsonl") {
		return transcript.Share{}, fmt.Errorf("%s is no transcript", path)
	}
	file, err := gitfile.OpenRegular(path)
	if err != nil {
		return transcript.Share{}, err
	}
	defer func() { _ = file.Close() }() // only read
	info, err := file.Stat()
	if err != nil {
		return transcript.Share{}, err
	}
	return transcript.Cut(ctx, file, info.Size())
}

func (s *Journal) Transcripts() string { return filepath.Join(s.Clone.Repo.CacheDir(), "transcripts") }

func (s *Journal) transcriptsOf(session string) string {
	return filepath.Join(s.Transcripts(), hashOf(session))
}

// DropTranscripts takes away what the caller's session was handed out.
func (s *Journal) DropTranscripts() { _ = os.RemoveAll(s.transcriptsOf(s.Clone.Caller.Session)) }

// SweepTranscripts takes away what sessions left that never told of their end.
func (s *Journal) SweepTranscripts() { s.sweep(s.Transcripts(), mostSessions) }

// sweep takes away what is old in a directory of handed files, and the oldest of
// what is more than most. What can't be removed now is tried again the next
// time.
func (s *Journal) sweep(dir string, most int) {
	open, err := os.Open(dir)
	if err != nil {
		return
	}
	entries, _ := open.ReadDir(1000) // what there is more the next one finds
	_ = open.Close()                 // only read
	times := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			times[e.Name()] = info.ModTime()
		}
	}
	names := slices.SortedFunc(maps.Keys(times), func(a, b string) int { return times[b].Compare(times[a]) })
	for i, name := range names {
		if i >= most || s.Clone.Now().Sub(times[name]) > handedAge {
			_ = os.RemoveAll(filepath.Join(dir, name))
		}
	}
}
