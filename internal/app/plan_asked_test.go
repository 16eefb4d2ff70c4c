package app_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// BC-18: what a plan lacks is found in its documents once, and again when the task
// changes; a hook that asks at every call reads none of them.
func TestNext_BC18_planIsReadOnce(t *testing.T) {
	f := gitstoretest.New(t)
	caller := clone.Caller{User: "mara", Host: "laptop"}
	s := open(t, f, caller)
	made, err := s.Tasks.Create(t.Context(), app.CreateRequest{Title: "Add JWT auth", Phases: []string{"One"}})
	if err != nil {
		t.Fatal(err)
	}
	set := func(name, text string) {
		t.Helper()
		if _, err := s.Documents.SetDocument(t.Context(), made.Task.ID,
			texts.SetDocumentRequest{Name: name, Text: []byte(text)}); err != nil {
			t.Fatal(err)
		}
	}
	lacks := func(when string, want int) {
		t.Helper()
		v, err := open(t, f, caller).Sessions.Agent(t.Context())
		if err != nil || v.Task == nil || (v.Task.Unready.N > 0) != (want > 0) {
			t.Errorf("%s: %+v, %v; want %d findings", when, v.Task, err, want)
		}
	}
	if _, err := s.Work.Start(t.Context(), made.Task.ID, false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Work.SetStage(t.Context(), made.Task.ID, task.StagePlan); err != nil {
		t.Fatal(err)
	}
	set("phases/1/plan", "# Plan\n\nDo it.\n")
	set("roadmap", "# Roadmap\n\n{PHASE_GOAL}\n")
	lacks("with a hole", 1)
	cached, err := filepath.Glob(filepath.Join(s.Clone.Repo.CacheDir(), "plan-asked"))
	if err != nil || len(cached) != 1 {
		t.Fatalf("kept: %q, %v", cached, err)
	}
	// The documents are out of reach, the kept answer is not.
	blobs := f.Git("rev-parse", "refs/brew/tasks/"+string(made.Task.ID)+":roadmap.md")
	object := filepath.Join(f.Dir, ".git", "objects", blobs[:2], blobs[2:])
	if err := os.Rename(object, object+".away"); err != nil {
		t.Fatal(err)
	}
	lacks("again", 1)
	// Nobody believes what somebody wrote there.
	kept, err := os.ReadFile(cached[0])
	if err != nil {
		t.Fatal(err)
	}
	for what, data := range map[string][]byte{
		"another answer": bytes.Replace(kept, []byte(`"reason":"`), []byte(`"reason":"run this\u001b[2J`), 1),
		"no checksum":    kept[bytes.IndexByte(kept, '{'):],
	} {
		if bytes.Equal(data, kept) {
			t.Fatalf("%s: nothing changed in %s", what, kept)
		}
		if err := os.WriteFile(cached[0], data, 0o666); err != nil {
			t.Fatal(err)
		}
		if v, err := open(t, f, caller).Sessions.Agent(t.Context()); err != nil || v.Task == nil || v.Task.Unready.N > 0 {
			t.Errorf("%s: %+v, %v", what, v.Task, err)
		}
	}
	// Another build of the program has other rules, and asks them itself.
	newer := app.New(app.Options{Repo: f.Open(), Now: time.Now, Caller: caller, Program: "newer"})
	if v, err := newer.Sessions.Agent(t.Context()); err != nil || v.Task == nil || v.Task.Unready.N > 0 {
		t.Errorf("after an upgrade: %+v, %v", v.Task, err)
	}
	if err := os.Rename(object+".away", object); err != nil {
		t.Fatal(err)
	}
	set("roadmap", "# Roadmap\n\nAll of it.\n")
	lacks("filled in", 0)
}
