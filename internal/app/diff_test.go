package app_test

import (
	"context"
	"errors"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/linemerge"
)

// rewritten makes a task whose phase's start commit a rebase has replaced.
func rewritten(t *testing.T, f *gitstoretest.Fixture, s *app.App) task.Task {
	t.Helper()
	ctx := context.Background()
	made := create(t, s, app.CreateRequest{Title: "A task", Phases: []string{"One"}})
	if _, err := s.Work.Start(ctx, made.ID, false, false); err != nil {
		t.Fatal(err)
	}
	f.Write("before", "before\n")
	f.Git("add", ".")
	f.Commit("before")
	if _, err := s.Phases.StartPhase(ctx, made.ID, ""); err != nil {
		t.Fatal(err)
	}
	f.Write("work", "work\n")
	f.Git("add", ".")
	f.Commit("work")
	f.Git("checkout", "-q", "main")
	f.Write("other", "other\n")
	f.Git("add", ".")
	f.Commit("other")
	f.Git("checkout", "-q", made.Branch)
	f.Git("rebase", "-q", "main")
	return made
}

// The start of a phase is found again after a rebase: by the note that git
// carried along, and where there is none by what the commit changed.
func TestDiff_S38_afterARebase(t *testing.T) {
	t.Parallel()
	for _, notes := range []bool{true, false} {
		ctx := context.Background()
		f := gitstoretest.New(t)
		s := open(t, f, mara)
		made := rewritten(t, f, s)
		if !notes {
			f.Git("symbolic-ref", "-d", "refs/notes/brew")
			f.Git("update-ref", "-d", "refs/brew/notes")
		}
		r, err := s.Code.Diff(ctx, made.ID, "1")
		if err != nil {
			t.Fatal(err)
		}
		if !r.Rewritten || r.From != f.OID("HEAD~1").String() || r.To != "" {
			t.Errorf("notes %v: %+v, want from %s", notes, r, f.OID("HEAD~1"))
		}
		if files := f.Git("diff", "--name-only", r.From); files != "work" {
			t.Errorf("notes %v: the phase changed %q", notes, files)
		}
	}
}

// From another work tree the branch's tip counts, not what is checked out here;
// without the branch the commits that are kept still tell.
func TestDiff_fromElsewhere(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	made := create(t, s, app.CreateRequest{Title: "A task", Phases: []string{"One"}})
	atWork(t, s, made.ID)
	work := f.Commit("work").String()
	if r, err := s.Code.Diff(ctx, made.ID, ""); err != nil || r.To != "" || r.From != made.BaseCommit {
		t.Errorf("here: %+v, %v", r, err)
	}
	if _, err := s.Phases.PhaseDone(ctx, made.ID, ""); err != nil {
		t.Fatal(err)
	}
	f.Git("checkout", "-q", "main")
	if r, err := s.Code.Diff(ctx, made.ID, ""); err != nil || r.To != work {
		t.Errorf("from main: %+v, %v; want to %s", r, err, work)
	}
	f.Git("branch", "-q", "-D", made.Branch)
	f.Git("reflog", "expire", "--expire=now", "--all")
	f.Git("gc", "-q", "--prune=now")
	r, err := s.Code.Diff(ctx, made.ID, "1")
	if err != nil || r.From != made.BaseCommit || r.Rewritten {
		t.Errorf("without the branch: %+v, %v", r, err)
	}
	f.Git("cat-file", "-e", r.From)
}

