package rules_test

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
)

const wantFinal = `# Add JWT auth

## What failed

- The library is gone
- Phase 2, Login | endpoint: no &lt;key>

## What was done

- **1 Token model** (` + "`a000000..b000000`" + `)
  - developer: ` + "`artifacts/1-1e/developer_output.md`" + `
- **2 Login | endpoint** (failed)

## What was learned

- **avoid** token ids are strings
- **fact** tokens expire

## The task

` + "`add-jwt-auth-k3v9q2m` on `feature/add-jwt-auth` (from `main`)" + `: failed on 2026-03-01. 1 of 2 phases completed, 2 iterations, worked 4m.
`

// BC-34, BC-44: the whole story from the state alone.
func TestFinalReport_BC34_BC44(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{Title: "Token model"})
	two := s.add(task.PhaseAddPayload{Title: "Login | endpoint"})
	s.start(one)
	s.do(task.OpKnowledgeAdd, task.KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "fact", Txt: "tokens expire"})
	s.do(task.OpReport, task.ReportPayload{Phase: one, Iteration: 1, Agent: "developer", OID: s.texts.put("done\n")})
	s.executed(one)
	s.approve(one)
	s.do(task.OpKnowledgeAdd, task.KnowledgeAddPayload{
		TS: "2026-03-01T10:00:00Z", T: "avoid",
		Txt: "token ids are strings",
	})
	s.do(task.OpKnowledgeAdd, task.KnowledgeAddPayload{
		TS: "2026-03-01T10:00:00Z", T: "fact", Txt: "Handoff at phase 2",
		Src: "pre-compact",
	})
	s.start(two)
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: two, Reason: "no <key>"})
	s.do(task.OpFinish, task.FinishPayload{Status: task.Failed, Reason: "The library\nis gone"})
	if got := report.FinalReport(s.t, report.Story{}, ""); got != wantFinal {
		t.Errorf("got\n%s\nwant\n%s", got, wantFinal)
	}
}

// BC-44: a reviewer reads why, what was asked for, and how to check it.
func TestFinalReport_BC44_readsAsAPullRequest(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{
		Title: "Token model", Acceptance: []string{"tokens expire"},
		Verification: []string{"go test ./..."},
	})
	s.add(task.PhaseAddPayload{
		Title: "Login", Acceptance: []string{"login works"},
		Verification: []string{"go test ./...", "one\ntwo"},
	})
	s.complete(one)
	got := report.FinalReport(s.t, report.Story{About: "Sessions outlive\nthe server."}, "")
	for _, want := range []string{
		"# Add JWT auth\n\nSessions outlive the server.\n\n## What was done\n",
		"## What was asked for\n\n- [x] tokens expire (phase 1)\n- [ ] login works (phase 2)\n",
		"## How to check it\n\n    go test ./...\n\n## The task\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwithout\n%s", got, want)
		}
	}
}

// BC-43: what an iteration came to, with what is missing.
func TestSummary_BC43(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{
		Title: "Token model", Agents: []string{"developer", "tester"},
		Acceptance: []string{"expires in seconds"},
	})
	s.start(p)
	s.do(task.OpReport, task.ReportPayload{Phase: p, Iteration: 1, Agent: "developer", OID: s.texts.put("done\n")})
	s.executed(p)
	s.reject(p, "not in seconds")
	s.add(task.PhaseAddPayload{Title: "Seconds", Kind: task.KindFix, Parent: p})
	want := `# Phase 1, iteration 1: Token model

- Status: in review, changes wanted
- Reason: not in seconds
- Worked: 2m
- Commits: ` + "`a000000..b000000`" + `
- Accepted when: expires in seconds
- Fix 1.1: Seconds, pending

## Reports

- ` + "`artifacts/1-1e/developer_output.md`" + `
- ` + "`artifacts/1-1e/tester_output.md`" + ` is MISSING
`
	if got := report.Summary(s.t, s.phase(p)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	name := task.SummaryOf(s.phase(p))
	s.write(name, report.Summary(s.t, s.phase(p)))
	if path, ok := s.t.DocPath(name); !ok || path != "artifacts/1-1e/summary.md" {
		t.Errorf("it stands at %s", path)
	}
	if got, err := task.ParseDocName(s.t, "artifacts/1-1e/summary"); err != nil || got != name {
		t.Errorf("it is named %s, %v", got, err)
	}
	if names := s.t.DocNames(); len(names) != 1 || names[0] != name {
		t.Errorf("documents %v", names)
	}
}

