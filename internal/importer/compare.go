package importer

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
)

// Write is a task as the system has it, and what of it the system has no place for: what
// is written is read again, and whatever is not as it was is lost.
func (s System) Write(t Task) ([]File, []Lost) {
	if s.write == nil {
		return nil, nil
	}
	files := s.write(t)
	r := &reader{used: map[string]bool{}}
	data := map[string][]byte{}
	for _, f := range files {
		r.paths, data[f.Path] = append(r.paths, f.Path), f.Data
	}
	slices.Sort(r.paths)
	r.open = func(p string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data[p])), nil }
	if err := s.read(r); err != nil || len(r.out.Tasks) != 1 {
		return files, []Lost{{What: fmt.Sprintf("%s can't be read again from what is written: %v", s.Name, err)}}
	}
	return files, missing(t, r.out.Tasks[0])
}

func missing(t, there Task) (lost []Lost) {
	lose := func(p, format string, args ...any) {
		lost = append(lost, Lost{Path: p, What: fmt.Sprintf(format, args...)})
	}
	for _, one := range []*Task{&t, &there} {
		if begun(one.Phases) {
			one.Stage = task.StageExecute
		}
	}
	for _, f := range []struct{ name, here, there string }{
		{"title", t.Title, there.Title},
		{"branch", t.Branch, there.Branch},
		{"status", underWay(t).String(), underWay(there).String()},
		{"stage", string(t.Stage), string(there.Stage)},
		{"priority", string(t.Priority), string(there.Priority)},
	} {
		if f.here != "" && f.here != f.there {
			lose(f.name, "%s", differs(f.here, f.there))
		}
	}
	for _, d := range t.Docs {
		switch text := there.Doc(d.Name); {
		case text == nil:
			lose(string(d.Name), "there is no such document")
		case !bytes.Contains(text, d.Text):
			lose(string(d.Name), "the text is not the same there")
		}
	}
	if n, of := shared(t.Decisions, there.Decisions), len(t.Decisions); n < of {
		lose("decisions", "%d of %d come along", n, of)
	}
	if n, of := shared(entries(t.Knowledge), entries(there.Knowledge)), len(t.Knowledge); n < of {
		lose("knowledge", "%d of %d come along", n, of)
	}
	return append(lost, missingPhases(t.Phases, there.Phases)...)
}

func entries(all []knowledge.Entry) (out []string) {
	for _, e := range all {
		out = append(out, fmt.Sprintf("%s %s %q %q %q", e.TS, e.T, e.Txt, e.Src, e.Paths))
	}
	return out
}

// underWay is a task's status. One whose work has begun is paused when it is imported,
// whatever it was.
func underWay(t Task) task.Status {
	status := cmp.Or(t.Status, task.Pending)
	if status == task.Paused || status == task.Pending && begun(t.Phases) {
		return task.InProgress
	}
	return status
}

func differs(here, there string) string {
	if there == "" {
		return line(here, task.MaxTitle) + " has no place there"
	}
	return fmt.Sprintf("%s is %s there", line(here, task.MaxTitle), line(there, task.MaxTitle))
}

func shared[T comparable](here, there []T) (n int) {
	for _, e := range here {
		if slices.Contains(there, e) {
			n++
		}
	}
	return n
}

// missingPhases is what of phases is not in others that were made of them: all of them in
// their order, or some by their ids.
func missingPhases(here, there []Phase) (lost []Lost) {
	pairs, ids := make([]*Phase, len(here)), map[string]string{}
	for i, p := range here {
		if len(there) == len(here) {
			pairs[i] = &there[i]
		} else if at := slices.IndexFunc(there, func(q Phase) bool { return q.ID == p.ID }); at >= 0 {
			pairs[i] = &there[at]
		}
		if pairs[i] != nil {
			ids[p.ID] = pairs[i].ID
		}
	}
	for i, p := range here {
		if pairs[i] == nil {
			lost = append(lost, Lost{Path: "phase " + p.ID, What: "it has no place there"})
		} else if what := missingOf(p, *pairs[i], ids); len(what) > 0 {
			lost = append(lost, Lost{Path: "phase " + p.ID, What: strings.Join(what, "; ")})
		}
	}
	return lost
}

// missingOf is what of a phase is not in another, whose ids are those of ids.
func missingOf(p, q Phase, ids map[string]string) (what []string) {
	for _, f := range []struct{ name, here, there string }{
		{"id", p.ID, q.ID},
		{"title", p.Title, q.Title},
		{"kind", string(p.Kind), string(cmp.Or(q.Kind, task.KindExecution))},
		{"phase it belongs to", ids[p.Of], q.Of},
		{"tier", string(p.Tier), string(cmp.Or(q.Tier, task.TierAuto))},
		{"status", p.Status.String(), cmp.Or(q.Status, task.PhasePending).String()},
	} {
		if f.here != "" && f.here != f.there {
			what = append(what, f.name+" "+differs(f.here, f.there))
		}
	}
	on := make([]string, 0, len(p.DependsOn))
	for _, id := range p.DependsOn {
		on = append(on, ids[id])
	}
	for _, f := range []struct {
		name        string
		here, there []string
	}{
		{"phases it waits for", on, q.DependsOn},
		{"criteria", p.Acceptance, q.Acceptance},
		{"commands", p.Verify, q.Verify},
		{"agents", p.Agents, q.Agents},
	} {
		if len(f.here) > 0 && !slices.Equal(f.here, f.there) {
			what = append(what, fmt.Sprintf("%s: %d of %d come along", f.name, shared(f.here, f.there), len(f.here)))
		}
	}
	if len(p.Reports) > 0 && !reflect.DeepEqual(p.Reports, q.Reports) {
		what = append(what, "reports")
	}
	if !bytes.Contains(q.Plan, p.Plan) {
		what = append(what, "the plan's text")
	}
	return what
}
