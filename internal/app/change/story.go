package change

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
)

// Story is what the final report tells beside the state: the reviews are in the
// task's history, what its reports say in their texts.
func (s *Engine) Story(ctx context.Context, t task.Task) (report.Story, error) {
	story := report.Story{
		Rejections: map[task.UID][]string{}, Reports: map[task.UID]string{},
		Commits: map[task.UID][]report.ToldCommit{},
	}
	var err error
	if story.About, err = s.about(ctx, t); err != nil {
		return story, err
	}
	steps, err := s.Records.History(ctx, t.ID)
	if err != nil {
		return story, err
	}
	for _, step := range slices.Backward(steps) {
		var p task.PhaseReviewPayload
		if step.Op == nil || step.Op.Kind != task.OpPhaseReview || json.Unmarshal(step.Op.Payload, &p) != nil ||
			p.Verdict != task.ReviewChanges {
			continue
		}
		story.Rejections[p.Phase] = append(story.Rejections[p.Phase], p.Reason)
	}
	for _, r := range t.Reports {
		oid, err := gitstore.ParseOID(r.OID)
		if err != nil {
			return story, err
		}
		text, err := s.Clone.Repo.Objects.Blob(ctx, oid)
		if err != nil {
			continue // a damaged report keeps no task from ending; its path is told
		}
		story.Reports[r.UID] = document.Lead(text)
	}
	story.Backlog = s.broughtUp(ctx, t.ID)
	return story, s.tellCommits(ctx, t, &story)
}

// broughtUp is what a task brought up that is open in the backlog. What can't be read keeps no task
// from ending.
func (s *Engine) broughtUp(ctx context.Context, id task.ID) (texts []string) {
	tip, err := s.Clone.Ledger.Tip(ctx, ledger.KnowledgeRef)
	if err != nil {
		return nil
	}
	p, _ := ledger.Load(ctx, s.Clone.Ledger, records.ProjectLaw(), tip)
	for _, item := range p.Backlog {
		if item.Open() && item.Task == string(id) {
			texts = append(texts, item.Txt)
		}
	}
	return texts
}

// about is what the task is about: the first paragraph of its spec, or plan.
func (s *Engine) about(ctx context.Context, t task.Task) (string, error) {
	for _, name := range []task.DocName{task.DocSpec, task.DocPlan} {
		if !t.HasDoc(name) {
			continue
		}
		d, err := s.Records.Document(ctx, t, name)
		if err != nil {
			return "", err
		}
		if lead := document.Lead(d.Text); lead != "" {
			return lead, nil
		}
	}
	return "", nil
}

// statWidth and statFiles bound a diffstat: it stands in a text that is read in a forge.
const statWidth, statFiles = "76", "30"

// tellCommits adds what the task changed in the code: commits by phase, and a diffstat.
// What is not here, and what a task changed in services, is not told.
func (s *Engine) tellCommits(ctx context.Context, t task.Task, story *report.Story) error {
	tip, err := s.Code.BranchTip(ctx, t)
	if err != nil || tip.IsZero() || len(t.Services) > 0 {
		return err
	}
	told := map[string]bool{}
	tell := func(of task.UID, arg, end string) codediff.DiffRange {
		r, err := s.Code.Diff(ctx, t.ID, arg)
		if err != nil || r.From == "" {
			return codediff.DiffRange{}
		}
		if arg == "" || r.To == "" {
			r.To = tip.String()
		}
		if end != "" && !r.Rewritten {
			r.To = end
		}
		list, err := s.Clone.Repo.Git.Run(ctx, "log", "--reverse", "--no-merges", "--no-color", "--no-show-signature",
			"--format=%H %s", r.From+".."+r.To, "--")
		if err != nil {
			return codediff.DiffRange{} // it began with nothing
		}
		for line := range strings.Lines(string(list)) {
			id, subject, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if !told[id] {
				told[id] = true
				story.Commits[of] = append(story.Commits[of],
					report.ToldCommit{ID: id, Subject: redact.Text(strings.ToValidUTF8(subject, ""))})
			}
		}
		return r
	}
	for _, p := range byWorkers(t.Phases) {
		tell(p.UID, p.ID, endOfWork(p))
	}
	for _, p := range innermost(t.Phases) {
		tell(p.UID, p.ID, "")
	}
	if r := tell("", "", ""); r.From != "" {
		stat, err := s.Clone.Repo.Git.Run(ctx, "diff", "--no-color", "--no-ext-diff", "--stat="+statWidth,
			"--stat-count="+statFiles, r.From, r.To, "--")
		if err == nil {
			story.Stat = redact.Text(strings.ToValidUTF8(string(stat), ""))
		}
	}
	return nil
}

// byWorkers are the phases that a run merged, in the order in which it did: a worker's branch
// has nothing but its own work, and what was merged before it.
func byWorkers(phases []task.Phase) []task.Phase {
	var all []task.Phase
	for _, p := range phases {
		if p.Claim.Worker == task.RunWorker && p.Status == task.PhaseCompleted {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b task.Phase) int { return strings.Compare(a.CompletedAt, b.CompletedAt) })
	return all
}

// endOfWork is the last commit that a phase's workers left, "" for none.
func endOfWork(p task.Phase) string {
	for _, turn := range slices.Backward(p.Turns) {
		if turn.Commit != "" {
			return turn.Commit
		}
	}
	return ""
}

// innermost are the phases that were begun without workers, a fix before what it mends: a commit is told
// with the phase that is nearest to it.
func innermost(phases []task.Phase) []task.Phase {
	var all []task.Phase
	for _, p := range slices.Backward(phases) {
		if p.StartCommit != "" && p.Claim.Worker != task.RunWorker {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b task.Phase) int { return strings.Compare(b.StartedAt, a.StartedAt) })
	return all
}
