package app_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// at returns a service whose clock stands where now says.
func at(f *gitstoretest.Fixture, now *time.Time, session string) *app.App {
	return app.New(app.Options{
		Repo: f.Open(), Now: func() time.Time { return *now },
		Caller: clone.Caller{User: "mara", Host: "laptop", Session: session},
	})
}

func cloneRef(f *gitstoretest.Fixture) string {
	f.T.Helper()
	ref := f.Git("for-each-ref", "--format=%(refname)", "refs/brew/clones/")
	if ref == "" || strings.Contains(ref, "\n") {
		f.T.Fatalf("the clone's refs: %q", ref)
	}
	return ref
}

// BW-33: a session that is resumed after days, or in another month, is the one
// that it was.
func TestSessionStarted_BW33_resumedKeepsItsRecord(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	now := time.Date(2026, 1, 30, 12, 0, 0, 0, time.UTC)
	if _, err := at(f, &now, "one").Sessions.SessionStarted(ctx,
		session.SessionStart{Source: "startup", Model: "opus", Title: "My title"}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := at(f, &now, "").Sessions.Correlate(ctx, "one", "deadbeef"); err != nil {
		t.Fatal(err)
	}
	for _, after := range []time.Duration{72 * time.Hour, 40 * 24 * time.Hour} {
		now = now.Add(after)
		// Another session's change leaves the first out of the snapshot.
		if _, err := at(f, &now, "two").Sessions.SessionStarted(ctx, session.SessionStart{Source: "resume"}, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := at(f, &now, "one").Sessions.SessionStarted(ctx, session.SessionStart{Source: "resume"}, ""); err != nil {
			t.Fatal(err)
		}
		all, err := at(f, &now, "").Sessions.Sessions(ctx)
		if err != nil || len(all) != 2 {
			t.Fatalf("after %s: %+v, %v; want two sessions", after, all, err)
		}
		e, err := at(f, &now, "one").Sessions.SessionOf(ctx, "")
		if err != nil || e.Title != "My title" || e.Model != "opus" || e.Correlation != "deadbeef" ||
			e.StartedAt != "2026-01-30T12:00:00Z" {
			t.Errorf("after %s: %+v, %v", after, e, err)
		}
	}
	// The snapshot that is built anew is the one that was written.
	wrote, err := at(f, &now, "one").Sessions.Agent(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(f.Open().CacheDir(), "snapshots")); err != nil {
		t.Fatal(err)
	}
	built, err := at(f, &now, "one").Sessions.Agent(ctx)
	if err != nil || built.Session.Title != "My title" || !reflect.DeepEqual(wrote.Session, built.Session) {
		t.Errorf("built anew: %+v, %v; want %+v", built.Session, err, wrote.Session)
	}
}

// What a newer minor version recorded stays when this one writes.
func TestClone_S45_keepsUnknownFields(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := at(f, &now, "one")
	if _, err := s.Sessions.SessionStarted(ctx, session.SessionStart{Source: "startup"}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := at(f, &now, "").Sessions.SwitchMode(ctx, "implementation"); err != nil {
		t.Fatal(err)
	}
	if err := at(f, &now, "").Config.ConfigSet(ctx, "stop.limit", []string{"3"}, true); err != nil {
		t.Fatal(err)
	}
	ref := cloneRef(f)
	for _, file := range [][2]string{
		{ref, "worktrees/main.json"}, {ref, "sessions/2026-03/one.json"}, {"refs/brew/config", "config.json"},
	} {
		rewrite(f, file[0], file[1], "{", `{"novelty": {"depth": [1]},`)
	}
	rewrite(f, ref, "worktrees/main.json", `"mode": "implementation"`, `"mode": "implementation", "inner": 1`)
	if _, err := at(f, &now, "").Sessions.SwitchMode(ctx, "toggle"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(30 * 24 * time.Hour)
	if _, err := at(f, &now, "one").Sessions.SessionStarted(ctx, session.SessionStart{Source: "resume"}, ""); err != nil {
		t.Fatal(err)
	}
	if err := at(f, &now, "").Config.ConfigSet(ctx, "stop.limit", []string{"4"}, true); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{
		ref + ":worktrees/main.json", ref + ":sessions/2026-03/one.json",
		"refs/brew/config:config.json",
	} {
		if text := f.Git("cat-file", "blob", file); !strings.Contains(strings.Join(strings.Fields(text), ""),
			`"novelty":{"depth":[1]}`) {
			t.Errorf("%s lost a field:\n%s", file, text)
		}
	}
	if text := f.Git("cat-file", "blob", ref+":worktrees/main.json"); !strings.Contains(text, `"inner": 1`) ||
		!strings.Contains(text, `"discussion"`) {
		t.Errorf("the mode lost a field, or was not switched:\n%s", text)
	}
}

// rewrite replaces a text in a record's file, by git's own means.
func rewrite(f *gitstoretest.Fixture, ref, path, old, text string) {
	f.T.Helper()
	was := f.Git("cat-file", "blob", ref+":"+path)
	name := filepath.Join(f.Root, "text")
	if err := os.WriteFile(name, []byte(strings.Replace(was, old, text, 1)), 0o666); err != nil {
		f.T.Fatal(err)
	}
	index := *f
	index.Setenv("GIT_INDEX_FILE", filepath.Join(f.Root, "index"))
	index.Git("read-tree", ref)
	index.Git("update-index", "--add", "--cacheinfo", "100644,"+f.Git("hash-object", "-w", name)+","+path)
	f.Git("update-ref", ref, f.Git("commit-tree", "-p", ref, "-m", "newer", index.Git("write-tree")))
}

// A broken notebook, or broken shared settings, keep nobody from working: they
// count as empty, the view says so, and the next write goes on from there.
func TestBroken_ownRecordsKeepNobody(t *testing.T) {
	ctx := context.Background()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const nothing = "1111111111111111111111111111111111111111"
	for name, c := range map[string]struct {
		breakIt  func(f *gitstoretest.Fixture, ref string)
		ofConfig bool
		noWrite  bool
	}{
		"config to nothing": {func(f *gitstoretest.Fixture, _ string) {
			write(f, "refs/brew/config", nothing+"\n")
		}, true, false},
		"config garbled": {func(f *gitstoretest.Fixture, _ string) {
			write(f, "refs/brew/config", "garbage")
		}, true, false},
		"config to a commit": {func(f *gitstoretest.Fixture, _ string) {
			write(f, "refs/brew/config", f.Git("rev-parse", "HEAD")+"\n")
		}, true, false},
		"clone empty":      {func(f *gitstoretest.Fixture, ref string) { write(f, ref, "") }, false, true},
		"clone garbled":    {func(f *gitstoretest.Fixture, ref string) { write(f, ref, "garbage") }, false, true},
		"clone to nothing": {func(f *gitstoretest.Fixture, ref string) { write(f, ref, nothing+"\n") }, false, false},
		"clone to a blob": {func(f *gitstoretest.Fixture, ref string) {
			write(f, ref, f.Git("rev-parse", ref+":worktrees/main.json")+"\n")
		}, false, false},
		"clone without its tree": {func(f *gitstoretest.Fixture, ref string) {
			tree := f.Git("rev-parse", ref+"^{tree}")
			if err := os.Remove(filepath.Join(f.Open().CommonDir, "objects", tree[:2], tree[2:])); err != nil {
				f.T.Fatal(err)
			}
		}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := gitstoretest.New(t).Unchecked()
			person := at(f, &now, "")
			made, err := person.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := person.Sessions.SwitchMode(ctx, "implementation"); err != nil {
				t.Fatal(err)
			}
			before := f.Git("rev-parse", cloneRef(f))
			ref := cloneRef(f)
			c.breakIt(f, ref)
			if err := os.RemoveAll(filepath.Join(f.Open().CacheDir(), "snapshots")); err != nil {
				t.Fatal(err)
			}
			v, err := at(f, &now, "one").Sessions.Agent(ctx)
			if err != nil || v.Task == nil || len(v.Warnings) != 1 || v.Settings.Text(config.KeyGate) != config.GateTask {
				t.Fatalf("Agent() = %+v, %v; want the task and a warning", v.View, err)
			}
			want := clone.ModeDiscussion
			if c.ofConfig {
				want = clone.ModeImplementation
			}
			if v.Mode != want {
				t.Errorf("mode %s, want %s", v.Mode, want)
			}
			if _, err := at(f, &now, "").Work.Start(ctx, made.Task.ID, false, false); err != nil {
				t.Errorf("Start() = %v", err)
			}
			_, err = at(f, &now, "").Sessions.SwitchMode(ctx, "toggle")
			if c.noWrite {
				record, typed := errors.AsType[*clone.RecordError](err)
				if !typed || string(record.Ref) != ref {
					t.Errorf("SwitchMode() = %v; want an error that names %s", err, ref)
				}
				return
			}
			if err != nil {
				t.Fatalf("SwitchMode() = %v", err)
			}
			if m, err := at(f, &now, "").Sessions.Mode(ctx); err != nil || m.Mode == want {
				t.Errorf("after the switch: %s, %v", m.Mode, err)
			}
			if c.ofConfig {
				return
			}
			v, err = at(f, &now, "").Sessions.Agent(ctx)
			if err != nil || len(v.Warnings) != 0 {
				t.Errorf("after a write: warnings %q, %v; want none", v.Warnings, err)
			}
			if name == "clone without its tree" && f.Git("rev-parse", ref+"^") != before {
				t.Error("the damaged commit is not kept as the parent")
			}
		})
	}
}

func write(f *gitstoretest.Fixture, ref, text string) {
	f.T.Helper()
	path := filepath.Join(f.Open().CommonDir, ref)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		f.T.Fatal(err)
	}
}

// A change decides on what is recorded when it is made, not on what was looked
// at before.
func TestSetSession_keepsWhatOthersWrote(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if _, err := at(f, &now, "one").Sessions.SessionStarted(ctx, session.SessionStart{Source: "startup"}, ""); err != nil {
		t.Fatal(err)
	}
	const writers = 4
	done := make(chan error, 2*writers)
	for range writers {
		go func() {
			_, err := at(f, &now, "").Sessions.SetSession(ctx, "one", "My title", "", "")
			done <- err
		}()
		go func() {
			done <- at(f, &now, "one").Sessions.StopBlocked(ctx, "tip")
		}()
	}
	for range 2 * writers {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	e, err := at(f, &now, "one").Sessions.SessionOf(ctx, "")
	if err != nil || e.StopBlocks != writers || e.Title != "My title" {
		t.Errorf("%+v, %v; want %d stops and the title", e, err, writers)
	}
}
