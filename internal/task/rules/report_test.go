package rules_test

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// BC-29, BC-42: approval names every report that is missing.
func TestReview_BC29_BC42_missingReports(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{Agents: []string{"developer", "tester"}})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p, Agents: []string{"reviewer"}})
	late := s.add(task.PhaseAddPayload{Agents: []string{"developer"}})
	s.start(p)
	s.do(task.OpPhaseLaunch, task.PhaseLaunchPayload{Phase: p, Agent: "architect"})
	s.do(task.OpPhaseLaunch, task.PhaseLaunchPayload{Phase: p, Agent: "tester"})
	s.executed(p)
	s.start(v)
	s.executed(v)
	// What completes a phase owes the phase's reports, too.
	r := s.refusal(task.CodeReports, task.OpPhaseReview, task.PhaseReviewPayload{Phase: v, Verdict: task.ReviewApproved})
	if len(r.Findings) != 4 || r.Findings[0] != "artifacts/1-1v/reviewer_review.md" ||
		!strings.Contains(r.Error(), "MISSING") {
		t.Errorf("%v", r)
	}
	if next := route.Next(s.t); next.Command != "git brew report 1V --agent reviewer -" {
		t.Errorf("next is %+v", next)
	}
	if got := strings.Join(task.MissingReports(s.t, s.phase(p)), " "); got !=
		"artifacts/1-1e/developer_output.md artifacts/1-1e/tester_output.md artifacts/1-1e/architect_output.md" {
		t.Errorf("missing %s", got)
	}
	s.do(task.OpReport, task.ReportPayload{Phase: v, Iteration: 1, Agent: "reviewer", OID: s.texts.put("fine\n")})
	if next := route.Next(s.t); next.Command != "git brew report 1 --agent developer -" {
		t.Errorf("next is %+v", next)
	}
	for _, agent := range []string{"developer", "tester", "architect"} {
		s.refused(task.CodeReports, task.OpPhaseReview, task.PhaseReviewPayload{Phase: v, Verdict: task.ReviewApproved})
		s.do(task.OpReport, task.ReportPayload{Phase: p, Iteration: 1, Agent: agent, OID: s.texts.put(agent)})
	}
	s.approve(v)
	s.want(p, task.PhaseCompleted, task.ReviewApproved)

	// A new iteration owes new reports, and nothing for whom it did not launch.
	s.start(late)
	s.do(task.OpPhaseLaunch, task.PhaseLaunchPayload{Phase: late, Agent: "architect"})
	s.executed(late)
	for _, agent := range []string{"developer", "architect"} {
		s.do(task.OpReport, task.ReportPayload{Phase: late, Iteration: 1, Agent: agent, OID: s.texts.put(agent)})
	}
	s.reject(late, "again")
	s.start(late)
	s.executed(late)
	r = s.refusal(task.CodeReports, task.OpPhaseReview, task.PhaseReviewPayload{Phase: late, Verdict: task.ReviewApproved})
	if len(r.Findings) != 1 || r.Findings[0] != "artifacts/2-2e/developer_output.md" {
		t.Errorf("%v", r.Findings)
	}
}

// BC-41: where reports stand in the tree; two verifications never share a path.
func TestReportPath_BC41(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
	w := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
	for _, tt := range []struct {
		arg    string
		verify bool
		want   string
		phase  task.UID
	}{
		{"1", false, "artifacts/1-2e/dev_output.md", p},
		{"1", true, "artifacts/1-2v/dev_review.md", v},
		{"1V", false, "artifacts/1-2v/dev_review.md", v},
		{"1v2", false, "artifacts/1V2-2v/dev_review.md", w},
	} {
		phase, verify, err := s.t.ReportPhase(tt.arg, tt.verify)
		if err != nil || phase.UID != tt.phase {
			t.Errorf("%s: %v, %v", tt.arg, phase.ID, err)
		}
		if got := task.ReportPath(s.t, task.Report{
			Phase: phase.UID, Iteration: 2, Verify: verify,
			Agent: "dev",
		}); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.arg, got, tt.want)
		}
	}
	s.start(p)
	for _, uid := range []task.UID{p, v} {
		name := task.SummaryOf(task.Phase{UID: uid, Iteration: 1})
		path, ok := s.t.DocPath(name)
		if back, found := s.t.DocAt(path); !ok || !found || back != name {
			t.Errorf("summary %s stands at %s, which is %s", name, path, back)
		}
	}
}

// A report that was changed meanwhile is merged like a document.
func TestReport_merged(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	s.start(p)
	base := s.texts.put("1\n2\n3\n")
	first := s.do(task.OpReport, task.ReportPayload{Phase: p, Iteration: 1, Agent: "dev", OID: base})
	s.do(task.OpReport, task.ReportPayload{
		Phase: p, Iteration: 1, Agent: "dev", Base: base,
		OID: s.texts.put("0\n1\n2\n3\n"),
	})
	s.do(task.OpReport, task.ReportPayload{
		Phase: p, Iteration: 1, Agent: "dev", Base: base,
		OID: s.texts.put("1\n2\n3\n4\n"),
	})
	if len(s.t.Reports) != 1 || s.t.Reports[0].UID != first || string(s.t.Reports[0].Data) != "0\n1\n2\n3\n4\n" {
		t.Errorf("reports %+v", s.t.Reports)
	}
	s.do(task.OpReport, task.ReportPayload{Phase: p, Iteration: 1, Agent: "dev", Base: base, OID: s.texts.put("x\n")})
	if len(s.t.Conflicts) != 1 || s.t.Conflicts[0].Path != "artifacts/1-1e/dev_output.md" {
		t.Fatalf("conflicts %+v", s.t.Conflicts)
	}
	c, err := s.t.FindConflict("artifacts/1-1e/dev_output")
	if err != nil {
		t.Fatal(err)
	}
	settled := s.texts.put("settled\n")
	s.do(task.OpDocResolve, task.DocResolvePayload{Conflict: c.UID, OID: settled})
	if len(s.t.Conflicts) != 0 || s.t.TextAt(c.Path) != settled {
		t.Errorf("after the resolve: %+v", s.t.Reports)
	}
}

func TestAgentName(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"developer": "developer", "team:Developer": "Developer", "../../x": "x", "": "", "日本": "",
		"a b/c": "a-b-c", "brew-reviewer": "reviewer", "brew:reviewer": "reviewer", "brew-": "",
		strings.Repeat("x", 100): strings.Repeat("x", 64),
	} {
		if got := task.AgentName(in); got != want || got != "" && !task.ValidName(got) {
			t.Errorf("AgentName(%q) = %q, want %q", in, got, want)
		}
	}
}
