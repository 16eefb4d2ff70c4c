package importer

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/task"
)

// The files of a task of Brewcode's.
const (
	brewcodePlan      = "PLAN.md"
	brewcodeSpec      = "SPEC.md"
	brewcodeKnowledge = "KNOWLEDGE.jsonl"
	brewcodeFinal     = "artifacts/FINAL.md"
	brewcodeOutput    = "_output.md"
	brewcodeReview    = "_review.md" // of a verification, in some of its pages
)

// readBrewcode reads directories of tasks: {stamp}_{NAME}_task with PLAN.md, SPEC.md,
// KNOWLEDGE.jsonl, phases/ and artifacts/.
func readBrewcode(r *reader) error {
	dirs, err := r.taskDirs(brewcodePlan, brewcodeSpec)
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		t := Task{Source: join(dir, brewcodePlan), Title: brewcodeTitle(dirName(r.name, dir))}
		if !r.has(t.Source) {
			t.Source = join(dir, brewcodeSpec)
		}
		spec := r.doc(&t, task.DocSpec, join(dir, brewcodeSpec))
		plan := r.text(join(dir, brewcodePlan))
		r.doc(&t, task.DocFinal, join(dir, brewcodeFinal))
		if spec == nil && plan == nil {
			continue
		}
		plan, own, ours := bytes.Cut(plan, []byte(brewcodeOwnPlan))
		if !ours {
			own = plan
		}
		if len(own) > 0 {
			t.Docs = append(t.Docs, Doc{task.DocPlan, own})
		}
		for _, text := range [][]byte{plan, spec} {
			kind, title, named := strings.Cut(heading(text), ": ")
			if isKind := strings.EqualFold(kind, "plan") || strings.EqualFold(kind, "spec"); named && isKind {
				t.Title = title
			}
		}
		t.Phases = r.planned(document.Plan, t.Source, plan)
		r.brewcodeStatus(&t, plan)
		r.brewcodePhaseFiles(&t, dir)
		r.brewcodeReports(&t, dir)
		r.brewcodeRepairs(&t)
		t.Knowledge = r.learned(join(dir, brewcodeKnowledge))
		r.out.Tasks = append(r.out.Tasks, t)
	}
	return nil
}

// brewcodeTitle is the name in that of a directory, such as 20260102_030405_ADD_AUTH_task.
func brewcodeTitle(name string) string {
	name = strings.TrimSuffix(name, "_task")
	for range 2 { // the date and the time
		stamp, rest, ok := strings.Cut(name, "_")
		if _, err := strconv.Atoi(stamp); ok && err == nil && len(stamp) >= 6 {
			name = rest
		}
	}
	title := strings.ToLower(words(name))
	if title == "" {
		return name
	}
	return strings.ToUpper(title[:1]) + title[1:]
}

// brewcodeStatus takes the status of the task, which is the plan's first line, and of its
// phases: the table of phases' statuses, or what stands with each.
func (r *reader) brewcodeStatus(t *Task, plan []byte) {
	first, rest, _ := strings.Cut(string(plan), "\n")
	if word, ok := strings.CutPrefix(first, "status:"); ok {
		status, err := task.ParseStatus(strings.TrimSpace(word))
		if err != nil {
			r.lose(t.Source, 1, "%s", line(err.Error(), task.MaxTitle))
		}
		t.Status = status
	}
	text := document.Read(plan)
	var told bool
	if s, ok := text.Find("Phase Status"); ok {
		for _, b := range text.Blocks[s.First:s.End] {
			for i, row := range b.Cells {
				if p := find(t.Phases, cell(row, 0)); i > 0 && p != nil {
					told = true
					r.takeStatus(t, p, cell(row, 1), b.Line+i+1)
				}
			}
		}
	}
	for _, s := range text.Sections {
		id, isPhase := strings.CutPrefix(s.Title, "Phase ")
		id, _, _ = strings.Cut(id, ":")
		p := find(t.Phases, id)
		if told || !isPhase || p == nil {
			continue
		}
		for _, b := range text.Blocks[s.First:s.Last] {
			for i, l := range b.Lines {
				if _, after, ok := strings.Cut(l, "**Agent:**"); ok {
					agent, _, _ := strings.Cut(after, "|")
					p.Agents = []string{strings.Trim(agent, " `")}
				}
				if _, after, ok := strings.Cut(l, "**Status:**"); ok {
					word, _, _ := strings.Cut(after, "|")
					r.takeStatus(t, p, word, b.Line+i)
				}
			}
		}
	}
	if current, ok := headerNumber(rest, "current_phase:"); ok && !told && current > 0 && !begun(t.Phases) {
		r.lose(t.Source, 2, "it says that %d phases are completed, and not which", current)
	}
	if t.Status == task.Finished {
		for i := range t.Phases {
			t.Phases[i].Status = task.PhaseCompleted
		}
	}
}

