package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/doctor"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Notes are a view: where they are broken a phase starts all the same, the
// person is told, and doctor finds it.
func TestStartPhase_brokenNotes(t *testing.T) {
	for name, file := range map[string]string{
		"the ref":    filepath.Join(".git", filepath.FromSlash(string(ledger.NotesRef))),
		"its object": "",
	} {
		t.Run(name, func(t *testing.T) {
			f := gitstoretest.New(t).Unchecked()
			ctx := context.Background()
			s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
			made, err := s.Tasks.Create(ctx, app.CreateRequest{
				Title:  "Add JWT auth",
				Phases: []string{"Token model", "Login endpoint"},
			})
			if err != nil {
				t.Fatal(err)
			}
			atWork(t, s, made.Task.ID)
			if file == "" {
				tree := f.Git("rev-parse", string(ledger.NotesRef)+"^{tree}")
				file = filepath.Join(".git", "objects", tree[:2], tree[2:])
			}
			if err := os.Remove(filepath.Join(f.Dir, file)); err != nil {
				t.Fatal(err)
			}
			f.Write(file, "garbled\n")

			s = open(t, f, clone.Caller{User: "mara", Host: "laptop"})
			r, err := s.Phases.StartPhase(ctx, made.Task.ID, "2")
			if err != nil {
				t.Fatal(err)
			}
			if told := strings.Join(r.Notes, "\n"); !strings.Contains(told, "the note could not be written: ") ||
				!strings.Contains(told, "git brew doctor") {
				t.Errorf("told %q", told)
			}
			if got := f.Git("for-each-ref", "--contains", "HEAD", string(ledger.KeepRef(string(made.Task.ID)))); got == "" {
				t.Error("the start commit is not kept")
			}
			found, err := examine(ctx, s, false)
			if err != nil {
				t.Fatal(err)
			}
			problems := 0
			for _, finding := range found {
				if finding.Severity == doctor.Problem {
					problems++
					if finding.What != string(ledger.NotesRef) {
						t.Errorf("doctor: %+v", finding)
					}
				}
			}
			if problems != 1 {
				t.Errorf("doctor found %+v", found)
			}
		})
	}
}

// S-35: in a shallow clone of the tasks nothing is a problem.
func TestDoctor_S35_shallowTasks(t *testing.T) {
	f := gitstoretest.New(t)
	ctx := context.Background()
	made, err := open(t, f, clone.Caller{User: "mara", Host: "laptop"}).Tasks.Create(ctx,
		app.CreateRequest{Title: "Add JWT auth", Phases: []string{"Token model"}})
	if err != nil {
		t.Fatal(err)
	}
	own := f.Clone()
	own.Git("fetch", "-q", "--depth=1", "file://"+f.Dir, "+refs/brew/tasks/*:refs/brew/tasks/*")
	s := open(t, own, clone.Caller{User: "mara", Host: "desktop"})
	if _, err := s.Knowledge.Learn(ctx, made.Task.ID,
		knowledge.Entry{T: "fact", Txt: "learned in a shallow clone"}); err != nil {
		t.Fatal(err)
	}
	if found, err := examine(ctx, s, false); err != nil || len(found) > 0 {
		t.Errorf("found %+v, %v", found, err)
	}
}
