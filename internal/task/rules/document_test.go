package rules_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/linemerge"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
	"pgregory.net/rapid"
)

func TestMerge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, base, ours, theirs, want string }{
		{"one side", "a\nb\n", "a\nb\n", "a\nc\n", "a\nc\n"},
		{"both the same", "a\n", "b\n", "b\n", "b\n"},
		{"apart", "1\n2\n3\n4\n", "0\n1\n2\n3\n4\n", "1\n2\n3\n4\n5\n", "0\n1\n2\n3\n4\n5\n"},
		{"neighbours", "- [ ] a\n- [ ] b\n", "- [x] a\n- [ ] b\n", "- [ ] a\n- [x] b\n", "- [x] a\n- [x] b\n"},
		{"a removal and a change", "1\n2\n3\n", "2\n3\n", "1\n2\nthree\n", "2\nthree\n"},
		{"the same edit and another", "1\n2\n3\n", "one\n2\n3\n", "one\n2\nthree\n", "one\n2\nthree\n"},
		{"no final break", "1\n2\n3", "0\n1\n2\n3", "1\n2\n3\n4", "0\n1\n2\n3\n4"},
		{"the same line", "a\n", "b\n", "c\n", "conflict"},
		{"two insertions at one place", "a\n", "a\nb\n", "a\nc\n", "conflict"},
		{"both from nothing", "", "a\n", "b\n", "conflict"},
		{"too large", "", strings.Repeat("x\n", task.MaxText), "b\n", "conflict"},
	} {
		for _, sides := range [][2]string{{tt.ours, tt.theirs}, {tt.theirs, tt.ours}} {
			got, clean := linemerge.Merge([]byte(tt.base), []byte(sides[0]), []byte(sides[1]))
			if !clean {
				got = []byte("conflict")
			}
			if string(got) != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			}
		}
	}
}

func genText(t *rapid.T, label string) []byte {
	return []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "d"}), 0, 12).Draw(t,
		label), ""))
}

// Which side comes first changes nothing; a side that changed nothing wins
// nothing.
func TestMerge_properties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs := genText(t, "base"), genText(t, "ours"), genText(t, "theirs")
		a, cleanA := linemerge.Merge(base, ours, theirs)
		b, cleanB := linemerge.Merge(base, theirs, ours)
		if cleanA != cleanB || cleanA && !bytes.Equal(a, b) {
			t.Fatalf("%q %v, the other way %q %v", a, cleanA, b, cleanB)
		}
		if got, clean := linemerge.Merge(base, base, theirs); !clean || !bytes.Equal(got, theirs) {
			t.Fatalf("an unchanged side: %q", got)
		}
		var was, is strings.Builder
		for _, l := range linemerge.Diff(base, ours) {
			if l.Op != '+' {
				was.WriteString(l.Text)
			}
			if l.Op != '-' {
				is.WriteString(l.Text)
			}
		}
		if was.String() != string(base) || is.String() != string(ours) {
			t.Fatalf("the comparison of %q and %q tells %q and %q", base, ours, was.String(), is.String())
		}
	})
}

// More different lines than there are letters below the surrogates.
func TestMerge_manyLines(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	for i := range 70_000 {
		b.WriteString(strings.Repeat("x", i%3))
		b.WriteString(string(rune('a' + i%26)))
		b.WriteString(strings.ToUpper(string(rune('a' + i/26%26))))
		b.WriteByte('0' + byte(i/676%10))
		b.WriteByte('0' + byte(i/6760))
		b.WriteByte('\n')
	}
	base := b.Bytes()
	got, clean := linemerge.Merge(base, append([]byte("first\n"), base...), append(bytes.Clone(base), "last\n"...))
	want := "first\n" + string(base) + "last\n"
	if !clean || string(got) != want {
		t.Errorf("clean %v, %d bytes, want %d", clean, len(got), len(want))
	}
}

func TestDocSet_conflictKeepsBoth(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	base := s.texts.put("a\n")
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, OID: base})
	mine := s.texts.put("b\n")
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, Base: base, OID: mine})
	theirs := s.texts.put("c\n")
	uid := s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, Base: base, OID: theirs})
	if s.t.Docs[task.DocPlan].OID != theirs || len(s.t.Conflicts) != 1 || s.t.Conflicts[0].OID != mine {
		t.Fatalf("docs %+v, conflicts %+v", s.t.Docs, s.t.Conflicts)
	}
	files := must(task.Encode(s.t))
	if files["conflicts/"+string(uid)].OID != mine || files["plan.md"].OID != theirs {
		t.Errorf("files %+v", files)
	}
	for _, arg := range []string{"plan", "plan.md", string(uid[:8]), "conflicts/" + string(uid)} {
		if c, err := s.t.FindConflict(arg); err != nil && arg != string(uid[:8]) || err == nil && c.UID != uid {
			t.Errorf("FindConflict(%q): %v", arg, err)
		}
	}
	if _, err := s.t.FindConflict("spec"); !errors.Is(err, task.ErrNoEntry) {
		t.Errorf("no conflict there: %v", err)
	}
	s.do(task.OpDocResolve, task.DocResolvePayload{Conflict: uid, OID: mine})
	if len(s.t.Conflicts) != 0 || s.t.Docs[task.DocPlan].OID != mine {
		t.Errorf("after the resolve: %+v", s.t.Docs)
	}
	// A summary of an iteration is nobody's text.
	s.do(task.OpPhaseAdd, task.PhaseAddPayload{Title: "One"})
	summary := task.DocName(task.ArtifactsDir + string(s.t.Phases[0].UID) + "-1" + task.SummaryName)
	s.do(task.OpDocSet, task.DocSetPayload{Name: summary, OID: base})
	s.do(task.OpDocSet, task.DocSetPayload{Name: summary, Base: base, OID: mine})
	s.do(task.OpDocSet, task.DocSetPayload{Name: summary, Base: base, OID: theirs})
	if len(s.t.Conflicts) != 0 || s.t.Docs[summary].OID != theirs {
		t.Errorf("of two summaries: %+v, conflicts %+v", s.t.Docs, s.t.Conflicts)
	}
	// Without the texts nothing is merged, and nothing is lost.
	s.texts = blobs{}
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, Base: base, OID: theirs})
	if len(s.t.Conflicts) != 1 {
		t.Errorf("conflicts %+v", s.t.Conflicts)
	}
}

