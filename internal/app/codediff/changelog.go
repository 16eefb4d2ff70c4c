package codediff

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/task"
)

// maxChangedFiles is how many files a changelog names of one phase.
const maxChangedFiles = 50

type entry struct {
	at, title        string
	what, why, files string
	more             []string
}

// Changelog tells what was done, why, and in which files (SP-15): the phases that
// were completed, with what departed from their plans, and the decisions. It is
// made from the task each time, and kept nowhere; what a person wrote as the
// document takes its place.
func (s *Code) Changelog(ctx context.Context, t task.Task) (records.Document, error) {
	var entries []entry
	for _, p := range t.Phases {
		if p.Status == task.PhaseCompleted {
			e, err := s.phaseEntry(ctx, t, p)
			if err != nil {
				return records.Document{}, err
			}
			entries = append(entries, e)
		}
	}
	for i, d := range t.Decisions {
		if d.Status == task.DecisionActive {
			entries = append(entries, entry{
				at: d.At, title: "decision " + task.ShownDecision(i) + ", " + d.Title, what: d.Title,
				why: cmp.Or(d.Why, "not recorded"), files: "none",
			})
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(a.at, b.at) })
	var b strings.Builder
	fmt.Fprintf(&b, "# Changelog of %s\n", inLine(t.Title))
	if len(entries) == 0 {
		b.WriteString("\nNothing is completed, and nothing decided.\n")
	}
	for _, e := range entries {
		e.write(&b)
	}
	text := []byte(b.String())
	path, _ := t.DocPath(task.DocChangelog)
	return records.Document{Name: t.ShownDoc(task.DocChangelog), Path: path, Size: len(text), Text: text, Derived: true},
		nil
}

func (e entry) write(b *strings.Builder) {
	title := inLine(e.title)
	if len(e.at) >= len("2006-01-02") {
		title = e.at[:len("2006-01-02")] + ": " + title
	}
	fmt.Fprintf(b, "\n## %s\n\n- **What:** %s\n- **Why:** %s\n- **Files:** %s\n", title, inLine(e.what), inLine(e.why),
		e.files)
	for _, m := range e.more {
		fmt.Fprintf(b, "- %s\n", m)
	}
}

func (s *Code) phaseEntry(ctx context.Context, t task.Task, p task.Phase) (entry, error) {
	e := entry{at: p.CompletedAt, title: "phase " + p.ID + ", " + p.Title, what: p.Title}
	if len(p.Acceptance) > 0 {
		e.what += ": " + strings.Join(p.Acceptance, "; ")
	}
	if name := task.PlanOf(p.UID); t.HasDoc(name) {
		d, err := s.Records.Document(ctx, t, name)
		if err != nil {
			return e, err
		}
		plan := document.ReadPhaseFile(d.Text)
		if e.why = plan.Objective; len(plan.Covers) > 0 {
			e.why = strings.TrimSpace(e.why + " (" + strings.Join(plan.Covers, ", ") + ")")
		}
	}
	if parent, ok := t.Phase(p.Parent); ok && e.why == "" {
		e.why = map[task.PhaseKind]string{
			task.KindFix: "the review of " + parent.ID + " wanted changes", task.KindVerification: "verifies " + parent.ID,
		}[p.Kind]
	}
	e.why = cmp.Or(e.why, "part of "+t.Title)
	if p.Kind == task.KindVerification || p.Kind == task.KindFinalReview {
		e.files = "none"
		return e, nil
	}
	r, err := s.ReviewRange(ctx, t, p)
	if err != nil {
		if ctx.Err() != nil {
			return e, err
		}
		e.files = "not known here: its commits are not in this clone" // the rest is told all the same
		return e, nil
	}
	e.files = changedWords(r.Files, func(f ReviewFile) bool { return f.Status != "" })
	for _, say := range []struct {
		verdict Verdict
		words   string
	}{{VerdictDeviation, "changed, not planned"}, {VerdictMissing, "planned, not changed"}} {
		if r.Count(say.verdict) > 0 {
			e.more = append(e.more, "**Deviation:** "+say.words+": "+changedWords(r.Files, func(f ReviewFile) bool {
				return f.Verdict == say.verdict
			}))
		}
	}
	return e, nil
}

// changedWords names files, each with what became of it.
func changedWords(files []ReviewFile, which func(ReviewFile) bool) string {
	became := map[string]string{"A": " (added)", "D": " (deleted)", "R": " (renamed)"}
	var names []string
	for _, f := range files {
		if which(f) {
			names = append(names, "`"+strings.ReplaceAll(inLine(f.Path), "`", "'")+"`"+became[f.Status])
		}
	}
	if len(names) == 0 {
		return "none"
	}
	if over := len(names) - maxChangedFiles; over > 0 {
		names = append(names[:maxChangedFiles], fmt.Sprintf("and %d more", over))
	}
	return strings.Join(names, ", ")
}

// inLine is a text as one line of Markdown.
func inLine(s string) string { return strings.Join(strings.Fields(s), " ") }
