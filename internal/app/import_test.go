package app_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/importer"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
)

// Whatever another system has of a task is in the task that an import makes of it, or a line
// of the losses names its phase.
func TestImport_allOfATaskOrALineOfTheLosses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := open(t, gitstoretest.New(t), mara)
	for seed := range uint64(60) {
		in := foreignTask(rand.New(rand.NewPCG(seed, 7)), seed)
		in.Settle()
		out, err := s.Tasks.Import(ctx, "x", importer.Result{Tasks: []importer.Task{in}})
		if err != nil || len(out.Made) != 1 {
			t.Fatalf("seed %d: %v, %d made", seed, err, len(out.Made))
		}
		made, err := s.Records.Task(ctx, out.Made[0].Task.ID)
		if err != nil {
			t.Fatal(err)
		}
		have, err := s.Tasks.Outline(ctx, made)
		if err != nil {
			t.Fatal(err)
		}
		facts := saidOf(have)
		for _, fact := range saidOf(in) {
			place, _, _ := strings.Cut(fact, ":")
			told := func(l importer.Lost) bool {
				return strings.HasPrefix(l.What, place+" ") || strings.HasPrefix(l.What, place+":")
			}
			if !slices.Contains(facts, fact) && !slices.ContainsFunc(out.Lost, told) {
				t.Fatalf("seed %d: lost without a word: %s\nlost %v\nhave %s", seed, fact, out.Lost, strings.Join(facts, "\n"))
			}
		}
	}
}

// saidOf is all that a task says, each behind the place that a line of losses begins with.
func saidOf(in importer.Task) []string {
	all := []string{
		"the task: title " + in.Title, "the task: branch " + in.Branch, "the task: priority " + string(in.Priority),
	}
	if in.Status.Terminal() {
		all = append(all, "the task: status "+string(in.Status))
	}
	for _, d := range in.Docs {
		all = append(all, fmt.Sprintf("the task: %s is %q", d.Name, d.Text))
	}
	for _, d := range in.Decisions {
		all = append(all, fmt.Sprintf("the task: %+v", d))
	}
	for _, e := range in.Knowledge {
		all = append(all, fmt.Sprintf("the task: %s %s %q %q %q", e.TS, e.T, e.Txt, e.Src, e.Paths))
	}
	for _, p := range in.Phases {
		for _, said := range []string{
			p.Title, string(p.Kind), "of " + p.Of, string(p.Tier), string(p.Status), fmt.Sprintf("plan %q", p.Plan),
			fmt.Sprintf("%q %q %q %q", p.DependsOn, p.Acceptance, p.Verify, p.Agents),
		} {
			all = append(all, "phase "+p.ID+": "+said)
		}
		for _, r := range p.Reports {
			all = append(all, fmt.Sprintf("phase %s: report %q", p.ID, r))
		}
	}
	return all
}

// foreignTask is a task as a reader makes one.
func foreignTask(r *rand.Rand, seed uint64) importer.Task {
	some := func(all ...string) (out []string) {
		for _, s := range all {
			if r.IntN(3) == 0 {
				out = append(out, s)
			}
		}
		return out
	}
	in := importer.Task{
		Source: "x", Title: fmt.Sprintf("Task %d", seed), Branch: fmt.Sprintf("own/task-%d", seed),
		Priority: []task.Priority{"", task.PriorityHigh, task.PriorityLow}[r.IntN(3)], Stage: task.StageExecute,
		Status: []task.Status{
			task.Pending, task.InProgress, task.Paused, task.Finished, task.Failed, task.Cancelled,
		}[r.IntN(6)],
	}
	for _, name := range some("spec", "plan", "research", "roadmap", "context", "final", "changelog") {
		in.Docs = append(in.Docs, importer.Doc{Name: task.DocName(name), Text: []byte("# " + name + "\n\n- [ ] open\n")})
	}
	for i, title := range some("No Redis", "One process", "Forget") {
		in.Decisions = append(in.Decisions, importer.Decision{Title: title, Why: "because", Revoked: i == 1})
	}
	for _, txt := range some("Logs keep tokens", "Keys are rotated") {
		in.Knowledge = append(in.Knowledge, knowledge.Entry{
			TS: "2026-01-02T03:04:05Z", T: knowledge.Avoid, Txt: fmt.Sprint(txt, seed), Src: "me", Paths: some("*.go"),
		})
	}
	for i := range r.IntN(5) {
		p := importer.Phase{
			ID: fmt.Sprint(i + 1), Title: fmt.Sprintf("Phase no %d", i), Acceptance: some("it holds", "it lasts"),
			Verify: some("go test ./...", "a | b"), Agents: some("developer", "tester"),
			Tier: []task.Tier{task.TierAuto, task.TierSenior, task.TierExecutive}[r.IntN(3)],
			Status: []task.PhaseStatus{
				task.PhasePending, task.PhaseInProgress, task.PhaseInReview, task.PhaseCompleted, task.PhaseFailed,
				task.PhaseDropped,
			}[r.IntN(6)],
		}
		if i > 0 && r.IntN(2) == 0 {
			p.DependsOn = []string{"1"}
		}
		if last := len(in.Phases) - 1; i > 0 && in.Phases[last].Of == "" && r.IntN(3) == 0 {
			p.ID, p.Kind, p.Of, p.DependsOn = in.Phases[last].ID+"V", task.KindVerification, in.Phases[last].ID, nil
		}
		for _, name := range some("developer", "reviewer") {
			p.Reports = append(p.Reports, importer.Report{Agent: name, Text: []byte("# Done\n\nby " + name + "\n")})
		}
		if r.IntN(2) == 0 {
			p.Plan = []byte("# Plan of " + p.ID + "\n")
		}
		in.Phases = append(in.Phases, p)
	}
	return in
}
