package codediff

import (
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
)

// Deviations are what a review says about work that was not as planned: of what was
// said before, what is still so, and what is said now about the same instead. A
// verdict does not wait for what others said: where this clone can't compare (it may
// lack the commits, or a service), that stays.
func (s *Code) Deviations(ctx context.Context, t task.Task, p task.Phase,
	said []task.Deviation,
) ([]task.Deviation, error) {
	if len(said)+len(p.Deviations) == 0 {
		return nil, nil
	}
	var all []task.Deviation
	var spans []ReviewRange
	partly := false
	for _, of := range reviewed(t, p) {
		r, err := s.ReviewRange(ctx, t, of)
		switch {
		case err != nil && len(said) == 0 && ctx.Err() == nil:
			return p.Deviations, nil
		case err != nil:
			return nil, err
		}
		spans, partly = append(spans, r), partly || len(r.Missing) > 0
	}
	find := func(what string) (name string, known bool) {
		for _, r := range spans {
			found, departs := r.departs(what)
			if known = known || found != ""; departs {
				return found, true
			}
		}
		return "", known
	}
	for _, d := range said {
		name, known := find(d.What)
		switch {
		case name == "" && known:
			return nil, clone.Invalid("see 'git brew phase review "+p.ID+"'", "%q is as planned", d.What)
		case name == "":
			return nil, clone.Invalid("see 'git brew phase review "+p.ID+"'; it is a path there, or a task of the plan",
				"phase %s has no %q that is not as planned", p.ID, d.What)
		}
		d.What = name
		all = append(all, d)
	}
	for _, d := range slices.Backward(p.Deviations) {
		name, known := find(d.What)
		if name == "" && !known && partly {
			name = d.What
		}
		if name != "" && !slices.ContainsFunc(all, func(o task.Deviation) bool { return o.What == name }) {
			all = slices.Insert(all, 0, d)
		}
	}
	return all, nil
}

// departs finds what is named in a range, a file or a planned task, and says
// whether it is not as planned. Where there was no plan, no file is.
func (r ReviewRange) departs(what string) (name string, departs bool) {
	for _, f := range r.Files {
		if f.Path == what || f.From == what && what != "" {
			return f.Path, f.Verdict != VerdictMatch
		}
	}
	for _, t := range r.Tasks {
		title, _, _ := strings.Cut(t.Title, ":")
		if strings.EqualFold(t.Title, what) || strings.EqualFold(title, what) {
			return t.Title, t.Verdict != VerdictMatch
		}
	}
	return "", false
}
