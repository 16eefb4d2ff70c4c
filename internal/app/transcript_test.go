package app_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

const edited = `{"message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"/a"}}]}}` + "\n"

func writeTranscript(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "0.jsonl")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestHandTranscript_BW39_filesOutsideTheWorkTree(t *testing.T) {
	f := gitstoretest.New(t)
	ctx := context.Background()
	s := open(t, f, clone.Caller{Session: "../../s1", User: "mara", Host: "laptop"})
	path := writeTranscript(t, edited)
	h, err := s.Journal.HandTranscript(ctx, path, "../../../../tmp/x")
	if err != nil || len(h.Files) != 1 || h.Cut {
		t.Fatal(h, err)
	}
	rel, err := filepath.Rel(filepath.Join(s.Clone.Repo.CacheDir(), "transcripts"), h.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	if len(parts) != 3 || parts[2] != "current_transcript_001.json" {
		t.Fatal(rel)
	}
	for _, p := range parts[:2] {
		if len(p) != 20 || strings.Trim(p, "0123456789abcdef") != "" {
			t.Errorf("%q is a name that somebody may have chosen", p)
		}
	}
	for path, want := range map[string]os.FileMode{h.Files[0]: 0o600, filepath.Dir(h.Files[0]): os.ModeDir | 0o700} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	// The same call again, by a hook that is registered twice.
	if again, err := s.Journal.HandTranscript(ctx, path, "../../../../tmp/x"); err != nil || again.Files[0] != h.Files[0] {
		t.Error(again, err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(h.Files[0]), "*")); len(left) != 1 {
		t.Error(left)
	}
	if other, err := s.Journal.HandTranscript(ctx, path, "t2"); err != nil || other.Files[0] == h.Files[0] {
		t.Error(other, err)
	}
	if err := s.Sessions.SessionEnded(ctx, "other"); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.Clone.Repo.CacheDir(), "transcripts", "*")); len(left) != 0 {
		t.Errorf("the session ended, and left %v", left)
	}
}

func TestHandTranscript_BW39_nothingToHandOver(t *testing.T) {
	f := gitstoretest.New(t)
	s := open(t, f, clone.Caller{Session: "s1"})
	dir := t.TempDir()
	talk := writeTranscript(t, `{"message":{"role":"user","content":"What does it do?"}}`+"\n")
	paths := map[string]bool{ // whether an error is told
		talk: false, "": true, "relative.jsonl": true, dir: true, filepath.Join(dir, "gone.jsonl"): true, "/etc/passwd": true,
	}
	if runtime.GOOS != "windows" {
		pipe := filepath.Join(dir, "pipe.jsonl")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		paths[pipe] = true
		link := filepath.Join(dir, "device.jsonl")
		if err := os.Symlink("/dev/zero", link); err != nil {
			t.Fatal(err)
		}
		paths[link] = true
	}
	for path, fails := range paths {
		h, err := s.Journal.HandTranscript(context.Background(), path, "t1")
		if len(h.Files) != 0 || (err != nil) != fails {
			t.Errorf("%q: %v, %v", path, h, err)
		}
	}
	if _, err := os.Stat(filepath.Join(s.Clone.Repo.CacheDir(), "transcripts")); err == nil {
		t.Error("a directory was made for nothing")
	}
}

func TestHandTranscript_BW39_oldOnesGo(t *testing.T) {
	f := gitstoretest.New(t)
	ctx := context.Background()
	path := writeTranscript(t, edited)
	now := time.Now()
	service := func(session string) *app.App {
		return app.New(app.Options{
			Repo: f.Open(), Now: func() time.Time { return now },
			Caller: clone.Caller{Session: session},
		})
	}
	crashed, err := service("s1").Journal.HandTranscript(ctx, path, "t1")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(filepath.Dir(crashed.Files[0]))
	age := func(ago time.Duration) {
		if err := os.Chtimes(dir, now.Add(-ago), now.Add(-ago)); err != nil {
			t.Fatal(err)
		}
	}
	age(23 * time.Hour)
	if _, err := service("s2").Sessions.SessionStarted(ctx, session.SessionStart{Source: "startup"}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(crashed.Files[0]); err != nil {
		t.Error("gone within a day")
	}
	age(25 * time.Hour)
	if _, err := service("s3").Sessions.SessionStarted(ctx, session.SessionStart{Source: "startup"}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("kept for more than a day")
	}
	// One session keeps the latest forty.
	s := service("s4")
	var last journal.Handed
	for i := range 45 {
		if last, err = s.Journal.HandTranscript(ctx, path, string(rune('A'+i))); err != nil {
			t.Fatal(err)
		}
	}
	calls, err := os.ReadDir(filepath.Dir(filepath.Dir(last.Files[0])))
	if err != nil || len(calls) > 41 {
		t.Errorf("%d calls, %v", len(calls), err)
	}
	if _, err := os.Stat(last.Files[0]); err != nil {
		t.Error(err)
	}
}
