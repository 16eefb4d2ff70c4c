package app

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// What the commands make is accepted by somebody who has none of it: tasks with
// documents that were edited at one time, reports, knowledge, settings.
func TestAccept_whatTheCommandsMake(t *testing.T) {
	ctx := t.Context()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { at = at.Add(time.Second); return at }
	s := New(Options{Repo: gitstoretest.New(t).Open(), Now: now, Caller: clone.Caller{User: "mara", Host: "laptop"}})
	made, err := s.Tasks.Create(ctx, CreateRequest{
		Title: "Add JWT auth", Plan: []byte("a\nb\nc\n"),
		Phases: []string{"One", "Two"},
	})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	first, err := s.Documents.Document(ctx, id, "plan")
	if err != nil {
		t.Fatal(err)
	}
	set := func(text string, base *string) texts.DocumentResult {
		t.Helper()
		r, err := s.Documents.SetDocument(ctx, id, texts.SetDocumentRequest{Name: "plan", Text: []byte(text), Base: base})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	set("A\nb\nc\n", nil)
	// Two had it in an editor at one time: what both wrote stands in the tree,
	// so that whoever folds it has it.
	if r := set("a\nb\nC\n", &first.OID); !r.Merged || string(r.Document.Text) != "A\nb\nC\n" {
		t.Errorf("merged %t, %q", r.Merged, r.Document.Text)
	}
	if r := set("x\nb\nc\n", &first.OID); r.Conflict == nil || r.Merged {
		t.Errorf("no conflict: %+v", r)
	}
	if r := set("A\nb\nc\n", &first.OID); r.Conflict == nil {
		t.Errorf("no conflict: %+v", r)
	}
	if _, err := s.Work.Start(ctx, id, false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Phases.StartPhase(ctx, id, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Phases.AddReport(ctx, id, phase.ReportRequest{Agent: "developer", Text: []byte("done\n")}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Knowledge.AddBacklog(ctx, "later", "", ""); err != nil {
		t.Fatal(err)
	}
	tip := func(ref gitstore.RefName) gitstore.OID {
		oid, err := s.Clone.Ledger.Tip(ctx, ref)
		if err != nil || oid.IsZero() {
			t.Fatalf("%s: %s, %v", ref, oid, err)
		}
		return oid
	}
	ref := ledger.TaskRef(string(id))
	if err := ledger.Accept(ctx, s.Clone.Ledger, records.TaskLaw(), ref, gitstore.OID{}, tip(ref)); err != nil {
		t.Errorf("the task: %v", err)
	}
	if err := ledger.Accept(ctx, s.Clone.Ledger, records.ProjectLaw(), ledger.KnowledgeRef, gitstore.OID{},
		tip(ledger.KnowledgeRef)); err != nil {
		t.Errorf("the project's record: %v", err)
	}
	for _, other := range []gitstore.RefName{
		ledger.TaskRef("other-abcdefg"), ledger.TaskRef("../x"),
		ledger.KnowledgeRef,
	} {
		if err := ledger.Accept(ctx, s.Clone.Ledger, records.TaskLaw(), other, gitstore.OID{}, tip(ref)); err == nil {
			t.Errorf("taken as %s", other)
		}
	}
}

// A task begins with the operation that creates it.
func TestOwnsTask(t *testing.T) {
	t.Parallel()
	const ref = gitstore.RefName("refs/brew/tasks/x-abcdefg")
	create := func(id, title string) operation.Operation {
		data, err := json.Marshal(task.CreatePayload{
			ID: task.ID(id), Title: title, Type: "feature", Branch: "feature/x",
			Stage: task.StageExecute,
		})
		if err != nil {
			t.Fatal(err)
		}
		return operation.Operation{
			ID: "0123456789abcdef0123456789abcdef", Kind: task.OpCreate, Clock: 1, Law: operation.Law,
			Payload: data,
		}
	}
	newer := create("x-abcdefg", "")
	newer.Law++
	other := create("x-abcdefg", "X")
	other.Kind = task.OpEdit
	for name, row := range map[string]struct {
		ref   gitstore.RefName
		first operation.Operation
		want  string
	}{
		"good":              {ref, create("x-abcdefg", "X"), ""},
		"a newer program's": {ref, newer, ""},
		"another id":        {ref, create("y-abcdefg", "X"), `it creates "y-abcdefg", not x-abcdefg`},
		"no title":          {ref, create("x-abcdefg", ""), "it creates no task"},
		"no creation":       {ref, other, `a task does not begin with "task.edit"`},
		"no task's ref":     {ledger.KnowledgeRef, create("x-abcdefg", "X"), "is no task's ref"},
		"no task's id":      {ledger.TaskRef("x"), create("x", "X"), "x"},
	} {
		err := records.TaskLaw().Bounds.Owns(row.ref, row.first)
		if (row.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", name, err, row.want)
		}
	}
}
