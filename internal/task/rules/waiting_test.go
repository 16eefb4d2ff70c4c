package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
	"pgregory.net/rapid"
)

// checkWaits checks that every dependency of a state is one that an edit might
// make: no phase waits for itself. So, while none failed, some work can go on.
func checkWaits(t *rapid.T, s task.Task) {
	if round := Circle(s.Phases); len(round) > 0 {
		t.Fatalf("BC-51: phases %s wait for one another", task.ShownIDs(round))
	}
	if stuck := route.Deadlock(s); len(stuck) > 0 && !slices.ContainsFunc(s.Phases, func(p task.Phase) bool {
		return p.Status == task.PhaseFailed
	}) {
		t.Fatalf("BC-51: nothing failed, and %s\n%s", route.DeadlockReason(s), phasesOf(s))
	}
	for i, p := range s.Phases {
		for _, on := range p.DependsOn {
			without := s
			without.Phases = slices.Clone(s.Phases)
			without.Phases[i].DependsOn = slices.DeleteFunc(slices.Clone(p.DependsOn),
				func(uid task.UID) bool { return uid == on })
			if !MayWaitFor(without, without.Phases[i], on) {
				t.Fatalf("BC-51: %s depends on %s, and might not be made to", p.ID, on)
			}
		}
	}
}

// BC-51: whatever makes one phase wait for another in turn is refused, and
// changes nothing in the fold.
func TestUndo_BC51_noCircle(t *testing.T) {
	t.Parallel()
	uid := func(c *clone, i int) task.UID { return c.state.Phases[i].UID }
	edit := func(i int, add, drop int) func(*clone) any {
		return func(c *clone) any {
			p := task.PhaseEditPayload{Phase: uid(c, i)}
			if add >= 0 {
				p.AddDependsOn = []task.UID{uid(c, add)}
			}
			if drop >= 0 {
				p.DropDependsOn = []task.UID{uid(c, drop)}
			}
			return p
		}
	}
	const none = -1
	t.Run("an edit", func(t *testing.T) {
		t.Parallel()
		w, c := tell(t,
			task.OpPhaseAdd, task.PhaseAddPayload{Title: "Two"},
			task.OpPhaseEdit, edit(0, 1, none), // 1 waits for 2
			task.OpPhaseEdit, edit(0, none, 1), // and no more
			task.OpPhaseEdit, edit(1, 0, none), // 2 waits for 1
		)
		_, err := w.undone(t, c, 1)
		want := "the task went on since; see 'git brew log'"
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	})
	t.Run("a part that comes back", func(t *testing.T) {
		t.Parallel()
		w, c := tell(t,
			task.OpPhaseAdd, task.PhaseAddPayload{Title: "Two"},
			task.OpPhaseAdd, func(c *clone) any {
				return task.PhaseAddPayload{
					Title: "Part", Kind: task.KindSplit, Parent: uid(c, 0),
					DependsOn: []task.UID{uid(c, 1)},
				}
			})
		if _, err := w.undone(t, c, 0); err != nil {
			t.Fatal(err)
		}
		if !w.do(fatal{t}, c, task.OpPhaseEdit, edit(1, 0, none)(c)) { // 2 waits for 1
			t.Fatal("not allowed")
		}
		_, err := w.undone(t, c, 1)
		if err == nil || !strings.HasPrefix(err.Error(), "the task went on since") {
			t.Errorf("got %v", err)
		}
	})
}

// BC-51: of two dependencies that were made apart, and lead round in a circle,
// the later one is none.
func TestFold_BC51_circleMadeApart(t *testing.T) {
	t.Parallel()
	s := started(t)
	one, two := s.add(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{})
	seen := len(s.nodes)
	edit := s.fork(seen, task.OpPhaseEdit, task.PhaseEditPayload{Phase: two, AddDependsOn: []task.UID{one}}, 0)
	part := s.fork(seen, task.OpPhaseAdd, task.PhaseAddPayload{
		Title: "Part", Kind: task.KindSplit, Parent: one,
		DependsOn: []task.UID{two},
	}, 0)
	for _, first := range []struct {
		name string
		of   *operation.Operation
		want []int // dependencies of 1, 1a and 2
	}{{"the edit is first", &edit.Op, []int{0, 0, 1}}, {"the part is first", &part.Op, []int{0, 1, 0}}} {
		edit.Op.Clock, part.Op.Clock = s.t.Clock+2, s.t.Clock+2
		first.of.Clock--
		got := Fold(append(slices.Clone(s.nodes), edit, part), s.texts)
		var deps []int
		for _, p := range got.Phases {
			deps = append(deps, len(p.DependsOn))
		}
		if !slices.Equal(deps, first.want) || len(Circle(got.Phases)) > 0 {
			t.Errorf("%s: dependencies %v, want %v", first.name, deps, first.want)
		}
	}
}