func TestDiffDocument(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	made := create(t, s, app.CreateRequest{Title: "A task", Plan: []byte("one\n"), Phases: []string{"One"}})
	for _, text := range []string{"one\ntwo\n", "one\ntwo\nthree\n"} {
		if _, err := s.Documents.SetDocument(ctx, made.ID,
			texts.SetDocumentRequest{Name: "plan", Text: []byte(text)}); err != nil {
			t.Fatal(err)
		}
		// Other changes in between are not the document's.
		if _, err := s.Phases.AddPhase(ctx, made.ID, phase.PhaseAddRequest{Title: "More"}); err != nil {
			t.Fatal(err)
		}
	}
	added := func(d app.DocumentDiff) (n int) {
		for _, l := range linemerge.Diff(d.Old, d.New) {
			if l.Op == '+' {
				n++
			}
		}
		return n
	}
	d, err := s.DiffDocument(ctx, made.ID, "plan", "")
	if err != nil || added(d) != 1 || d.From == "" {
		t.Errorf("the last change: %+v, %v", d, err)
	}
	before, err := s.DiffDocument(ctx, made.ID, "plan", d.From)
	if err != nil || added(before) != 1 || before.From != d.From {
		t.Errorf("since a commit: %+v, %v", before, err)
	}
	root := f.Git("rev-list", "--max-parents=0", "refs/brew/heads/"+made.Branch)
	if all, err := s.DiffDocument(ctx, made.ID, "plan.md", root); err != nil || added(all) != 3 {
		t.Errorf("since the root: %+v, %v", all, err)
	}
	if _, err := s.DiffDocument(ctx, made.ID, "spec", ""); !errors.Is(err, clone.ErrNotFound) {
		t.Errorf("a document that was never written: %v", err)
	}
	if _, err := s.DiffDocument(ctx, made.ID, "diary", ""); !errors.Is(err, task.ErrNoDocument) {
		t.Errorf("a document that there is not: %v", err)
	}
}

// An amended start commit has another content: only its note tells what it was.
func TestDiff_S38_afterAnAmend(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	made := create(t, s, app.CreateRequest{Title: "A task", Phases: []string{"One"}})
	if _, err := s.Work.Start(ctx, made.ID, false, false); err != nil {
		t.Fatal(err)
	}
	f.Write("start", "one\n")
	f.Git("add", ".")
	f.Commit("start")
	if _, err := s.Phases.StartPhase(ctx, made.ID, ""); err != nil {
		t.Fatal(err)
	}
	f.Write("start", "another\n")
	f.Git("commit", "-q", "-a", "--amend", "-m", "start, amended")
	r, err := s.Code.Diff(ctx, made.ID, "1")
	if err != nil || !r.Rewritten || r.From != f.OID("HEAD").String() {
		t.Errorf("%+v, %v; want from %s", r, err, f.OID("HEAD"))
	}
}

// S-38: the commonest rebase, of a branch that began at main's tip onto a main
// that went on. The phase's start was not rewritten; what came in with main is
// still not the phase's work, while it is executed and after.
func TestDiff_S38_ontoAMainThatWentOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		before bool // executed before the rebase
		after  bool // and after it
		remote bool // main went on at the remote only
		moved  string
	}{
		{"executing", false, false, false, codediff.MovedBase},
		{"executing, the remote's main", false, false, true, codediff.MovedBase},
		{"executed before", true, false, false, codediff.MovedBase},
		{"executed after", false, true, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			f := gitstoretest.New(t)
			s := open(t, f, mara)
			made := create(t, s, app.CreateRequest{Title: "A task", Phases: []string{"One"}})
			_, err := s.Work.Start(ctx, made.ID, false, false)
			if err == nil {
				_, err = s.Phases.StartPhase(ctx, made.ID, "")
			}
			f.Write("f1", "f1\n")
			f.Git("add", ".")
			f.Commit("f1")
			if err == nil && c.before {
				_, err = s.Phases.PhaseDone(ctx, made.ID, "")
			}
			if err != nil {
				t.Fatal(err)
			}
			f.Git("checkout", "-q", "main")
			old := f.OID("HEAD").String()
			f.Write("z", "z\n")
			f.Git("add", ".")
			z := f.Commit("z").String()
			if c.remote {
				f.Git("config", "remote.origin.url", "nowhere")
				f.Git("update-ref", "refs/remotes/origin/main", z)
				f.Git("reset", "-q", "--hard", old)
			}
			f.Git("checkout", "-q", made.Branch)
			f.Git("rebase", "-q", z)
			if c.after {
				r, err := s.Phases.PhaseDone(ctx, made.ID, "")
				if err != nil || r.Phase.StartCommit != z || r.Phase.EndCommit != f.OID("HEAD").String() {
					t.Fatalf("recorded %s..%s, %v", r.Phase.StartCommit, r.Phase.EndCommit, err)
				}
			}
			r, err := s.Code.Diff(ctx, made.ID, "1")
			if err != nil || r.From != z || r.Moved != c.moved || r.Rewritten != (c.moved != "") {
				t.Errorf("%+v, %v; want from %s", r, err, z)
			}
			if r, err := s.Code.Diff(ctx, made.ID, ""); err != nil || r.From != z {
				t.Errorf("the whole task: %+v, %v; want from %s", r, err, z)
			}
		})
	}
}

