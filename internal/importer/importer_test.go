package importer

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
)

var update = flag.Bool("update", false, "write the reports of testdata anew")

// Each system's sample becomes what its report says, and what is lost has its place; so
// does what the systems' own programs wrote.
func TestRead_samples(t *testing.T) {
	t.Parallel()
	samples := []string{"written/backlog.md", "written/openspec", "written/task-master"}
	for _, s := range Systems() {
		samples = append(samples, s.Name)
	}
	for _, sample := range samples {
		t.Run(sample, func(t *testing.T) {
			t.Parallel()
			s, _ := Named(path.Base(sample))
			read, err := s.Read(os.DirFS(filepath.Join("testdata", sample)), s.Name, "")
			if err != nil {
				t.Fatal(err)
			}
			have := reportOf(read)
			name := filepath.Join("testdata", sample+".golden")
			if *update {
				if err := os.WriteFile(name, []byte(have), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil || string(want) != have {
				t.Errorf("%v; the report is now\n%s", err, have)
			}
		})
	}
}

func reportOf(r Result) string {
	var b strings.Builder
	for _, t := range r.Tasks {
		fmt.Fprintf(&b, "task %q, %s, branch %q, stage %q, of %s\n", t.Title, t.Status, t.Branch, t.Stage, t.Source)
		for _, d := range t.Docs {
			fmt.Fprintf(&b, "  %s: %d bytes\n", d.Name, len(d.Text))
		}
		for _, p := range t.Phases {
			fmt.Fprintf(&b, "  phase %s %q, %s, %s, %s, after %q, of %q, plan of %d bytes\n", p.ID, p.Title, p.Kind, p.Status,
				p.Tier, p.DependsOn, p.Of, len(p.Plan))
			fmt.Fprintf(&b, "    criteria %q, commands %q, agents %q\n", p.Acceptance, p.Verify, p.Agents)
			for _, r := range p.Reports {
				fmt.Fprintf(&b, "    report of %s: %q\n", r.Agent, r.Text)
			}
		}
		for _, d := range t.Decisions {
			fmt.Fprintf(&b, "  decision %q: %q, revoked %t\n", d.Title, d.Why, d.Revoked)
		}
		for _, e := range t.Knowledge {
			fmt.Fprintf(&b, "  %s: %q of %s\n", e.T, e.Txt, e.Src)
		}
	}
	for _, text := range r.Backlog {
		fmt.Fprintf(&b, "backlog %q\n", text)
	}
	for _, l := range r.Lost {
		fmt.Fprintf(&b, "lost %s\n", l)
	}
	return b.String()
}

// What a system writes, it reads again as the same task, but for what it said is lost.
func TestWrite_readAgain(t *testing.T) {
	t.Parallel()
	for _, s := range Systems() {
		if !s.Writes {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(300) {
				in := randomTask(rand.New(rand.NewPCG(seed, 1)), s.Name)
				files, lost := s.Write(in)
				if len(lost) > 0 {
					t.Fatalf("seed %d: lost %v", seed, lost)
				}
				out, err := s.Read(mapOf(files), "x", "")
				if err != nil || len(out.Tasks) != 1 || len(out.Lost) > 0 {
					t.Fatalf("seed %d: %v, %d tasks, lost %v", seed, err, len(out.Tasks), out.Lost)
				}
				have := out.Tasks[0]
				same(t, seed, "title", have.Title, in.Title)
				same(t, seed, "phases", plain(have.Phases), plain(in.Phases))
				same(t, seed, "knowledge", have.Knowledge, in.Knowledge)
				same(t, seed, "decisions", have.Decisions, in.Decisions)
				same(t, seed, "spec", string(have.Doc(task.DocSpec)), string(in.Doc(task.DocSpec)))
			}
		})
	}
}

func same(t *testing.T, seed uint64, what string, have, want any) {
	t.Helper()
	if !reflect.DeepEqual(have, want) {
		t.Fatalf("seed %d: %s is\n%+v, want\n%+v", seed, what, have, want)
	}
}

// plain are phases without the lines that they were read from.
func plain(all []Phase) []string {
	var out []string
	for _, p := range all {
		out = append(out, fmt.Sprintf("%s %q %s %s %s %q %q %q %q %q %q %q", p.ID, p.Title, p.Kind, p.Of, p.Tier, p.DependsOn,
			p.Acceptance, p.Verify, p.Agents, p.Status, p.Plan, p.Reports))
	}
	return out
}

func mapOf(files []File) fstest.MapFS {
	m := fstest.MapFS{}
	for _, f := range files {
		m[f.Path] = &fstest.MapFile{Data: f.Data}
	}
	return m
}

// randomTask is a task of what a system has a place for.
func randomTask(r *rand.Rand, system string) Task {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	t := Task{Title: pick("Add auth", "Sign in", "x"), Status: task.Pending}
	t.Docs = []Doc{{task.DocSpec, []byte("# Spec\n\nText.\n")}}
	brewcode, brigade := system == "brewcode", system == "brigade"
	if system == "brainworm" {
		t.Docs[0].Text = []byte("---\ntask: add-it\nbranch: x\nstatus: pending\n---\n# Add it\n")
		t.Title = "Add it"
	}
	for i := range 1 + r.IntN(6) {
		p := Phase{
			ID: fmt.Sprint(i + 1), Title: pick("One", "Two | three", "Vier"), Kind: task.KindExecution, Tier: task.TierAuto,
			Status: task.PhasePending,
		}
		p.Plan = fmt.Appendf(nil, "# %s\n\nPlan.\n", p.Title)
		if i > 0 && system != "brainworm" && r.IntN(2) == 0 {
			p.DependsOn = []string{fmt.Sprint(1 + r.IntN(i))}
		}
		if brewcode {
			p.Agents = []string{pick("developer", "tester")}
			p.Status = task.PhaseStatus(pick("pending", "in_progress", "failed"))
			if r.IntN(2) == 0 {
				p.Status, p.Reports = task.PhaseCompleted, []Report{{p.Agents[0], []byte("# Done\n")}}
			}
		}
		if brigade {
			p.ID, p.Tier = fmt.Sprintf("US-%d", i+1), task.Tier(pick("junior", "senior", "auto"))
			p.Plan = fmt.Appendf(nil, "---\nphase: %s\n---\n\n# %s\n\n%s\n", p.ID, p.Title, pick("Text.", "More\n\ntext."))
			for j, id := range p.DependsOn {
				p.DependsOn[j] = "US-" + id
			}
			p.Acceptance, p.Verify = []string{"it holds"}, []string{pick("go test ./...", "a | b")}
			if r.IntN(3) == 0 {
				p.Status, p.Verify = task.PhaseCompleted, nil
			}
		}
		t.Phases = append(t.Phases, p)
	}
	if brewcode {
		t.Knowledge = []knowledge.Entry{{TS: "2026-01-02T03:04:05Z", T: knowledge.Avoid, Txt: "Logs keep tokens", Src: "me"}}
	}
	if system == "specdacular" {
		t.Decisions = []Decision{{Title: "No Redis", Why: "", Revoked: r.IntN(2) == 0}}
		t.Phases[0].Acceptance = []string{"it holds", "it lasts"}
		t.Decisions[0].Why = pick("One process", "why: not")
	}
	return t
}

// Whatever stands in the files, no reader panics, and what it makes can be a task.
func FuzzRead(f *testing.F) {
	for i, s := range Systems() {
		dir := os.DirFS(filepath.Join("testdata", s.Name))
		err := fs.WalkDir(dir, ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(dir, p)
			f.Add(byte(i), p, data)
			return err
		})
		if err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, name string, data []byte) {
		s := Systems()[int(which)%len(Systems())]
		if !fs.ValidPath(name) || name == "." {
			return
		}
		files := fstest.MapFS{name: {Data: data}}
		for _, known := range []string{
			"t/PLAN.md", "t/FEATURE.md", "t/config.json", "t/ROADMAP.md", "t/KNOWLEDGE.jsonl", "t/README.md", "u/tasks.md",
			"u/spec.md", "u/proposal.md", "u/issues.jsonl", "u/tasks.json", "tasks/a.md",
		} {
			files[known] = &fstest.MapFile{Data: data}
		}
		out, err := s.Read(files, "x", "")
		if err != nil {
			return
		}
		for _, made := range out.Tasks {
			checkTask(t, made)
		}
		for _, l := range out.Lost {
			if !task.OneLine(l.String(), 1<<20) {
				t.Errorf("lost %q is no line", l)
			}
		}
	})
}

