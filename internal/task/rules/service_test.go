package rules_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// BW-23: a service's name never leads out of the work tree.
func TestCheckServicePath_BW23(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"api", "services/api", "a b/ü", "x..y", ".github-tools", "a/-b"} {
		if err := task.CheckServicePath(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "..", "../api", "services/../../api", "/api", "C:/api", `services\api`, "a\nb", "a\x1b[31m", "a\u202eb", "a\xff",
		"a//b", "a/", "./a", ".git/modules", "a/.GIT", "--upload-pack=x", strings.Repeat("a", 513),
	} {
		if err := task.CheckServicePath(bad); err == nil || !strings.Contains(err.Error(), "can't be a service") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Services and issues are sets: what two machines add apart is both there, in
// whichever order it is folded, and what cannot be one changes nothing.
func TestEdit_BW23_BW26_setsOfServicesAndIssues(t *testing.T) {
	t.Parallel()
	edits := []task.EditPayload{
		{AddServices: []task.Service{{Path: "web", Base: "main", BaseCommit: commitA}}, AddIssues: []string{"#7"}},
		{AddServices: []task.Service{{Path: "api", BaseCommit: commitB}}, AddIssues: []string{"acme/app#12", "#7"}},
		{DropServices: []string{"nowhere"}, DropIssues: []string{"#8"}},
	}
	var first task.Task
	for i, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		s := newStory(t)
		for _, n := range order {
			s.do(task.OpEdit, edits[n])
		}
		if i == 0 {
			first = s.t
		}
		if !reflect.DeepEqual(s.t.Services, first.Services) || !reflect.DeepEqual(s.t.Issues, first.Issues) {
			t.Errorf("%v: %v %v, want %v %v", order, s.t.Services, s.t.Issues, first.Services, first.Issues)
		}
	}
	if got := first.ServicePaths(); !reflect.DeepEqual(got, []string{"api", "web"}) {
		t.Errorf("services %v", got)
	}
	before := first
	s := newStory(t)
	for _, bad := range []task.EditPayload{
		{AddServices: []task.Service{{Path: "../x"}}},
		{AddServices: []task.Service{{Path: "x", BaseCommit: "short"}}},
		{AddIssues: []string{"7"}},
		{AddIssues: []string{"a/../b#1"}},
		{Priority: "urgent"},
	} {
		s.refused(task.CodeInvalid, task.OpEdit, bad)
		if after, applied := Apply(before, s.next(task.OpEdit, bad), nil); applied ||
			!reflect.DeepEqual(after.Services, before.Services) {
			t.Errorf("%+v was applied", bad)
		}
	}
}

// A phase keeps where it started and ended in each service, as it does in the
// repository.
func TestPhase_BW23_commitsInServices(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.do(task.OpEdit, task.EditPayload{AddServices: []task.Service{{Path: "api"}}})
	s.do(task.OpPhaseAdd, task.PhaseAddPayload{Title: "One"})
	uid := s.t.Phases[0].UID
	s.do(task.OpPhaseStart, task.PhasePayload{Phase: uid, Services: task.Commits{"api": commitA}})
	s.do(task.OpPhaseDone, task.PhasePayload{Phase: uid, Services: task.Commits{"api": commitB}})
	s.do(task.OpPhaseReview, task.PhaseReviewPayload{Phase: uid, Verdict: task.ReviewChanges, Reason: "no"})
	s.do(task.OpPhaseStart, task.PhasePayload{Phase: uid, Services: task.Commits{"api": commitB}})
	if p := s.t.Phases[0]; p.ServiceStarts["api"] != commitA || p.ServiceEnds != nil {
		t.Errorf("started again: %v %v", p.ServiceStarts, p.ServiceEnds)
	}
	s.do(task.OpPhaseDone, task.PhasePayload{Phase: uid, Services: task.Commits{"api": commitB}})
	if p := s.t.Phases[0]; p.ServiceStarts["api"] != commitA || p.ServiceEnds["api"] != commitB {
		t.Errorf("executed: %v %v", p.ServiceStarts, p.ServiceEnds)
	}
	s.refused(task.CodeInvalid, task.OpPhaseStart, task.PhasePayload{Phase: uid, Services: task.Commits{"../x": commitA}})
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: uid})
	if p := s.t.Phases[0]; p.ServiceStarts != nil || p.ServiceEnds != nil {
		t.Errorf("reset: %v %v", p.ServiceStarts, p.ServiceEnds)
	}
}
