package codediff

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// PhaseReview is what a review looks at (SP-13): what a phase changed since it was
// started, beside what its plan said it would. Of a fix phase it has two ranges:
// its own, and that of the phase it repairs.
type PhaseReview struct {
	Task   task.Task
	Phase  task.Phase
	Ranges []ReviewRange
	// Uncommitted are files beside what was handed over: no part of the review.
	Uncommitted []string
}

// ReviewRange is what one phase changed.
type ReviewRange struct {
	DiffRange
	// Plan is the document that planned it, "" where there is none.
	Plan string `json:"plan"`
	// Added and Deleted are lines, in text files.
	Added   int          `json:"added"`
	Deleted int          `json:"deleted"`
	Files   []ReviewFile `json:"files"`
	// Tasks are those of the plan that name files; Refused is what it names as a
	// file, and nothing can be compared with.
	Tasks   []ReviewTask           `json:"tasks"`
	Refused []document.RefusedPath `json:"refused"`
}

// Verdict is how a file stands to a phase's plan.
type Verdict string

// The verdicts. None of them is given where nothing was planned.
const (
	VerdictMatch     Verdict = "match"
	VerdictDeviation Verdict = "deviation" // changed and not planned
	VerdictMissing   Verdict = "missing"   // planned and not changed
)

// ReviewFile is a file that was changed, or planned.
type ReviewFile struct {
	Path string `json:"path"` // with slashes, from the top of the work tree
	// Status is git's letter: A, M, D, R, C, T; "" where it is only planned.
	Status string `json:"status"`
	// From is the old path of what was renamed or copied.
	From string `json:"from,omitempty"`
	// Added and Deleted are lines; -1 in a file that is no text.
	Added   int `json:"added"`
	Deleted int `json:"deleted"`
	// Planned is what the plan says: creates, modifies, touches; "" for nothing.
	Planned string  `json:"planned"`
	Verdict Verdict `json:"verdict"`
	Said
}

// ReviewTask is a task of a phase's plan: missing, where nothing that it names was
// changed; a deviation, where only a part was.
type ReviewTask struct {
	Title   string  `json:"title"`
	Verdict Verdict `json:"verdict"`
	Said
}

// Said is what the last review said about a file, or a task of the plan, that is not as
// planned; "" for nothing.
type Said struct {
	Impact task.Impact `json:"impact"`
	Reason string      `json:"reason"`
}

// say notes what a review said of the files and tasks of a range.
func (r *ReviewRange) say(all []task.Deviation) {
	for _, d := range all {
		for i, f := range r.Files {
			if f.Path == d.What {
				r.Files[i].Said = Said{d.Impact, d.Reason}
			}
		}
		for i, t := range r.Tasks {
			if t.Title == d.What {
				r.Tasks[i].Said = Said{d.Impact, d.Reason}
			}
		}
	}
}

// ReviewOf finds what a review of a phase looks at; of the current one where arg is
// "".
func (s *Code) ReviewOf(ctx context.Context, id task.ID, arg string) (PhaseReview, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return PhaseReview{}, err
	}
	var p task.Phase
	if arg == "" {
		p, err = s.Clone.DefaultPhase(task.Phase.Verifiable)(t)
	} else {
		p, err = t.FindPhase(arg)
	}
	if err != nil {
		return PhaseReview{}, err
	}
	out := PhaseReview{Task: t, Phase: p}
	for _, of := range reviewed(t, p) {
		r, err := s.ReviewRange(ctx, t, of)
		if err != nil {
			return out, err
		}
		r.say(p.Deviations)
		out.Ranges = append(out.Ranges, r)
	}
	if p.Status == task.PhaseInReview {
		out.Uncommitted = s.uncommitted(ctx, t, p)
	}
	return out, nil
}

// reviewed are the phases whose changes a review of p looks at. A verification
// changes nothing itself: what it verifies is meant.
func reviewed(t task.Task, p task.Phase) []task.Phase {
	parent, ok := t.Phase(p.Parent)
	switch {
	case ok && p.Kind == task.KindVerification:
		return []task.Phase{parent}
	case ok && p.Kind == task.KindFix:
		return []task.Phase{p, parent}
	}
	return []task.Phase{p}
}

