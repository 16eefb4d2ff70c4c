package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/importer"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
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
	var wrong, warnings []string
	for _, f := range prd.Validate(p) {
		if f.Warning {
			notes, warnings = append(notes, "PRD: "+f.String()), append(warnings, "warning: "+f.String())
		} else {
			wrong = append(wrong, f.String())
		}
	}
	wrong = append(wrong, wrongNames(p)...)
	if len(wrong) > 0 {
		told := clone.Counted(len(wrong), "mistake", "mistakes")
		if len(warnings) > 0 {
			told += " and " + clone.Counted(len(warnings), "warning", "warnings")
		}
		wrong = append(wrong, warnings...)
		return p, nil, &task.RefusedError{
			Code: task.CodeInvalid, Findings: wrong, Hint: "correct the file",
			Msg: "the PRD has " + told + ": " + strings.Join(wrong, "; "),
		}
	}
	if p.Walkaway {
		notes = append(notes, "PRD: it asks for walkaway: 'git brew run --walkaway' has an executive decide")
	}
	for i, s := range p.Stories {
		for j, check := range s.Checks {
			if _, err := runner.ReadSimple(check.Command); err != nil && !s.Passes {
				at := fmt.Sprintf("PRD: tasks[%d].verification[%d]: ", i, j)
				notes = append(notes, at+"it needs a shell, and runs as bash -c '…': "+err.Error())
			}
		}
		switch {
		case s.Passes:
			notes = append(notes, "story "+s.ID+" passes already, and becomes no phase")
		case s.Manual:
			notes = append(notes, "story "+s.ID+" asks for a person's look: 'git brew run --skip "+s.ID+"' leaves it to you")
		}
	}
	return p, notes, nil
}

// wrongNames are the branch's that git refuses, and the stories' ids that no phase can have,
// which is a directory's name, and a branch's, too.
func wrongNames(p prd.PRD) (wrong []string) {
	if _, err := gitstore.ParseRefName("refs/heads/" + p.BranchName); p.BranchName != "" && err != nil {
		wrong = append(wrong, fmt.Sprintf("branchName: %q is no name for a branch", task.Clip(p.BranchName, 100)))
	}
	places, stories := map[string]int{}, p.Stories
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

// storiesOf is what a new task takes of a PRD, and what of it does not fit. What passes is
// done already.
func storiesOf(p prd.PRD) (t importer.Task, notes []string) {
	if len(p.Stories) == 0 {
		return t, nil
	}
	t = importer.OfPRD(p)
	if len(t.Docs) > 0 { // the description of a feature is no specification yet
		t.Docs, notes = nil, []string{"PRD: description: it is left out; 'git brew doc set spec -' keeps what matters of it"}
	}
	passes := func(id string) bool {
		return slices.ContainsFunc(p.Stories, func(s prd.Story) bool { return s.ID == id && s.Passes })
	}
	t.Phases = slices.DeleteFunc(t.Phases, func(p importer.Phase) bool { return passes(p.ID) })
	for i := range t.Phases {
		t.Phases[i].DependsOn = slices.DeleteFunc(slices.Clone(t.Phases[i].DependsOn), passes)
	}
	for _, lost := range t.Settle() {
		notes = append(notes, "PRD: "+lost.What)
	}
	return t, notes
}

// addPhases adds phases to a new task, each behind those that it waits for.
func (s *Tasks) addPhases(ctx context.Context, c *change.Tx, all []importer.Phase) (map[string]task.UID, error) {
	uids := map[string]task.UID{}
	for _, p := range all {
		add := task.PhaseAddPayload{
			Title: p.Title, Kind: p.Kind, ShownID: p.ID, Parent: uids[p.Of], Acceptance: p.Acceptance,
			Verification: commandsOf(p.Verify), Tier: p.Tier, Agents: p.Agents,
		}
		for _, id := range p.DependsOn {
			add.DependsOn = append(add.DependsOn, uids[id])
		}
		added, err := phase.Add(ctx, c, add)
		if err == nil && p.Plan != nil {
			err = c.SetDocument(ctx, task.PlanOf(added.UID), p.Plan)
		}
		if err != nil {
			return nil, fmt.Errorf("phase %s: %w", p.ID, err)
		}
		uids[p.ID] = added.UID
	}
	return uids, nil
}

// commandsOf returns commands of another system as those that verify a phase. They gave
// all of them to a shell; what needs none goes without.
func commandsOf(all []string) []string {
	var out []string
	for _, command := range all {
		check := prd.CheckOf(command)
		if _, err := runner.ReadSimple(check.Command); err != nil {
			check.Command = "bash -c " + change.ShellWord(check.Command)
		}
		out = append(out, check.String())
	}
	return out
}

// PRD is a task as a list of stories, in Brigade's JSON.
func (s *Tasks) PRD(ctx context.Context, t task.Task) ([]byte, error) {
	out, err := s.Outline(ctx, t)
	if err != nil {
		return nil, err
	}
	p := importer.PRDOf(out)
	p.CreatedAt, p.Description = t.CreatedAt, ""
	return prd.Encode(p)
}

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