// BC-51: the work of a part waits for what its parent depends on, be that split in
// turn; and what it waits for can't wait for the part.
func TestPhaseStart_BC51_partOfWhatWaits(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{})
	two := s.add(task.PhaseAddPayload{DependsOn: []task.UID{one}})
	part := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: two})
	inner := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: part})
	for _, uid := range []task.UID{part, inner} {
		s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: uid, Worker: "w", Commit: commitA})
	}
	if got := task.ShownIDs(route.Ready(s.t)); got != "1" {
		t.Errorf("ready: %s, want 1", got)
	}
	s.refused(task.CodeCycle, task.OpPhaseEdit, task.PhaseEditPayload{Phase: one, AddDependsOn: []task.UID{inner}})
	s.complete(one)
	if got, want := task.ShownIDs(route.Ready(s.t)), s.phase(inner).ID; got != want {
		t.Errorf("ready: %s, want %s", got, want)
	}
}

// BC-51: no phase is made to depend on what waits for one of its parts.
func TestPhaseEdit_BC51_circleOverAPart(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{})
	part := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: one})
	two := s.add(task.PhaseAddPayload{DependsOn: []task.UID{part}})
	wrong := task.PhaseEditPayload{Phase: one, AddDependsOn: []task.UID{two}}
	s.refused(task.CodeCycle, task.OpPhaseEdit, wrong)
	s.superseded(task.OpPhaseEdit, wrong)
}

// A final review waits for all the others, so that nothing waits for it.
func TestPhaseAdd_BC51_onTheFinalReview(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.add(task.PhaseAddPayload{})
	final := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	s.refused(task.CodeCycle, task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", DependsOn: []task.UID{final}})
	uid := s.force(s.next(task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", DependsOn: []task.UID{final}}))
	if got := s.phase(uid).DependsOn; len(got) > 0 {
		t.Errorf("depends on %v", got)
	}
}

// A stored state in which phases wait for one another is none that the fold makes.
// It is read all the same, says what waits, and is mended by an edit.
func TestDecode_BC51_circle(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{})
	two := s.add(task.PhaseAddPayload{DependsOn: []task.UID{one}})
	for name, forge := range map[string]func([]task.Phase){
		"two":    func(all []task.Phase) { all[0].DependsOn = []task.UID{two} },
		"itself": func(all []task.Phase) { all[0].DependsOn = []task.UID{one} },
		"its part": func(all []task.Phase) {
			all[0].Parent, all[0].Kind, all[0].DependsOn = two, task.KindSplit, []task.UID{two}
		},
		"final review":  func(all []task.Phase) { all[0].Kind = task.KindFinalReview },
		"nothing wrong": func([]task.Phase) {},
	} {
		forged := s.t
		forged.Phases = slices.Clone(s.t.Phases)
		forge(forged.Phases)
		files, err := task.Encode(forged)
		if err != nil {
			t.Fatal(err)
		}
		got, err := task.DecodeState(files[task.TaskFile].Data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wrong := name != "nothing wrong"
		if round := Circle(got.Phases); len(round) > 0 != wrong || len(route.Deadlock(got)) > 0 != wrong {
			t.Errorf("%s: circle %s, %q", name, task.ShownIDs(round), route.DeadlockReason(got))
		}
		is := story{TB: t, t: got, nodes: s.nodes, texts: s.texts}
		for _, p := range got.Phases {
			if len(p.DependsOn) > 0 {
				is.do(task.OpPhaseEdit, task.PhaseEditPayload{Phase: p.UID, DropDependsOn: p.DependsOn})
			}
		}
		if round := Circle(is.t.Phases); len(round) > 0 || len(route.Ready(is.t)) == 0 {
			t.Errorf("%s: after the edit: circle %s, ready %s", name, task.ShownIDs(round), task.ShownIDs(route.Ready(is.t)))
		}
	}
}

// BC-51: to wait for a verification, or for a fix, is to wait for the work that it
// looks at or mends, too.
func TestPhaseEdit_BC51_circleOverWork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		made func(s *story, one task.UID) task.UID // what 2 depends on
	}{
		{"a verification", func(s *story, one task.UID) task.UID {
			return s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: one})
		}},
		{"a fix", func(s *story, one task.UID) task.UID {
			s.start(one)
			s.executed(one)
			s.reject(one, "no")
			return s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
		}},
		{"a fix of a fix", func(s *story, one task.UID) task.UID {
			s.start(one)
			s.executed(one)
			fix := s.addExecuted(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
			return s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: fix})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := started(t)
			one := s.add(task.PhaseAddPayload{})
			two := s.add(task.PhaseAddPayload{DependsOn: []task.UID{c.made(s, one)}})
			wrong := task.PhaseEditPayload{Phase: one, AddDependsOn: []task.UID{two}}
			s.refused(task.CodeCycle, task.OpPhaseEdit, wrong)
			s.superseded(task.OpPhaseEdit, wrong)
			s.refused(task.CodeCycle, task.OpPhaseAdd,
				task.PhaseAddPayload{Title: "x", Kind: task.KindResearch, Parent: one, DependsOn: []task.UID{two}})
		})
	}
}