// checkTask fails where something of a task can't be recorded.
func checkTask(t *testing.T, made Task) {
	t.Helper()
	if err := task.CheckTitle(made.Title); err != nil {
		t.Errorf("title: %v", err)
	}
	there := map[string]bool{}
	for _, p := range made.Phases {
		if err := errors.Join(task.CheckTitle(p.Title), task.CheckName(p.ID)); err != nil || there[strings.ToLower(p.ID)] {
			t.Errorf("phase %q %q: %v", p.ID, p.Title, err)
		}
		for _, id := range append(p.DependsOn, p.Of) {
			if id != "" && !there[strings.ToLower(id)] {
				t.Errorf("phase %s stands in front of %s", p.ID, id)
			}
		}
		for _, item := range append(p.Acceptance, p.Verify...) {
			if !task.OneLine(item, task.MaxItem) {
				t.Errorf("%q is no item", item)
			}
		}
		there[strings.ToLower(p.ID)] = true
	}
}

// What a stranger's directory does to be read for ever is refused or left out.
func TestRead_hostile(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", task.MaxText+1)
	circle := `{"featureName":"a\u001b[31m","tasks":[{"id":"1","title":"a","dependsOn":["2"]},{"id":"2","title":"b","dependsOn":["1"]}]}`
	var chain, many, alone strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&alone, `{"id":"%d","title":"x"}`+"\n", i)
		fmt.Fprintf(&chain, "{\"id\":\"a%d\",\"title\":\"t\",\"description\":\"x\",\"parent\":\"a%d\"}\n", i, i+1)
		fmt.Fprintf(&many, "## Phase %d: T\n**Needs:** %d\n", i, i+7)
	}
	for _, c := range []struct {
		name, system string
		files        fstest.MapFS
		words        string // of the error, or of what is lost
	}{
		{"nothing", "brewcode", fstest.MapFS{}, "there is no task of brewcode"},
		{"a link", "brewcode", fstest.MapFS{
			"PLAN.md": {Data: []byte("# P\n")}, "SPEC.md": {Data: []byte("/etc/passwd"), Mode: fs.ModeSymlink},
		}, "SPEC.md: it is no regular file"},
		{"a huge document", "brewcode", fstest.MapFS{
			"PLAN.md": {Data: []byte("# P\n")}, "SPEC.md": {Data: []byte(big)},
		}, "SPEC.md: SPEC.md has more than"},
		{"binary", "specdacular", fstest.MapFS{
			"FEATURE.md": {Data: []byte("# F\n")}, "ROADMAP.md": {Data: []byte("a\x00b")},
		}, "ROADMAP.md: the text has a NUL byte"},
		{"a circle of stories", "brigade", fstest.MapFS{"prd.json": {Data: []byte(circle)}}, "waits for itself"},
		{"parts of parts for ever", "beads", fstest.MapFS{"issues.jsonl": {Data: []byte(chain.String())}}, "issues.jsonl:"},
		{"thousands of phases", "brewcode", fstest.MapFS{"PLAN.md": {Data: []byte(many.String())}}, "at most 1000 phases"},
		{"no JSON", "brigade", fstest.MapFS{"prd.json": {Data: []byte("[")}}, "prd.json: "},
		{"a list that is none", "task-master", fstest.MapFS{"tasks.json": {Data: []byte(
			`{"a":{"tasks":[{"id":1,"title":"A"},{"id":2,"title":7}]},"odd":7}`,
		)}}, "tasks.json: odd: a value of the wrong kind: number"},
		{"a title that is none", "task-master", fstest.MapFS{"tasks.json": {Data: []byte(
			`{"a":{"tasks":[{"id":1,"title":"A"},{"id":2,"title":7}]},"odd":7}`,
		)}}, "tasks.json: a, task 2: title: a value of the wrong kind: number"},
		{"no lists", "task-master", fstest.MapFS{"tasks.json": {Data: []byte("[]")}}, "the wrong kind: array"},
		{"parts in a circle", "beads", fstest.MapFS{"issues.jsonl": {Data: []byte(
			`{"id":"a","title":"A","status":"open","parent":"b"}` + "\n" + `{"id":"b","title":"B","status":"open","parent":"a"}`,
		)}}, "goes in a circle"},
		{"a part of nothing", "beads", fstest.MapFS{"issues.jsonl": {Data: []byte(
			`{"id":"a","title":"A","status":"open","parent":"\u001bx"}`,
		)}}, "a is a part of x, which is not there"},
		{"issues for ever", "beads", fstest.MapFS{"issues.jsonl": {Data: []byte(alone.String())}}, "19000 issues too many"},
		{"a circle in a roadmap", "specdacular", fstest.MapFS{
			"FEATURE.md": {Data: []byte("# F\n")},
			"ROADMAP.md": {Data: []byte("### Phase 1: A\n**Dependencies:** Phase 2\n\n### Phase 2: B\n**Needs:** Phase 1\n")},
		}, "in a circle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := Named(c.system)
			out, err := s.Read(c.files, "x", "")
			said := reportOf(out)
			if err != nil {
				said += err.Error()
			}
			if !strings.Contains(said, c.words) {
				t.Errorf("it said %q", said)
			}
		})
	}
}

