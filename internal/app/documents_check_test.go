package app_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// What a person wrote comes back byte for byte, whatever was looked for in it.
func TestSetDocument_SP15_byteForByte(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := open(t, gitstoretest.New(t), mara)
	made := create(t, s, app.CreateRequest{Title: "A task", Phases: []string{"One"}})
	pieces := []string{
		"# Goal\r\n", "\ttab", " ", "\n", "\r", "- [ ] box\n", "```\n", "{X}", "| a |\n|---|\n", "---\n",
		"é", "\u200d", "<!--", "\n\n\n", "## Gray Areas Remaining\n",
	}
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom([]string{"spec", "context", "plan", "changelog", "phases/1/plan"}).Draw(rt, "name")
		text := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(rt, "text"), ""))
		if task.CheckText(text) != nil {
			rt.Skip("no text")
		}
		if _, err := s.Documents.SetDocument(ctx, made.ID, texts.SetDocumentRequest{Name: name, Text: text}); err != nil {
			rt.Fatal(err)
		}
		if _, err := s.Documents.CheckDocuments(ctx, made.ID, ""); err != nil {
			rt.Fatal(err)
		}
		if got, err := s.Documents.Document(ctx, made.ID, name); err != nil || !bytes.Equal(got.Text, text) || got.Derived {
			rt.Fatalf("%s: %q, %v; want %q", name, got.Text, err, text)
		}
	})
}

// BC-18, BC-24: a plan with holes is not carried out, by no way into execution; a
// task that was never planned is asked nothing.
func TestStage_BC18_BC24_planWithHoles(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := open(t, gitstoretest.New(t), mara)
	spec := []byte("## Requirements\n- tokens expire\n")
	const trace = "\n## Traceability\n| Requirement | Phases |\n|---|---|\n| tokens expire | |\n"
	made := create(t, s, app.CreateRequest{Title: "A task", Spec: spec, Plan: []byte("# Plan\n{WHAT}\n" + trace)})
	if _, err := s.Work.Start(ctx, made.ID, false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Phases.AddPhase(ctx, made.ID, phase.PhaseAddRequest{Title: "One"}); err != nil {
		t.Fatal(err)
	}
	holes := func(what string, want int, err error) {
		t.Helper()
		refused, ok := errors.AsType[*task.RefusedError](err)
		if want == 0 && err == nil {
			return
		}
		if !ok || refused.Code != task.CodeDocuments || len(refused.Findings) != want {
			t.Errorf("%s: %v, want %d findings", what, err, want)
		}
	}
	_, err := s.Work.SetStage(ctx, made.ID, task.StageExecute)
	holes("stage", 2, err)
	_, err = s.Phases.StartPhase(ctx, made.ID, "")
	holes("start", 2, err)
	if _, err := s.Work.SetStage(ctx, made.ID, task.StageResearch); err != nil {
		t.Errorf("another stage: %v", err)
	}
	_, err = s.Work.SetStage(ctx, made.ID, task.StageComplete)
	holes("past it", 2, err)
	_, err = s.Phases.StartPhase(ctx, made.ID, "")
	holes("start from research", 2, err)
	_, err = s.Work.ClaimPhase(ctx, made.ID, "w1")
	holes("claim from research", 2, err)
	if _, err := s.Work.SetStage(ctx, made.ID, task.StagePlan); err != nil {
		t.Error(err)
	}
	if _, err := s.Documents.SetDocument(ctx, made.ID,
		texts.SetDocumentRequest{Name: "plan", Text: []byte("# Plan\n`{WHAT}`\n" + trace)}); err != nil {
		t.Fatal(err)
	}
	_, err = s.Phases.StartPhase(ctx, made.ID, "")
	holes("uncovered", 1, err)
	if _, err := s.Documents.SetDocument(ctx, made.ID,
		texts.SetDocumentRequest{
			Name: "phases/1/plan",
			Text: []byte("---\ncovers: [tokens expire]\n---\n# {LATER}\n"),
		}); err != nil {
		t.Fatal(err)
	}
	_, err = s.Phases.StartPhase(ctx, made.ID, "") // the phase's own plan is nobody's gate
	holes("covered", 0, err)

	quick := create(t, s, app.CreateRequest{Title: "Quick", Spec: spec, Phases: []string{"One"}})
	if _, err := s.Work.Start(ctx, quick.ID, false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Phases.StartPhase(ctx, quick.ID, ""); err != nil {
		t.Errorf("never planned: %v", err)
	}
}

// SP-13 after a rebase: what the phase changed is still what it changed, and not
// what came in with the new base.
func TestReviewOf_SP13_S38_afterARebase(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	made := rewritten(t, f, s)
	plan := "---\ncreates: [wor*, docs/]\nmodifies: [other]\n---\n# Plan\n"
	if _, err := s.Documents.SetDocument(ctx, made.ID,
		texts.SetDocumentRequest{Name: "phases/1/plan", Text: []byte(plan)}); err != nil {
		t.Fatal(err)
	}
	f.Write("new file", "x\n") // git does not know it yet
	r, err := s.Code.ReviewOf(ctx, made.ID, "")
	if err != nil || len(r.Ranges) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	var got []string
	for _, file := range r.Ranges[0].Files {
		got = append(got, file.Path+" "+file.Status+" "+string(file.Verdict))
	}
	want := "docs/  missing,new file A deviation,other  missing,work A match"
	if strings.Join(got, ",") != want || !r.Ranges[0].Rewritten {
		t.Errorf("%q, want %q; %+v", got, want, r.Ranges[0].DiffRange)
	}
}