func (s *Code) ReviewRange(ctx context.Context, t task.Task, p task.Phase) (ReviewRange, error) {
	r, err := s.Diff(ctx, t.ID, p.ID)
	out := ReviewRange{DiffRange: r, Files: []ReviewFile{}, Tasks: []ReviewTask{}, Refused: []document.RefusedPath{}}
	if err != nil {
		return out, err
	}
	parts := r.Services
	if len(r.Services)+len(r.Missing) == 0 {
		parts = []ServiceRange{{From: r.From, To: r.To}}
	}
	for _, part := range parts {
		repo, prefix := s.Clone.Repo, ""
		if part.Path != "" {
			repo, err = s.Place.Service(part.Path)
			prefix = part.Path + "/"
		}
		if err != nil || repo == nil {
			return out, err
		}
		files, err := changedFiles(ctx, repo, part.From, part.To, prefix)
		if err != nil {
			return out, err
		}
		out.Files = append(out.Files, files...)
	}
	for _, f := range out.Files {
		out.Added, out.Deleted = out.Added+max(0, f.Added), out.Deleted+max(0, f.Deleted)
	}
	if name := task.PlanOf(p.UID); t.HasDoc(name) {
		d, err := s.Records.Document(ctx, t, name)
		if err != nil {
			return out, err
		}
		out.Plan = d.Name
		plan := document.ReadPhaseFile(d.Text)
		out.Refused = append(out.Refused, plan.Refused...)
		out.compare(plan)
	}
	slices.SortStableFunc(out.Files, func(a, b ReviewFile) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// changedFiles are the files that differ between two commits, or a commit and the
// work tree, where what git does not know yet counts as added.
func changedFiles(ctx context.Context, repo *gitstore.Repo, from, to, prefix string) ([]ReviewFile, error) {
	var in []string
	if top := repo.WorkTree; top != "" {
		in = []string{"-C", top}
	}
	args := append(slices.Clone(in), "diff", "--no-color", "--no-ext-diff", "--find-renames", "--ignore-submodules=none",
		"--raw", "--numstat", "-z", from)
	if to != "" {
		args = append(args, to)
	}
	out, err := repo.Git.Run(ctx, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	files := parseDiff(out)
	if to == "" && len(in) > 0 {
		unknown, err := repo.Git.Run(ctx, append(in, "ls-files", "--others", "--exclude-standard", "-z")...)
		if err != nil {
			return nil, err
		}
		for name := range strings.SplitSeq(strings.TrimSuffix(string(unknown), "\x00"), "\x00") {
			if name != "" {
				files = append(files, ReviewFile{Path: name, Status: "A", Added: -1, Deleted: -1})
			}
		}
	}
	for i := range files {
		files[i].Path = prefix + files[i].Path
		if files[i].From != "" {
			files[i].From = prefix + files[i].From
		}
	}
	return files, nil
}

// parseDiff reads git's --raw --numstat -z: first ":<modes and ids> <status>" of each
// file, then the lines that were added and deleted; behind both the path, or the old
// and the new one of what was renamed or copied.
func parseDiff(out []byte) []ReviewFile {
	var files []ReviewFile
	at := map[string]int{}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	next := func() (field string) {
		if len(fields) > 0 {
			field, fields = fields[0], fields[1:]
		}
		return field
	}
	for len(fields) > 0 {
		head := next()
		if strings.HasPrefix(head, ":") {
			status := head[strings.LastIndexByte(head, ' ')+1:]
			f := ReviewFile{Status: status[:min(1, len(status))], Path: next()}
			if f.Status == "R" || f.Status == "C" {
				f.From, f.Path = f.Path, next()
			}
			at[f.Path] = len(files)
			files = append(files, f)
			continue
		}
		parts := strings.SplitN(head, "\t", 3)
		if len(parts) < 3 {
			continue
		}
		if parts[2] == "" {
			next()
			parts[2] = next()
		}
		if i, known := at[parts[2]]; known {
			files[i].Added, files[i].Deleted = lineCount(parts[0]), lineCount(parts[1])
		}
	}
	return files
}

// lineCount is a number of lines, -1 for git's "-".
func lineCount(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// compare gives each file its verdict, and adds those that are missing. Where a plan
// names no files, there is nothing to compare with.
func (r *ReviewRange) compare(plan document.PhaseFile) {
	var planned []ReviewFile
	for _, said := range []struct {
		how   string
		paths []string
	}{{"creates", plan.Creates}, {"modifies", plan.Modifies}, {"touches", plan.Touches}} {
		for _, path := range said.paths {
			planned = append(planned, ReviewFile{Path: path, Planned: said.how})
		}
	}
	if len(planned) == 0 {
		return
	}
	for i, f := range r.Files {
		r.Files[i].Verdict = VerdictDeviation
		if at := slices.IndexFunc(planned, func(p ReviewFile) bool { return f.isPlanned(p.Path) }); at >= 0 {
			r.Files[i].Planned, r.Files[i].Verdict = planned[at].Planned, VerdictMatch
		}
	}
	changed := slices.Clone(r.Files)
	isMissing := func(path string) bool {
		return !slices.ContainsFunc(changed, func(f ReviewFile) bool { return f.isPlanned(path) })
	}
	for _, p := range planned {
		if isMissing(p.Path) {
			p.Verdict = VerdictMissing
			r.Files = append(r.Files, p)
		}
	}
	for _, t := range plan.Tasks {
		if len(t.Files) == 0 {
			continue
		}
		verdict := VerdictDeviation
		switch len(slices.DeleteFunc(slices.Clone(t.Files), isMissing)) {
		case 0:
			verdict = VerdictMissing
		case len(t.Files):
			verdict = VerdictMatch
		}
		r.Tasks = append(r.Tasks, ReviewTask{Title: t.Title, Verdict: verdict})
	}
}

// isPlanned reports whether a planned path means a file, by its name or by its old one.
func (f ReviewFile) isPlanned(path string) bool {
	return plannedPath(path, f.Path) || f.From != "" && plannedPath(path, f.From)
}

// plannedPath reports whether a planned path, a pattern, or a directory means a
// file.
func plannedPath(planned, name string) bool {
	return planned == name || strings.HasPrefix(name, strings.TrimSuffix(planned, "/")+"/") ||
		strings.ContainsAny(planned, "*?[") && clone.MatchPath(planned, name)
}

// Count is how many files of a range have a verdict.
func (r ReviewRange) Count(v Verdict) int {
	n := 0
	for _, f := range r.Files {
		if f.Verdict == v {
			n++
		}
	}
	return n
}

// Planned: there are files to compare with the plan.
func (r ReviewRange) Planned() bool {
	return slices.ContainsFunc(r.Files, func(f ReviewFile) bool { return f.Verdict != "" })
}

// Words says in a few words how a range stands to its plan.
func (r ReviewRange) Words() string {
	switch {
	case r.Plan == "":
		return "it had no plan"
	case !r.Planned():
		return "its plan names no files"
	}
	return fmt.Sprintf("%d as planned, %d not planned, %d missing", r.Count(VerdictMatch), r.Count(VerdictDeviation),
		r.Count(VerdictMissing))
}
