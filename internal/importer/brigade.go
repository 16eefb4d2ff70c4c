package importer

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/git-brew/git-brew/internal/prd"
	"github.com/git-brew/git-brew/internal/task"
)

// readBrigade reads lists of stories. What is wrong with one is an error: who made it can
// correct it, and 'git brew create --prd' says the same.
func readBrigade(r *reader) error {
	for _, p := range r.paths {
		if path.Ext(p) != ".json" || strings.HasSuffix(p, ".state.json") || r.alone(p) {
			continue
		}
		data, err := r.data(p, task.MaxText)
		if err != nil {
			return err
		}
		list, err := prd.Decode(data)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		var wrong []string
		for _, f := range prd.Validate(list) {
			if !f.Warning {
				wrong = append(wrong, f.String())
			} else if strings.Contains(f.Text, "left out") {
				r.lose(p, 0, "%s", f)
			}
		}
		if len(wrong) > 0 {
			return fmt.Errorf("%s: %w", p, errors.New(strings.Join(wrong, "; ")))
		}
		t := OfPRD(list)
		t.Source = p
		for _, s := range list.Stories {
			if s.Manual {
				r.lose(p, 0, "story %s asks for a person's look: 'git brew run --skip' leaves it to you", line(s.ID, task.MaxName))
			}
		}
		r.out.Tasks = append(r.out.Tasks, t)
	}
	for _, p := range r.paths {
		if strings.HasSuffix(p, ".state.json") {
			r.lose(p, 0, "who worked on which story, and when, is Brigade's")
		}
	}
	return nil
}

// alone passes over JSON files of a directory that are not called prd….json.
func (r *reader) alone(p string) bool {
	return len(r.paths) > 1 && !strings.HasPrefix(path.Base(p), "prd")
}

// OfPRD is a list of stories as a task, each story a phase. Order and ids stay as they are.
func OfPRD(list prd.PRD) Task {
	t := Task{Title: list.FeatureName, Branch: list.BranchName, Stage: task.StageExecute}
	if strings.TrimSpace(list.Description) != "" {
		t.Docs = []Doc{{task.DocSpec, []byte(list.Description)}}
	}
	for _, s := range list.Stories {
		tier, _ := task.ParseTier(s.Complexity)
		p := Phase{
			ID: s.ID, Title: s.Title, DependsOn: s.DependsOn, Acceptance: s.Acceptance, Tier: tier,
		}
		for _, check := range s.Checks {
			p.Verify = append(p.Verify, check.String())
		}
		if s.Description != "" {
			p.Plan = fmt.Appendf(nil, "---\nphase: %s\n---\n\n# %s\n\n%s\n", s.ID, s.Title, s.Description)
		}
		if s.Passes {
			p.Status = task.PhaseCompleted
		}
		t.Phases = append(t.Phases, p)
	}
	return t
}

// PRDOf is a task as a list of stories: one for each phase that is work of its own. Fixes,
// verifications and research belong to others.
func PRDOf(t Task) (list prd.PRD, lost []Lost) {
	list = prd.PRD{FeatureName: t.Title, BranchName: t.Branch, Description: string(t.Doc(task.DocSpec))}
	for _, p := range t.Phases {
		if p.Kind != task.KindExecution && p.Kind != task.KindSplit {
			lost = append(lost, ofPhase(p, "Brigade has no stories of that kind"))
			continue
		}
		s := prd.Story{
			ID: p.ID, Title: p.Title, Acceptance: p.Acceptance, DependsOn: p.DependsOn, Complexity: string(p.Tier),
			Passes: p.Status.Over(), Description: below(p.Plan),
		}
		if p.Tier == task.TierExecutive { // Brigade has no word for it
			s.Complexity = string(task.TierSenior)
			lost = append(lost, ofPhase(p, "Brigade has no executive to give a story to; it says senior"))
		}
		for _, command := range p.Verify {
			s.Checks = append(s.Checks, prd.CheckOf(command))
		}
		if len(p.Agents)+len(p.Reports) > 0 {
			lost = append(lost, ofPhase(p, "Brigade has no agents and reports of a story"))
		}
		if p.Status != task.PhasePending && p.Status != task.PhaseCompleted {
			lost = append(lost, ofPhase(p, "it is %s; Brigade knows whether it passes", p.Status))
		}
		list.Stories = append(list.Stories, s)
	}
	for _, d := range t.Docs {
		if d.Name != task.DocSpec {
			lost = append(lost, Lost{Path: string(d.Name), What: "Brigade has no such document"})
		}
	}
	if n := len(t.Decisions) + len(t.Knowledge); n > 0 {
		lost = append(lost, Lost{What: fmt.Sprintf("%d decisions and entries of knowledge have no place in a PRD", n)})
	}
	return list, lost
}

// below is what stands below a text's heading; all of it where it has none.
func below(text []byte) string {
	rest := strings.TrimLeft(withoutFront(text), "\n")
	if strings.HasPrefix(rest, "# ") {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return strings.TrimSpace(rest)
}

func writeBrigade(t Task) ([]File, []Lost) {
	list, lost := PRDOf(t)
	data, err := prd.Encode(list)
	if err != nil {
		return nil, append(lost, Lost{What: err.Error()})
	}
	return []File{{"prd-" + slugOf(t.Title) + ".json", data}}, lost
}
