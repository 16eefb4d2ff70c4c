package importer

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/prd"
	"github.com/git-brew/git-brew/internal/task"
)

// readBrigade reads lists of stories. What is wrong with one is an error: who made it can
// correct it, and 'git brew create --prd' says the same.
func readBrigade(r *reader) error {
	for _, p := range r.paths {
		if path.Ext(p) != ".json" || strings.HasSuffix(p, ".state.json") || alone(r.paths, p) {
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
				r.lose(p, 0, "%s", line(f.String(), task.MaxTitle))
			}
		}
		if len(wrong) > 0 {
			return fmt.Errorf("%s: %w", p, errors.New(strings.Join(wrong, "; ")))
		}
		t := OfPRD(list)
		t.Source = p
		r.leftOfPRD(p, list)
		r.out.Tasks = append(r.out.Tasks, t)
	}
	return nil
}

func (r *reader) leftOfPRD(p string, list prd.PRD) {
	if list.CreatedAt != "" {
		r.lose(p, 0, "createdAt: %s", line(list.CreatedAt, task.MaxTitle))
	}
	if list.Walkaway {
		r.lose(p, 0, "walkaway: 'git brew run --walkaway' has an executive decide")
	}
	for _, s := range list.Stories {
		if s.Manual {
			r.lose(p, 0, "story %s asks for a person's look: 'git brew run --skip' leaves it to you", line(s.ID, task.MaxName))
		}
	}
}

// alone passes over JSON files of a directory that are not called prd….json.
func alone(paths []string, p string) bool {
	return len(paths) > 1 && !strings.HasPrefix(path.Base(p), "prd")
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
// verifications and research belong to others, and what waits for one of them waits for the
// story that it is about. What was dropped is left out, for it is neither done nor to do.
// Brigade has no executive to give a story to.
func PRDOf(t Task) prd.PRD {
	list := prd.PRD{FeatureName: t.Title, BranchName: t.Branch, Description: string(t.Doc(task.DocSpec))}
	for _, p := range t.Phases {
		if !isStory(p) || p.Status == task.PhaseDropped {
			continue
		}
		s := prd.Story{
			ID: p.ID, Title: p.Title, Acceptance: p.Acceptance, DependsOn: storiesBefore(t, p), Complexity: string(p.Tier),
			Passes: p.Status == task.PhaseCompleted, Description: below(p.Plan),
		}
		if p.Tier == task.TierExecutive {
			s.Complexity = string(task.TierSenior)
		}
		for _, command := range p.Verify {
			s.Checks = append(s.Checks, prd.CheckOf(command))
		}
		list.Stories = append(list.Stories, s)
	}
	return list
}

func isStory(p Phase) bool { return p.Kind == task.KindExecution || p.Kind == task.KindSplit }

// storiesBefore are the stories that a phase waits for. Research comes before what it is
// about, so nothing waits for that in its place.
func storiesBefore(t Task, p Phase) (ids []string) {
	for _, id := range p.DependsOn {
		on := find(t.Phases, id)
		for range t.Phases {
			if on != nil && !isStory(*on) && on.Kind != task.KindResearch {
				on = find(t.Phases, on.Of)
			}
		}
		if on != nil && isStory(*on) && on.Status != task.PhaseDropped && on.ID != p.ID && !slices.Contains(ids, on.ID) {
			ids = append(ids, on.ID)
		}
	}
	return ids
}

// below is what stands below a text's heading; all of it where it has none.
func below(text []byte) string {
	rest := strings.TrimLeft(withoutFront(text), "\n")
	if strings.HasPrefix(rest, "# ") {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return strings.TrimSpace(rest)
}

func writeBrigade(t Task) []File {
	data, err := prd.Encode(PRDOf(t))
	if err != nil {
		return nil
	}
	return []File{{"prd-" + slugOf(t.Title) + ".json", data}}
}