// What was merged into the base is still the task's.
func TestDiff_S38_afterItsOwnMerge(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	made := create(t, s, app.CreateRequest{Title: "A task", Phases: []string{"One"}})
	atWork(t, s, made.ID)
	for _, name := range []string{"one", "two"} {
		f.Write(name, "text\n")
		f.Git("add", ".")
		f.Commit(name)
		f.Git("branch", "-f", "main", "HEAD")
		f.Commit("more")
		if r, err := s.Code.Diff(ctx, made.ID, "1"); err != nil || r.From != made.BaseCommit || r.Rewritten {
			t.Errorf("after %s: %+v, %v", name, r, err)
		}
	}
}

// What somebody else committed on the base is not the task's, be it that the branch has
// been there: for a squash by hand, or by a fast-forward.
func TestDiff_S38_overItsBase(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		work, done bool
		move       func(f *gitstoretest.Fixture)
	}{
		"squashed, in review": {true, true, func(f *gitstoretest.Fixture) {
			f.Git("rebase", "-q", "main")
			f.Git("reset", "-q", "--soft", "main")
		}},
		"squashed, under way": {true, false, func(f *gitstoretest.Fixture) {
			f.Git("rebase", "-q", "main")
			f.Git("reset", "-q", "--soft", "main")
		}},
		"fast-forward": {false, false, func(f *gitstoretest.Fixture) { f.Git("merge", "-q", "--ff-only", "main") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.New(t)
			s := open(t, f, mara)
			made := create(t, s, app.CreateRequest{Title: "A task", Phases: []string{"One"}})
			atWork(t, s, made.ID)
			commit := func(name string) {
				f.Write(name, "text\n")
				f.Git("add", ".")
				f.Commit(name)
			}
			if c.work {
				commit("one")
				commit("two")
			}
			if c.done {
				if _, err := s.Phases.PhaseDone(ctx, made.ID, ""); err != nil {
					t.Fatal(err)
				}
			}
			f.Git("switch", "-q", "main")
			commit("theirs")
			theirs := f.OID("HEAD").String()
			f.Git("switch", "-q", made.Branch)
			c.move(f)
			f.Write("three", "text\n")
			f.Git("add", ".")
			f.Commit("all of it")
			for _, arg := range []string{"1", ""} {
				if r, err := s.Code.Diff(ctx, made.ID, arg); err != nil || r.From != theirs || r.Moved != codediff.MovedBase {
					t.Errorf("%q: %+v, %v; want from %s", arg, r, err, theirs)
				}
			}
			if !c.done {
				if _, err := s.Phases.PhaseDone(ctx, made.ID, ""); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.Reviews.ReviewPhase(ctx, made.ID, "", task.ReviewApproved, ""); err != nil {
				t.Fatal(err)
			}
			if r, err := s.Code.Diff(ctx, made.ID, "1"); err != nil || r.From != theirs || r.To != f.OID("HEAD").String() {
				t.Errorf("approved: %+v, %v; want from %s", r, err, theirs)
			}
		})
	}
}

// A start that was rewritten while its phase ran is recorded anew with the
// phase's end: no range is shown whose start is not behind its end.
func TestPhaseDone_S38_rangeHoldsTogether(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	made := rewritten(t, f, s)
	start, end := f.OID("HEAD~1").String(), f.OID("HEAD").String()
	r, err := s.Phases.PhaseDone(ctx, made.ID, "")
	if err != nil || r.Phase.StartCommit != start || r.Phase.EndCommit != end {
		t.Errorf("recorded %s..%s, %v; want %s..%s", r.Phase.StartCommit, r.Phase.EndCommit, err, start, end)
	}
}
