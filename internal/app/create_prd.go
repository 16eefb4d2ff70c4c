package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/prd"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
)

// readPRD reads a list of stories. All that is wrong with it is told at once, by the place in
// the file; notes are what could be better, and what is left out.
func readPRD(data []byte) (p prd.PRD, notes []string, err error) {
	if len(data) == 0 {
		return p, nil, nil
	}
	if p, err = prd.Decode(data); err != nil {
		return p, nil, clone.Invalid("it is a JSON object with featureName and tasks", "the PRD is not readable: %v", err)
	}
	var wrong []string
	for _, f := range prd.Validate(p) {
		if f.Warning {
			notes = append(notes, "PRD: "+f.String())
		} else {
			wrong = append(wrong, f.String())
		}
	}
	wrong = append(wrong, wrongIDs(p.Stories)...)
	if len(wrong) > 0 {
		return p, nil, &task.RefusedError{
			Code: task.CodeInvalid, Findings: wrong, Hint: "correct the file",
			Msg: "the PRD has " + clone.Counted(len(wrong), "mistake", "mistakes") + ": " + strings.Join(wrong, "; "),
		}
	}
	if p.Walkaway {
		notes = append(notes, "PRD: it asks for walkaway: 'git brew run --walkaway' has an executive decide")
	}
	for i, s := range p.Stories {
		for j, check := range s.Checks {
			if _, err := runner.ReadSimple(check.Command); err != nil && !s.Passes {
				notes = append(notes, fmt.Sprintf("PRD: tasks[%d].verification[%d]: it needs a shell, and runs as bash -c '…': %v",
					i, j, err))
			}
		}
		switch {
		case s.Passes:
			notes = append(notes, "story "+s.ID+" passes already, and becomes no phase")
		case s.Manual:
			notes = append(notes, "story "+s.ID+" asks for a person's look: 'git brew run --skip "+s.ID+"' leaves it to you")
		}
	}
	return p, append(notes, "'git brew run' starts the task, and has workers carry out its phases"), nil
}

// wrongIDs are the stories' ids that no phase can have, which is a directory's name, and a
// branch's, too.
func wrongIDs(stories []prd.Story) (wrong []string) {
	places := map[string]int{}
	for i, s := range stories {
		err := task.CheckName(s.ID)
		if err == nil {
			err = task.Task{}.CheckID(s.ID)
		}
		_, _, other := task.Task{}.KindOf(s.ID)
		first, taken := places[strings.ToLower(s.ID)]
		why := ""
		switch {
		case strings.TrimSpace(s.ID) == "":
		case err != nil:
			why = err.Error()
		case other:
			why = s.ID + " is what a final review is called; choose another id"
		case taken && stories[first].ID != s.ID: // else that is told
			why = fmt.Sprintf("tasks[%d] is called %s; the case of letters makes no difference", first, stories[first].ID)
		}
		if why != "" {
			wrong = append(wrong, fmt.Sprintf("tasks[%d].id: %s", i, why))
		}
		if !taken {
			places[strings.ToLower(s.ID)] = i
		}
	}
	return wrong
}

// commandsOf returns a story's checks as commands that verify a phase. Brigade gave all of
// them to bash; what needs no shell goes without.
func commandsOf(s prd.Story) []string {
	var out []string
	for _, check := range s.Checks {
		command := check.Command
		if _, err := runner.ReadSimple(command); err != nil {
			command = "bash -c " + change.ShellWord(command)
		}
		out = append(out, command)
	}
	return out
}

// addStories adds a phase for each story, in an order in which every story comes after
// those that it depends on, which Validate has seen to be possible.
func (s *Tasks) addStories(ctx context.Context, c *change.Tx, p prd.PRD) error {
	uids := map[string]task.UID{}
	for left := p.Stories; len(left) > 0; {
		var later []prd.Story
		for _, story := range left {
			deps, ready := []task.UID{}, true
			for _, id := range story.DependsOn {
				uid, ok := uids[id]
				if ready = ready && ok; uid != "" {
					deps = append(deps, uid)
				}
			}
			if story.Passes {
				uids[story.ID] = ""
				continue
			}
			if !ready {
				later = append(later, story)
				continue
			}
			uid, err := s.addStory(ctx, c, story, deps)
			if err != nil {
				return err
			}
			uids[story.ID] = uid
		}
		left = later
	}
	return nil
}