func TestFinalReport_nothingDone(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	got := report.FinalReport(s.t, report.Story{}, "2026-03-05T00:00:00Z")
	if got != "# Add JWT auth\n\n## The task\n\n`add-jwt-auth-k3v9q2m` on `feature/add-jwt-auth` (from `main`): "+
		"pending on 2026-03-05.\n" {
		t.Error(got)
	}
}

// What was not begun was not done, and nobody is told of a plan that nobody skipped.
func TestFinalReport_notBegun(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{Title: "Token model"})
	s.add(task.PhaseAddPayload{Title: "Login endpoint"})
	s.drop(s.add(task.PhaseAddPayload{Title: "Not wanted"}))
	s.do(task.OpPhaseStart, task.PhasePayload{Phase: one, Passed: []task.Passed{{Step: task.StepPlan, Phase: one}}})
	got := report.FinalReport(s.t, report.Story{}, "")
	if strings.Contains(got, "Login endpoint") || strings.Contains(got, "0 of") || strings.Contains(got, "plan of phase") {
		t.Error(got)
	}
	if !strings.Contains(got, "**1 Token model** (in progress)") { // where it began is no work
		t.Error(got)
	}
}

// BC-44: what a reader of a pull request can't open or see is told: what reviews
// found and what reports say; an empty column tells nothing.
func TestFinalReport_BC44_reviewsAndReports(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{Title: "Token model"})
	s.do(task.OpReport, task.ReportPayload{Phase: one, Iteration: 1, Agent: "developer", OID: s.texts.put("done\n")})
	got := report.FinalReport(s.t, report.Story{
		About:      "- a list",
		Rejections: map[task.UID][]string{one: {"no tests", "one more\nthing"}},
		Reports:    map[task.UID]string{s.t.Reports[0].UID: "Tokens are signed."},
	}, "")
	for _, want := range []string{
		"# Add JWT auth\n\n- a list\n",
		"## What to look at\n\n- Phase 1, Token model, was sent back: no tests\n" +
			"- Phase 1, Token model, was sent back: one more thing\n",
		"## What was done\n\n- **1 Token model** (pending)\n  - developer: Tokens are signed.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// BC-44: the commits stand with their phases, what there is none of is not told, and what
// a commit says can't be anything but a line.
func TestFinalReport_BC44_commits(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{Title: "Token model"})
	s.complete(one)
	many := make([]report.ToldCommit, 20+2)
	for i := range many {
		many[i] = report.ToldCommit{ID: "c0ffee0000", Subject: "more"}
	}
	got := report.FinalReport(s.t, report.Story{
		Commits: map[task.UID][]report.ToldCommit{one: {{ID: "b00f000000", Subject: "Sign <b>\nit"}}, "": many},
		Stat:    " token.go | 2 ++\n 1 file changed, 2 insertions(+)\n",
	}, "")
	for _, want := range []string{
		"- **1 Token model**\n  - `b00f000` Sign &lt;b> it\n- **Beside the phases**\n  - `c0ffee0` more\n",
		"  - and 2 commits\n\n## Changes\n\n    token.go | 2 ++\n    1 file changed, 2 insertions(+)\n\n## The task\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, " 0 ") || strings.Contains(got, "Metrics") {
		t.Errorf("it counts what there is none of:\n%s", got)
	}
}
