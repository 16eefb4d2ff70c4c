package task_test

import (
	"reflect"
	"strings"
	"testing"

	. "github.com/git-brew/git-brew/internal/task"
)

// BW-23: a service's name never leads out of the work tree.
func TestCheckServicePath_BW23(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"api", "services/api", "a b/ü", "x..y", ".github-tools", "a/-b"} {
		if err := CheckServicePath(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for bad, why := range map[string]string{
		"": "empty", "..": "..", "../api": "..", "services/../../api": "..", "/api": "absolute", "C:/api": "absolute",
		`services\api`: "backslash", "a\nb": "control", "a\x1b[31m": "control", "a\u202eb": "control", "a\xff": "UTF-8",
		"a//b": "empty part", "a/": "empty part", "./a": "empty part", ".git/modules": "git directory", "a/.GIT": "git directory",
		"--upload-pack=x": "option", strings.Repeat("a", 513): "bytes",
	} {
		if err := CheckServicePath(bad); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", bad, err, why)
		}
	}
}

// Services and issues are sets: what two machines add apart is both there, in
// whichever order it is folded, and what cannot be one changes nothing.
func TestEdit_BW23_BW26_setsOfServicesAndIssues(t *testing.T) {
	t.Parallel()
	edits := []EditPayload{
		{AddServices: []Service{{Path: "web", Base: "main", BaseCommit: commitA}}, AddIssues: []string{"#7"}},
		{AddServices: []Service{{Path: "api", BaseCommit: commitB}}, AddIssues: []string{"acme/app#12", "#7"}},
		{DropServices: []string{"nowhere"}, DropIssues: []string{"#8"}},
	}
	var first Task
	for i, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		s := newStory(t)
		for _, n := range order {
			s.do(OpEdit, edits[n])
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
	for _, bad := range []EditPayload{
		{AddServices: []Service{{Path: "../x"}}},
		{AddServices: []Service{{Path: "x", BaseCommit: "short"}}},
		{AddIssues: []string{"7"}},
		{AddIssues: []string{"a/../b#1"}},
		{Priority: "urgent"},
	} {
		s.refused(CodeInvalid, OpEdit, bad)
		if after, applied := Apply(before, s.next(OpEdit, bad), nil); applied || !reflect.DeepEqual(after.Services, before.Services) {
			t.Errorf("%+v was applied", bad)
		}
	}
}

// A phase keeps where it started and ended in each service, as it does in the
// repository.
func TestPhase_BW23_commitsInServices(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.do(OpEdit, EditPayload{AddServices: []Service{{Path: "api"}}})
	s.do(OpPhaseAdd, PhaseAddPayload{Title: "One"})
	uid := s.t.Phases[0].UID
	s.do(OpPhaseStart, PhasePayload{Phase: uid, Services: Commits{"api": commitA}})
	s.do(OpPhaseDone, PhasePayload{Phase: uid, Services: Commits{"api": commitB}})
	s.do(OpPhaseReview, PhaseReviewPayload{Phase: uid, Verdict: ReviewChanges, Reason: "no"})
	s.do(OpPhaseStart, PhasePayload{Phase: uid, Services: Commits{"api": commitB}})
	if p := s.t.Phases[0]; p.ServiceStarts["api"] != commitA || p.ServiceEnds != nil {
		t.Errorf("started again: %v %v", p.ServiceStarts, p.ServiceEnds)
	}
	s.do(OpPhaseDone, PhasePayload{Phase: uid, Services: Commits{"api": commitB}})
	if p := s.t.Phases[0]; p.ServiceStarts["api"] != commitA || p.ServiceEnds["api"] != commitB {
		t.Errorf("executed: %v %v", p.ServiceStarts, p.ServiceEnds)
	}
	s.refused(CodeInvalid, OpPhaseStart, PhasePayload{Phase: uid, Services: Commits{"../x": commitA}})
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: uid})
	if p := s.t.Phases[0]; p.ServiceStarts != nil || p.ServiceEnds != nil {
		t.Errorf("reset: %v %v", p.ServiceStarts, p.ServiceEnds)
	}
}