func (s *Tasks) addStory(ctx context.Context, c *change.Tx, story prd.Story, deps []task.UID) (task.UID, error) {
	uid, err := operation.NewID(s.Clone.Random)
	if err != nil {
		return uid, err
	}
	tier, err := task.ParseTier(story.Complexity)
	if err != nil {
		return uid, err
	}
	if err := c.Do(ctx, ledger.Draft{ID: uid, Kind: task.OpPhaseAdd, Payload: task.PhaseAddPayload{
		Title: story.Title, Kind: task.KindExecution, ShownID: story.ID, DependsOn: deps,
		Acceptance: story.Acceptance, Verification: commandsOf(story), Tier: tier,
	}}); err != nil || story.Description == "" {
		return uid, err
	}
	text := fmt.Sprintf("---\nphase: %s\n---\n\n# %s\n\n%s\n", story.ID, story.Title, story.Description)
	return uid, c.SetDocument(ctx, storyPlan(uid), []byte(text))
}

// PRD is a task as a list of stories, in Brigade's JSON: one for each phase that is work of
// its own. Fixes, verifications and research belong to others.
func (s *Tasks) PRD(ctx context.Context, t task.Task) ([]byte, error) {
	p := prd.PRD{FeatureName: t.Title, BranchName: t.Branch, CreatedAt: t.CreatedAt}
	for _, phase := range t.Phases {
		if phase.Kind != task.KindExecution && phase.Kind != task.KindSplit {
			continue
		}
		story := prd.Story{
			ID: phase.ID, Title: phase.Title, Acceptance: phase.Acceptance, Complexity: string(phase.Tier),
			Passes: phase.Status.Over(),
		}
		if phase.Tier == task.TierExecutive { // Brigade has no word for it
			story.Complexity = string(task.TierSenior)
		}
		for _, command := range phase.Verification {
			if simple, err := runner.ReadSimple(command); err == nil && len(simple.Args) == 3 &&
				slices.Equal(simple.Args[:2], []string{"bash", "-c"}) {
				command = simple.Args[2]
			}
			story.Checks = append(story.Checks, prd.Check{Command: command})
		}
		for _, uid := range t.DependenciesOf(phase) {
			if on, ok := t.Phase(uid); ok {
				story.DependsOn = append(story.DependsOn, on.ID)
			}
		}
		if name := storyPlan(phase.UID); t.HasDoc(name) {
			doc, err := s.Records.Document(ctx, t, name)
			if err != nil {
				return nil, err
			}
			_, text, _ := strings.Cut(string(doc.Text), "\n# ")
			_, text, _ = strings.Cut(text, "\n")
			story.Description = strings.TrimSpace(text)
		}
		p.Stories = append(p.Stories, story)
	}
	return prd.Encode(p)
}

// storyPlan is the document that has a story's description.
func storyPlan(phase task.UID) task.DocName { return task.DocName("phases/" + string(phase) + "/plan") }

// PromoteBacklog makes a task of an item.
func (s *Tasks) PromoteBacklog(ctx context.Context, arg string, r CreateRequest) (Result, error) {
	p, err := s.knowledge.Project(ctx)
	if err != nil {
		return Result{}, err
	}
	item, err := learn.OpenItem(p.Backlog, arg)
	if err != nil {
		return Result{}, err
	}
	if r.Title == "" {
		r.Title = item.Txt
	}
	created, err := s.Create(ctx, r)
	if err != nil {
		return created, err
	}
	s.Engine.Last = change.LastChange{} // an item that is a task stays one
	return created, s.knowledge.ChangeProject(ctx, func(knowledge.State) ([]ledger.Draft, error) {
		return []ledger.Draft{{
			Kind:    knowledge.OpBacklogPromote,
			Payload: knowledge.BacklogItemPayload{Item: item.ID, Task: string(created.Task.ID)},
		}}, nil
	})
}