// A text beside a document that was taken away is not dropped: somebody says what
// stands there then, and next asks for that. Beside a report that is gone, it is
// refused until the place is there again.
func TestCheck_resolveWhatBelongsNowhere(t *testing.T) {
	t.Parallel()
	s := started(t)
	base, mine, theirs := s.texts.put("a\n"), s.texts.put("b\n"), s.texts.put("c\n")
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, OID: base})
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, Base: base, OID: mine})
	uid := s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, Base: base, OID: theirs})
	delete(s.t.Docs, task.DocPlan)
	refused := func(c task.UID, oid, hint string) {
		t.Helper()
		err := Check(s.t, s.next(task.OpDocResolve, task.DocResolvePayload{Conflict: c, OID: oid}))
		if r, ok := errors.AsType[*task.RefusedError](err); !ok || r.Code != task.CodeTaskState ||
			!strings.Contains(r.Hint, ":conflicts/"+string(c)) || !strings.Contains(r.Hint, hint) {
			t.Errorf("%v", err)
		}
	}
	if next := route.Next(s.t); next.Step != task.StepResolve ||
		next.Reason != "plan could not be merged with what stands beside it" {
		t.Errorf("next passes %+v over: %+v", s.t.Conflicts, next)
	}
	before := s.t
	s.t.Conflicts = []task.Conflict{{
		UID: "0123456789abcdef0123456789abcdef", Path: "artifacts/9-1e/dev_output.md",
		OID: mine,
	}}
	refused(s.t.Conflicts[0].UID, mine, "write it as that report again")
	if next := route.Next(s.t); next.Step == task.StepResolve {
		t.Errorf("next asks for what can't be settled: %+v", next)
	}
	s.t = before
	s.do(task.OpDocResolve, task.DocResolvePayload{Conflict: uid, OID: mine})
	if len(s.t.Conflicts) != 0 || s.t.Docs[task.DocPlan].OID != mine {
		t.Errorf("after the resolve: %+v", s.t.Docs)
	}
}

func TestDocNames(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	p := s.add(task.PhaseAddPayload{ShownID: "US-003"})
	for arg, want := range map[string]task.DocName{
		"spec": task.DocSpec, "Plan.md": task.DocPlan, "phases/us-003/plan": task.PlanOf(p),
		"phases/" + string(p) + "/plan": task.PlanOf(p),
	} {
		if got, err := task.ParseDocName(s.t, arg); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", arg, got, err, want)
		}
	}
	for _, arg := range []string{
		"", "nope", "../spec", "phases//plan", "phases/../plan", "task.json",
		"artifacts/1-1e/summary",
	} {
		if got, err := task.ParseDocName(s.t, arg); !errors.Is(err, task.ErrNoDocument) && !errors.Is(err, task.ErrNoPhase) {
			t.Errorf("%q is %q, %v", arg, got, err)
		}
	}
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.PlanOf(p), OID: s.texts.put("x")})
	if path, ok := s.t.DocPath(task.PlanOf(p)); !ok || path != "phases/US-003/plan.md" ||
		s.t.ShownDoc(task.PlanOf(p)) != "phases/US-003/plan" {
		t.Errorf("it stands at %s", path)
	}
	s.superseded(task.OpDocSet, task.DocSetPayload{
		Name: "phases/" + task.DocName(testUID(99)) + "/plan",
		OID:  s.texts.put("x"),
	})
	s.superseded(task.OpDocSet, task.DocSetPayload{Name: "../../x", OID: s.texts.put("x")})
	s.superseded(task.OpDocSet, task.DocSetPayload{Name: task.DocSpec, OID: "../../x"})
}

func TestCheckText(t *testing.T) {
	t.Parallel()
	if err := task.CheckText(bytes.Repeat([]byte("x"), task.MaxText)); err != nil {
		t.Error(err)
	}
	for _, data := range [][]byte{bytes.Repeat([]byte("x"), task.MaxText+1), {0xff}, {'a', 0}} {
		if task.CheckText(data) == nil {
			t.Errorf("%d bytes taken", len(data))
		}
	}
}

// The ids of new blobs are git's own.
func TestDocOf(t *testing.T) {
	t.Parallel()
	if got := task.DocOf([]byte("hello\n"), 40).OID; got != "ce013625030ba8dba906f756967f9e9ca394464a" {
		t.Error(got)
	}
	if got := task.DocOf([]byte("hello\n"),
		64).OID; got != "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4" {
		t.Error(got)
	}
}