// brewcodeRepairs makes a verification that failed pending: Brewcode repeats it after a
// repair, and here it would end what waits for it. Its reports are the verified phase's.
func (r *reader) brewcodeRepairs(t *Task) {
	for i := range t.Phases {
		p := &t.Phases[i]
		of := find(t.Phases, p.Of)
		if p.Kind != task.KindVerification || p.Status != task.PhaseFailed || t.Status == task.Failed || of == nil {
			continue
		}
		p.Status = task.PhasePending
		of.Reports, p.Reports = append(of.Reports, p.Reports...), nil
		id := line(p.ID, task.MaxName)
		r.lose(t.Source, p.line, "phase %s failed, and is pending: it verifies again what is repaired", id)
	}
}

func begun(phases []Phase) bool {
	return slices.ContainsFunc(phases, func(p Phase) bool { return p.Status != "" && p.Status != task.PhasePending })
}

// headerNumber is the number behind a key among a text's first lines.
func headerNumber(text, key string) (int, bool) {
	for _, l := range strings.SplitN(text, "\n", 4) {
		if value, ok := strings.CutPrefix(l, key); ok {
			n, err := strconv.Atoi(strings.TrimSpace(value))
			return n, err == nil
		}
	}
	return 0, false
}

func (r *reader) takeStatus(t *Task, p *Phase, word string, at int) {
	status, ok := phaseStatus(word)
	if !ok {
		r.lose(t.Source, at, "phase %s: %q is no status that is known; it is pending", line(p.ID, task.MaxName),
			line(word, task.MaxName))
	}
	p.Status = status
}

func cell(row []string, i int) string {
	if i >= len(row) {
		return ""
	}
	return strings.Trim(row[i], "` *")
}

// brewcodePhaseFiles takes the files of phases, which begin with the phase's id:
// phases/1-token-model.md, phases/1V-verify.md.
func (r *reader) brewcodePhaseFiles(t *Task, dir string) {
	for _, p := range r.below(join(dir, "phases")) {
		id, _, _ := strings.Cut(strings.TrimSuffix(path.Base(p), ".md"), "-")
		if phase := find(t.Phases, id); phase != nil && phase.Plan == nil && path.Ext(p) == ".md" {
			text := r.text(p)
			if s, ok := document.Read(text).Find("Exit Criteria"); ok && len(phase.Acceptance) == 0 {
				phase.Acceptance = itemsOf(document.Read(text).Blocks[s.First:s.Last])
			}
			if !bytes.Equal(text, brewcodePhaseText(*phase)) {
				phase.take(text, string(text))
			}
		}
	}
}

// brewcodeReports takes the reports of each phase's last iteration: artifacts/1-2e/
// developer_output.md.
func (r *reader) brewcodeReports(t *Task, dir string) {
	type place struct {
		of        string
		iteration int
	}
	last := map[string]int{}
	read := func(p string) (place, string, bool) {
		id, n, ok := strings.Cut(path.Base(path.Dir(p)), "-")
		agent, isReport := strings.CutSuffix(path.Base(p), brewcodeOutput)
		if !isReport {
			agent, isReport = strings.CutSuffix(path.Base(p), brewcodeReview)
		}
		if !ok || !isReport || n == "" {
			return place{}, "", false
		}
		if strings.HasSuffix(n, "v") && find(t.Phases, id+"V") != nil {
			id += "V"
		}
		iteration, err := strconv.Atoi(strings.TrimRight(n, "evr"))
		return place{strings.ToUpper(id), iteration}, agent, err == nil
	}
	all := r.below(join(dir, "artifacts"))
	for _, p := range all {
		if at, _, ok := read(p); ok {
			last[at.of] = max(last[at.of], at.iteration)
		}
	}
	for _, p := range all {
		at, agent, ok := read(p)
		phase := find(t.Phases, at.of)
		switch agent = task.AgentName(agent); {
		case !ok || phase == nil || agent == "":
		case at.iteration < last[at.of]:
			r.used[p] = true
			r.lose(p, 0, "it is on an earlier iteration; the reports of the last one come along")
		default:
			if text := r.text(p); text != nil {
				phase.Reports = append(phase.Reports, Report{agent, text})
			}
		}
	}
}
