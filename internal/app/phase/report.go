package phase

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// ReportRequest is a report of an agent on a phase's current iteration.
type ReportRequest struct {
	Phase  string
	Agent  string
	Verify bool
	Text   []byte
}

// ReportResult is a report that was stored. Its notes say what is missing, what was learned
// from it and what was not, and that knowledge was compacted.
type ReportResult struct {
	PhaseResult
	Path string // in the task's tree
	// Missing are the paths of the reports that the phase still owes.
	Missing []string
}

// AddReport stores a report and, where it is due, compacts the knowledge. An agent's is
// filled in.
func (s *Phases) AddReport(ctx context.Context, id task.ID, r ReportRequest) (out ReportResult, err error) {
	if err := s.Documents.FilledIn("report", r.Text); err != nil {
		return out, err
	}
	out.Task, err = s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		out, err = s.ReportIn(ctx, c, r)
		return err
	})
	return out, err
}

// ReportIn is AddReport as a part of a change.
func (s *Phases) ReportIn(ctx context.Context, c *change.Tx, r ReportRequest) (out ReportResult, err error) {
	if err := task.CheckText(r.Text); err != nil {
		return out, err
	}
	r.Text = []byte(s.Journal.WithoutSecrets("report", string(r.Text)))
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return out, err
	}
	p, verify, err := s.reportPhase(c.Task, r.Phase, r.Verify)
	if err != nil {
		return out, err
	}
	if out.Path, err = reportIn(ctx, c, p, verify, WithoutPlugin(r.Agent), r.Text); err != nil {
		return out, err
	}
	out.Phase, out.Missing = p, task.MissingReports(c.Task, p)
	for _, path := range out.Missing {
		out.Notes = append(out.Notes, "still MISSING: "+path)
	}
	if c.Task.HasDoc(task.SummaryOf(p)) { // it tells which reports are there
		if err := Summarize(ctx, c, p.UID); err != nil {
			return out, err
		}
	}
	learned, err := s.learnIn(ctx, c, WithoutPlugin(r.Agent), r.Text)
	if err != nil {
		return out, err
	}
	compacted, err := learn.Compact(ctx, c, set, set.Share(config.KeyCompactThreshold))
	out.Notes = slices.Concat(out.Notes, learned, CompactedNotes(compacted))
	return out, err
}

// learnIn remembers what a report says that was learned, with the checks of learn, and says
// so; what is known already is no news.
func (s *Phases) learnIn(ctx context.Context, c *change.Tx, agent string, report []byte) (notes []string, err error) {
	lessons, more := document.Lessons(report)
	n := 0
	for _, said := range lessons {
		kind, text := knowledge.Parse(said)
		e, err := s.Knowledge.Entry(knowledge.Entry{T: kind, Txt: text, Src: agent})
		if err != nil {
			notes = append(notes, fmt.Sprintf("not learned: %.60q: %s", text,
				strings.TrimPrefix(err.Error(), "not recorded: ")))
			continue
		}
		if _, known := knowledge.Known(c.Task.Knowledge, e); known {
			continue
		}
		if e.ID, err = operation.NewID(s.Clone.Random); err == nil {
			err = c.Do(ctx, learn.AddDraft(e))
		}
		if err != nil {
			return nil, err
		}
		n++
	}
	if n > 0 {
		notes = append([]string{fmt.Sprintf("learned from it: %d", n)}, notes...)
	}
	if more > 0 {
		notes = append(notes, fmt.Sprintf("not learned: %d more; 'git brew learn' takes them one by one", more))
	}
	return notes, nil
}

// WithoutPlugin is an agent's name as reports are filed: "team:Developer" is
// "Developer". What else is wrong with a name is refused, not mended.
func WithoutPlugin(agent string) string { return agent[strings.LastIndexByte(agent, ':')+1:] }