// BC-51: a phase that begins anew waits for no fix of it, which waits for its work.
func TestPhaseReset_BC51_openFix(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.addExecuted(task.PhaseAddPayload{})
	fix := s.addExecuted(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
	again := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: fix})
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: fix})
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: one})
	for _, uid := range []task.UID{one, fix, again} { // each waits for the one before
		if ready := route.Ready(s.t); len(ready) != 1 || ready[0].UID != uid {
			t.Fatalf("ready: %s, want %s\n%s", task.ShownIDs(ready), s.phase(uid).ID, phasesOf(s.t))
		}
		s.start(uid)
		s.executed(uid)
	}
	for _, uid := range []task.UID{again, fix, one} {
		s.approve(uid)
	}
	s.want(one, task.PhaseCompleted, task.ReviewApproved)
}

// BC-48, BC-51: of two final reviews none waits for what the other brought about.
func TestFinalReview_BC51_ofTwo(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{})
	reviews := []task.UID{
		s.add(task.PhaseAddPayload{Kind: task.KindFinalReview}),
		s.add(task.PhaseAddPayload{Kind: task.KindFinalReview}),
	}
	s.complete(one)
	for _, uid := range reviews {
		s.start(uid)
		s.executed(uid)
		s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: uid})
		s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: uid})
	}
	if got := task.ShownIDs(route.Ready(s.t)); got != "FR, FR2" {
		t.Errorf("ready: %s\n%s", got, phasesOf(s.t))
	}
}

// A final review is of all that was done: what is to be done after it opens it again,
// in whatever way it came to be.
func TestFinalReview_BC53_ofWhatCameAfter(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]func(s *story, one task.UID){
		"added": func(s *story, _ task.UID) { s.add(task.PhaseAddPayload{}) },
		"reset": func(s *story, one task.UID) {
			s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: one})
		},
	} {
		s := started(t)
		one := s.addExecuted(task.PhaseAddPayload{})
		s.do(task.OpPhaseReview, task.PhaseReviewPayload{Phase: one, Verdict: task.ReviewApproved})
		final := s.addExecuted(task.PhaseAddPayload{Kind: task.KindFinalReview})
		s.ready(task.BoardOf(final), "ann", "bob", "cid")
		s.do(task.OpPhaseReview, task.PhaseReviewPayload{Phase: final, Verdict: task.ReviewApproved})
		if p, _ := s.t.Phase(final); p.Status != task.PhaseCompleted {
			t.Fatalf("%s: the final review is %s", name, p.Status)
		}
		after(s, one)
		if p, _ := s.t.Phase(final); p.Status != task.PhasePending || p.Review != task.ReviewNone {
			t.Errorf("%s: the final review is %s, %s", name, p.Status, p.Review)
		}
		if err := CheckAllDone(s.t, ""); err == nil {
			t.Errorf("%s: the task can be finished", name)
		}
	}
}

// One that is under way sees what comes: it can't be handed over before that is done, and
// what comes next is that, not what would be taken back at once.
func TestFinalReview_BC53_underWayWaits(t *testing.T) {
	t.Parallel()
	s := specified(t)
	s.complete(s.add(task.PhaseAddPayload{}))
	final := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	s.start(final)
	late := s.add(task.PhaseAddPayload{})
	s.refused(task.CodeDependencies, task.OpPhaseDone, task.PhasePayload{Phase: final, Commit: commitB})
	for i, want := range []string{
		"git brew doc set phases/2/plan -", "git brew phase done 2", "git brew phase approve 2",
		"git brew phase done FR",
	} {
		if step := route.Next(s.t); step.Command != want {
			t.Errorf("step %d: %+v, want %s", i, step, want)
		}
		[]func(task.UID){s.start, s.executed, s.approve, func(task.UID) { s.executed(final) }}[i](late)
	}
	s.want(final, task.PhaseInReview, task.ReviewNone)
	if p := s.phase(final); p.Iteration != 1 {
		t.Errorf("iteration %d", p.Iteration)
	}
}