// What is wrong with a file is said in words that its author knows, and none of Go's: each
// sample is broken, a file at a time.
func TestRead_brokenFilesInPlainWords(t *testing.T) {
	t.Parallel()
	breaks := map[string]func(string) string{
		"cut":     func(s string) string { return s[:len(s)/2] },
		"a brace": func(string) string { return "{" },
		"a list":  func(string) string { return "[7]" },
		"numbers": func(s string) string { return strings.ReplaceAll(s, `": "`, `": 7, "x`) },
		"no time": func(s string) string { return strings.ReplaceAll(s, "2026-", "x-") },
		"a mark":  func(s string) string { return "\ufeff" + s },
		"empty":   func(string) string { return "" },
	}
	for _, s := range Systems() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			sample := os.DirFS(filepath.Join("testdata", s.Name))
			err := fs.WalkDir(sample, ".", func(p string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				for how, broken := range breaks {
					said := readBroken(t, s, sample, p, broken)
					for _, word := range []string{
						": json:", "JSON input", "invalid character", "strconv", "Go ", "unmarshal", "parsing", "runtime",
					} {
						if strings.Contains(said, word) {
							t.Errorf("%s, %s: it says %q: %s", p, how, word, said)
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// readBroken is what is said of a sample one file of which is broken.
func readBroken(t *testing.T, s System, sample fs.FS, broken string, how func(string) string) (said string) {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(sample, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sample, p)
		if p == broken {
			data = []byte(how(string(data)))
		}
		files[p] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Read(files, "x", "")
	for _, l := range out.Lost {
		said += l.String() + "\n"
	}
	if err != nil {
		said += err.Error()
	}
	return said
}