// reportPhase is the phase that a report is on; see defaultPhase where none is named.
func (s *Phases) reportPhase(t task.Task, arg string, verify bool) (task.Phase, bool, error) {
	if arg != "" {
		return t.ReportPhase(arg, verify)
	}
	p, err := s.Clone.DefaultPhase(task.Phase.Verifiable)(t)
	return p, verify || p.Kind == task.KindVerification, err
}

// reportIn stores a text as an agent's report on a phase's current iteration.
func reportIn(ctx context.Context, c *change.Tx, p task.Phase, verify bool, agent string,
	text []byte,
) (path string, err error) {
	iteration := max(1, p.Iteration)
	path = task.ReportPath(c.Task, task.Report{Phase: p.UID, Iteration: iteration, Verify: verify, Agent: agent})
	base, oid := c.Task.TextAt(path), c.Ledger.Blob(text).String()
	if base == oid {
		return path, nil
	}
	return path, c.Do(ctx, change.Op(task.OpReport, task.ReportPayload{
		Phase: p.UID, Iteration: iteration, Verify: verify, Agent: agent, Base: base, OID: oid,
	}))
}

// KeepReport stores a report that an agent made elsewhere on a phase's current iteration.
func KeepReport(ctx context.Context, c *change.Tx, p task.Phase, agent string, text []byte) error {
	_, err := reportIn(ctx, c, p, p.Kind == task.KindVerification, agent, text)
	return err
}

// ReportQuery selects reports; empty fields select all.
type ReportQuery struct {
	Phase, Agent string
	Iteration    int
	Texts        bool // read the texts too; then it is an error if there is none
}

// ReportView is a report as it is listed.
type ReportView struct {
	task.Report
	Phase string // shown id
	Path  string
	Text  []byte
}

// Reports lists the reports of a task.
func (s *Phases) Reports(ctx context.Context, id task.ID, q ReportQuery) ([]ReportView, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	var only task.Phase
	if q.Phase != "" {
		if only, err = t.FindPhase(q.Phase); err != nil {
			return nil, err
		}
	}
	var out []ReportView
	for _, r := range t.Reports {
		if q.Phase != "" && r.Phase != only.UID || q.Agent != "" && r.Agent != q.Agent ||
			q.Iteration > 0 && r.Iteration != q.Iteration {
			continue
		}
		p, _ := t.Phase(r.Phase)
		v := ReportView{Report: r, Phase: p.ID, Path: task.ReportPath(t, r)}
		if q.Texts {
			if v.Text, err = s.Clone.Ledger.Blob(ctx, r.OID); err != nil {
				return nil, fmt.Errorf("read %s: %w", v.Path, err)
			}
		}
		out = append(out, v)
	}
	if q.Texts && len(out) == 0 {
		return nil, clone.NotFound("see 'git brew report list'", "no such report on phase %s", only.ID)
	}
	return out, nil
}

// CheckReports refuses where a phase, the current one where none is named,
// still owes reports.
func (s *Phases) CheckReports(ctx context.Context, id task.ID, phase string) (task.Phase, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return task.Phase{}, err
	}
	p, _, err := s.reportPhase(t, phase, false)
	if err != nil {
		return p, err
	}
	return p, rules.CheckReports(t, p)
}

// Summarize writes the summary of a phase's current iteration (BC-43).
func Summarize(ctx context.Context, c *change.Tx, uid task.UID) error {
	p, ok := c.Task.Phase(uid)
	if !ok || p.Iteration == 0 {
		return nil
	}
	return c.SetText(ctx, task.SummaryOf(p), []byte(report.Summary(c.Task, p)))
}

// SummarizeAgain brings the summaries of the phases' current iterations up to date:
// what a verification or a fix completed was summarized before.
func SummarizeAgain(ctx context.Context, c *change.Tx) error {
	for _, p := range c.Task.Phases {
		if !c.Task.HasDoc(task.SummaryOf(p)) {
			continue
		}
		if err := Summarize(ctx, c, p.UID); err != nil {
			return err
		}
	}
	return nil
}
