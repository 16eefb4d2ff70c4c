package importer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
)

// Whatever a task has, a system that is written has it again when it is read, or a line of
// the losses says that it has not.
func TestWrite_allOfATask(t *testing.T) {
	t.Parallel()
	for _, s := range Systems() {
		if !s.Writes {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				in := anyTask(t)
				files, lost := s.Write(in)
				if s.Name == "brigade" && len(PRDOf(in).Stories) == 0 && len(lost) == 1 { // it has no list of no stories
					return
				}
				out, err := s.Read(mapOf(files), "x", "")
				if err != nil || len(out.Tasks) != 1 {
					t.Fatalf("%v, %d tasks, lost %v", err, len(out.Tasks), lost)
				}
				ids := idsOf(out.Tasks[0])
				if len(ids) == len(in.Phases) { // all came along, with whatever ids
					ids = idsOf(in)
				}
				have := factsOf(out.Tasks[0], ids)
				for place, all := range factsOf(in, idsOf(in)) {
					for name, value := range all {
						told := func(l Lost) bool {
							if l.Path == place && strings.Contains(l.What, "it has no place there") {
								return true
							}
							return l.Path == place && (l.Path == name || strings.Contains(l.What, name)) ||
								strings.Contains(l.What, place+" ") && strings.Contains(l.What, name)
						}
						if !strings.Contains(have[place][name], value) && !slices.ContainsFunc(append(lost, out.Lost...), told) {
							t.Fatalf("%s of %s is %q, was %q; lost %v %v", name, place, have[place][name], value, lost, out.Lost)
						}
					}
				}
			})
		})
	}
}

func idsOf(in Task) (ids []string) {
	for _, p := range in.Phases {
		ids = append(ids, p.ID)
	}
	return ids
}

// factsOf is what a task says, by the place and the word that a line of losses has for it.
func factsOf(in Task, ids []string) map[string]map[string]string {
	facts := map[string]map[string]string{}
	add := func(place, name, value string) {
		if value == "" {
			return
		} else if facts[place] == nil {
			facts[place] = map[string]string{}
		}
		facts[place][name] += value
	}
	add("title", "title", in.Title)
	add("branch", "branch", in.Branch)
	add("status", "status", underWay(in).String())
	if begun(in.Phases) {
		in.Stage = task.StageExecute
	}
	add("stage", "stage", string(in.Stage))
	add("priority", "priority", string(in.Priority))
	for _, d := range in.Docs {
		add(string(d.Name), string(d.Name), string(d.Text))
	}
	for _, d := range in.Decisions {
		add("decisions", "decisions", fmt.Sprintf("%+v;", d))
	}
	for _, e := range in.Knowledge {
		add("knowledge", "knowledge", fmt.Sprintf("%+v;", e))
	}
	for i, p := range in.Phases {
		place := "phase " + ids[i]
		add(place, "id", p.ID)
		add(place, "title", p.Title)
		add(place, "kind", string(p.Kind))
		add(place, "belongs to", p.Of)
		add(place, "tier", string(p.Tier))
		add(place, "status", p.Status.String())
		add(place, "waits for", strings.Repeat("x", len(p.DependsOn)))
		add(place, "criteria", strings.Join(p.Acceptance, "\n"))
		add(place, "commands", strings.Join(p.Verify, "\n"))
		add(place, "agent", strings.Join(p.Agents, " "))
		for _, r := range p.Reports {
			add(place, "report", fmt.Sprintf("%s %q ", r.Agent, r.Text))
		}
		add(place, "plan", string(p.Plan))
	}
	return facts
}

// anyTask is a task with whatever one can have here, as Outline makes it.
func anyTask(t *rapid.T) Task {
	word := rapid.StringMatching(`[A-Z][a-z|:#*]{0,8}( [a-z0-9]{1,6}){0,2}[a-z]`)
	text := rapid.Map(word, func(s string) []byte {
		return fmt.Appendf(nil, "# %s\n\n## Open Questions\n\n- [ ] %[1]s\n", s)
	})
	some := func(name string, make *rapid.Generator[string]) []string {
		return rapid.SliceOfNDistinct(make, 0, 3, func(s string) string { return s }).Draw(t, name)
	}
	in := Task{
		Title: word.Draw(t, "title"), Branch: rapid.SampledFrom([]string{"feature/x", "fix/y-2"}).Draw(t, "branch"),
		Stage: rapid.SampledFrom([]task.Stage{task.StageClarify, task.StagePlan, task.StageExecute}).Draw(t, "stage"),
		Status: rapid.SampledFrom([]task.Status{
			task.Pending, task.InProgress, task.Paused, task.Finished, task.Failed, task.Cancelled,
		}).Draw(t, "status"),
		Priority: rapid.SampledFrom([]task.Priority{"", task.PriorityHigh, task.PriorityLow}).Draw(t, "priority"),
	}
	docs := []string{"spec", "plan", "research", "roadmap", "context", "final", "changelog"}
	for _, name := range some("docs", rapid.SampledFrom(docs)) {
		in.Docs = append(in.Docs, Doc{task.DocName(name), text.Draw(t, name)})
	}
	for i, title := range some("decisions", word) {
		in.Decisions = append(in.Decisions, Decision{Title: title, Why: word.Draw(t, "why"), Revoked: i == 1})
	}
	for _, txt := range some("knowledge", word) {
		in.Knowledge = append(in.Knowledge, knowledge.Entry{
			TS: "2026-01-02T03:04:05Z", T: knowledge.Avoid, Txt: txt + " keeps tokens", Src: "me", Paths: some("paths", word),
		})
	}
	for range rapid.IntRange(0, 4).Draw(t, "phases") {
		in.Phases = append(in.Phases, anyPhase(t, in.Phases, word, text, some))
	}
	return in
}

// anyPhase is a phase behind others.
func anyPhase(t *rapid.T, before []Phase, word *rapid.Generator[string], text *rapid.Generator[[]byte],
	some func(string, *rapid.Generator[string]) []string,
) Phase {
	command := rapid.Map(word, func(s string) string { return "go " + s }) // none that a PRD may not have
	p := Phase{
		ID: fmt.Sprint(len(before) + 1), Title: word.Draw(t, "title"), Kind: task.KindExecution,
		Tier:       rapid.SampledFrom([]task.Tier{task.TierAuto, task.TierSenior, task.TierExecutive}).Draw(t, "tier"),
		Acceptance: some("criteria", word), Verify: some("commands", command),
		Agents: some("agents", rapid.SampledFrom([]string{"developer", "tester"})),
		Status: rapid.SampledFrom([]task.PhaseStatus{
			task.PhasePending, task.PhaseInProgress, task.PhaseInReview, task.PhaseCompleted, task.PhaseFailed,
			task.PhaseDropped,
		}).Draw(t, "status"),
	}
	if n := len(before); n > 0 {
		last := before[n-1]
		p.DependsOn = some("on", rapid.SampledFrom([]string{before[0].ID, last.ID}))
		if last.Kind == task.KindExecution && rapid.Bool().Draw(t, "verification") {
			p.ID, p.Kind, p.Of, p.DependsOn = last.ID+"V", task.KindVerification, last.ID, nil
		}
	}
	if rapid.Bool().Draw(t, "planned") {
		p.Plan = text.Draw(t, "plan")
	}
	for _, agent := range some("reports", rapid.SampledFrom([]string{"developer", "reviewer"})) {
		p.Reports = append(p.Reports, Report{agent, text.Draw(t, "report")})
	}
	return p
}
