package workflow

import (
	"context"

	"github.com/git-brew/git-brew/internal/task"
)

// ReportRequest is a report of an agent on a phase's current iteration.
type ReportRequest struct {
	Phase  string
	Agent  string
	Verify bool
	Text   []byte
}

// AddReport stores a report and, where it is due, compacts the knowledge. It
// returns the report's path in the task's tree.
func (s *Service) AddReport(ctx context.Context, id task.ID, r ReportRequest) (string, task.Task, error) {
	if err := task.CheckText(r.Text); err != nil {
		return "", task.Task{}, err
	}
	set, err := s.Settings(ctx)
	if err != nil {
		return "", task.Task{}, err
	}
	var at string
	after, err := s.change(ctx, id, func(ctx context.Context, c *change) error {
		p, verify, err := reportPhase(c.Task, r.Phase, r.Verify)
		if err != nil {
			return err
		}
		if at, err = c.report(ctx, p, verify, r.Agent, r.Text); err != nil {
			return err
		}
		_, err = c.compact(ctx, set, false)
		return err
	})
	return at, after, err
}

// reportPhase is the phase that a report is on; the current one where none is
// named.
func reportPhase(t task.Task, arg string, verify bool) (task.Phase, bool, error) {
	if arg != "" {
		return t.ReportPhase(arg, verify)
	}
	p, err := currentPhase(t)
	return p, verify || p.Kind == task.KindVerification, err
}

// report stores a text as an agent's report on a phase's current iteration.
func (c *change) report(ctx context.Context, p task.Phase, verify bool, agent string, text []byte) (path string, err error) {
	iteration := max(1, p.Iteration)
	path = task.ReportPath(c.Task, task.Report{Phase: p.UID, Iteration: iteration, Verify: verify, Agent: agent})
	base, oid := c.Task.TextAt(path), c.tx.Blob(text).String()
	if base == oid {
		return path, nil
	}
	return path, c.do(ctx, task.OpReport, task.ReportPayload{
		Phase: p.UID, Iteration: iteration, Verify: verify, Agent: agent, Base: base, OID: oid,
	})
}

// Reports lists the reports of a task, of one phase where one is named.
func (s *Service) Reports(ctx context.Context, id task.ID, phase string) ([]ReportView, error) {
	t, err := s.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	var only task.UID
	if phase != "" {
		p, _, err := reportPhase(t, phase, false)
		if err != nil {
			return nil, err
		}
		only = p.UID
	}
	var out []ReportView
	for _, r := range t.Reports {
		if only != "" && r.Phase != only {
			continue
		}
		p, _ := t.Phase(r.Phase)
		out = append(out, ReportView{Report: r, Phase: p.ID, Path: task.ReportPath(t, r)})
	}
	return out, nil
}

// ReportView is a report as it is listed.
type ReportView struct {
	task.Report
	Phase string // shown id
	Path  string
}

// MissingReports lists the paths of the reports that a phase still owes; the
// current phase where none is named.
func (s *Service) MissingReports(ctx context.Context, id task.ID, phase string) ([]string, error) {
	t, err := s.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	p, _, err := reportPhase(t, phase, false)
	if err != nil {
		return nil, err
	}
	return task.MissingReports(t, p), nil
}

// summarize writes the summary of a phase's current iteration (BC-43).
func (c *change) summarize(ctx context.Context, uid task.UID) error {
	p, ok := c.Task.Phase(uid)
	if !ok || p.Iteration == 0 {
		return nil
	}
	return c.setText(ctx, task.SummaryOf(p), []byte(task.Summary(c.Task, p)))
}
