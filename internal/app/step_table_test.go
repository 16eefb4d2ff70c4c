package app_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// trustAll looks at what waits, as the person, and trusts it.
func trustAll(t *testing.T, s *app.App) {
	t.Helper()
	items, err := s.Trust.TrustList(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var hashes []string
	for _, item := range items {
		if !item.Trusted {
			hashes = append(hashes, item.Hash)
		}
	}
	if _, err := s.Trust.Trust(context.Background(), hashes); err != nil {
		t.Fatal(err)
	}
}

// hooksIn are the sides of steps that a command met, in their order.
func hooksIn(s *app.App, from int) (sides []string) {
	for _, h := range s.Pipelines.HooksDone()[from:] {
		side := string(h.When) + "-" + h.Step
		if h.Phase != "" {
			side += " " + h.Phase
		}
		if h.Outcome != task.HookTold {
			side += " " + string(h.Outcome)
		}
		sides = append(sides, side)
	}
	return sides
}

// Every step of a task's life has what runs before and after it, at the command
// that begins it and the one that ends it.
func TestStepTable_SP5_SP9_beginAndEnd(t *testing.T) {
	f := gitstoretest.New(t)
	f.Commit("first")
	ctx := context.Background()
	for _, row := range steps.StepTable() {
		for _, name := range []string{"pre-" + row.Step, "post-" + row.Step} {
			f.Write(".brew/hooks/"+name+".md", "# "+name+"\n")
		}
	}
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	trustAll(t, s)
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth", NoSwitch: true})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	doc := func(name, text string) func() error {
		return func() error {
			_, err := s.Documents.SetDocument(ctx, id, texts.SetDocumentRequest{Name: name, Text: []byte(text)})
			return err
		}
	}
	stage := func(to task.Stage) func() error {
		return func() error { _, err := s.Work.SetStage(ctx, id, to); return err }
	}
	add := func(r phase.PhaseAddRequest) func() error {
		return func() error { _, err := s.Phases.AddPhase(ctx, id, r); return err }
	}
	start := func(phase string) func() error {
		return func() error { _, err := s.Phases.StartPhase(ctx, id, phase); return err }
	}
	executed := func(phase string) func() error {
		return func() error { _, err := s.Phases.PhaseDone(ctx, id, phase); return err }
	}
	review := func(phase string, v task.Review) func() error {
		return func() error { _, err := s.Reviews.ReviewPhase(ctx, id, phase, v, "no tests"); return err }
	}
	for _, tt := range []struct {
		name string
		do   func() error
		want []string
	}{
		{"start the task", func() error { _, err := s.Work.Start(ctx, id, false, false); return err }, nil},
		{"a first question", func() error {
			_, err := s.Documents.AddQuestion(ctx, id, "Which hash?")
			return err
		}, []string{"pre-clarify"}},
		{"a second one", func() error { _, err := s.Documents.AddQuestion(ctx, id, "Which key?"); return err }, nil},
		{"one is answered", func() error { _, err := s.Documents.ResolveQuestion(ctx, id, 1, ""); return err }, nil},
		{
			"the last one is answered in the text",
			doc("context", "## Gray Areas Remaining\n\n- [x] Which hash?\n- [x] Which key?\n"),
			[]string{"post-clarify"},
		},
		{"research", stage(task.StageResearch), []string{"pre-research"}},
		{"the research is written", doc("research", "# Research\n"), []string{"post-research"}},
		{"and written again", doc("research", "# Research\n\nMore.\n"), nil},
		{"planning", stage(task.StagePlan), []string{"pre-plan"}},
		{"the roadmap is written", doc("roadmap", "# Roadmap\n"), []string{"post-plan"}},
		{"phases", add(phase.PhaseAddRequest{Title: "Token model"}), nil},
		{"one of research", add(phase.PhaseAddRequest{Title: "Look around", ShownID: "2", Kind: task.KindResearch}), nil},
		{"with a verification", add(phase.PhaseAddRequest{Title: "Login", ShownID: "3"}), nil},
		{"that is", add(phase.PhaseAddRequest{Title: "Try it", Kind: task.KindVerification, Parent: "3"}), nil},
		{"a phase is planned", doc("phases/1/plan", "# Plan\n"), []string{"pre-plan 1", "post-plan 1"}},
		{"a phase begins", start("1"), []string{"pre-execute 1"}},
		{"it is done", executed("1"), []string{"post-execute 1"}},
		{"it is sent back", review("1", task.ReviewChanges), []string{"pre-review 1", "post-review 1"}},
		{"and revised", func() error {
			_, err := s.Phases.RevisePhase(ctx, id, "1", "Tests")
			return err
		}, []string{"pre-revise 1", "pre-execute 1.1", "post-revise 1"}},
		{"the fix is done", executed("1.1"), []string{"post-execute 1.1"}},
		{"and approved", review("1.1", task.ReviewApproved), []string{"pre-review 1.1", "post-review 1.1"}},
		{"and so is the phase", review("1", task.ReviewApproved), []string{"pre-review 1", "post-review 1"}},
		{"a phase of research", start("2"), []string{"pre-research 2"}},
		{"is handed off", func() error { _, err := s.Work.Pause(ctx, id, task.CauseCompaction, ""); return err }, nil},
		{"and goes on", func() error { return s.Work.Resume(ctx, id) }, nil},
		{"ends", executed("2"), []string{"post-research 2"}},
		{"is approved", review("2", task.ReviewApproved), []string{"pre-review 2", "post-review 2"}},
		{"claimed by a worker", func() error {
			_, err := s.Work.ClaimPhase(ctx, id, "w1")
			return err
		}, []string{"pre-execute 3"}},
		{"done", executed("3"), []string{"post-execute 3"}},
		{"its verification begins", start("3V"), []string{"pre-review 3V"}},
		{"has been gone through", executed("3V"), nil},
		{"passes", review("3V", task.ReviewApproved), []string{"post-review 3V"}},
		{"the end", func() error {
			_, err := s.Work.Finish(ctx, id, app.FinishRequest{})
			return err
		}, []string{"pre-complete", "post-complete"}},
	} {
		from := len(s.Pipelines.HooksDone())
		if err := tt.do(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if got := hooksIn(s, from); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	// What is recorded is what was met, and every clone folds it to the same.
	after, err := s.Records.Task(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	recorded, met := map[string]bool{}, map[string]bool{}
	for _, h := range after.StepHooks {
		recorded[h.Name()] = true
	}
	for _, h := range s.Pipelines.HooksDone() {
		met[string(h.When)+"-"+h.Step] = true
	}
	if !maps.Equal(recorded, met) || len(after.OpenHooks()) > 0 {
		t.Errorf("%v recorded, %v met, open %+v", recorded, met, after.OpenHooks())
	}
}

// docs/reference/pipelines.md has the table of steps as it is.
func TestStepTable_SP5_isInTheDocs(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "pipelines.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(data), "<!-- table of steps -->\n")
	page, _, _ = strings.Cut(page, "<!-- end -->")
	want := "| step | runs before | runs after |\n|---|---|---|\n"
	escape := strings.NewReplacer("<", "&lt;", ">", "&gt;")
	for _, row := range steps.StepTable() {
		want += fmt.Sprintf("| %s (%s) | %s | %s |\n", row.Step, row.Pipeline, escape.Replace(row.BegunBy),
			escape.Replace(row.EndedBy))
	}
	if page != want {
		t.Errorf("the page has\n%s\nthe table is\n%s", page, want)
	}
}

// What lies around a step is used only where it lies in the work tree, is a
// file, can be run, and was trusted in that place.
func TestHooks_SP6_hostileFiles(t *testing.T) {
	ctx := context.Background()
	const program = "#!/bin/sh\necho ran >>ran\n"
	for _, tt := range []struct {
		name string
		make func(t *testing.T, dir string)
		want string
	}{
		{"a link out of the work tree", func(t *testing.T, dir string) {
			out := filepath.Join(t.TempDir(), "x")
			mustWrite(t, out, program, 0o755)
			mustLink(t, out, filepath.Join(dir, "pre-execute"))
		}, "it leads out of the work tree"},
		{"a link to nowhere", func(t *testing.T, dir string) {
			mustLink(t, filepath.Join(dir, "nowhere"), filepath.Join(dir, "pre-execute"))
		}, "it is no file"},
		{"a link into git's directory", func(t *testing.T, dir string) {
			mustWrite(t, filepath.Join(dir, "../../.git/x"), program, 0o755)
			mustLink(t, "../../.git/x", filepath.Join(dir, "pre-execute"))
		}, "it leads out of the work tree"},
		{"a directory", func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "pre-execute"), 0o777); err != nil {
				t.Fatal(err)
			}
		}, "it is no file"},
		{"not executable", func(t *testing.T, dir string) {
			mustWrite(t, filepath.Join(dir, "pre-execute"), program, 0o644)
		}, "it is not executable"},
		{"large", func(t *testing.T, dir string) {
			mustWrite(t, filepath.Join(dir, "pre-execute"), program+strings.Repeat("#", 1<<20), 0o755)
		}, "it has more than 1048576 bytes"},
		{"not trusted", func(t *testing.T, dir string) {
			mustWrite(t, filepath.Join(dir, "pre-execute"), program, 0o755)
		}, "its hash is "},
	} {
		f := gitstoretest.New(t)
		f.Commit("first")
		f.Write(".brew/hooks/README", "")
		s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
		tt.make(t, filepath.Join(f.Dir, ".brew", "hooks"))
		made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth", Phases: []string{"One"}, NoSwitch: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Work.Start(ctx, made.Task.ID, false, false); err != nil {
			t.Fatal(err)
		}
		_, err = s.Phases.StartPhase(ctx, made.Task.ID, "")
		if !isRefused(err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
		after, err := s.Records.Task(ctx, made.Task.ID)
		if err != nil || after.Phases[0].Status != task.PhasePending || len(after.StepHooks) != 1 {
			t.Errorf("%s: phase is %s, recorded %+v, %v", tt.name, after.Phases[0].Status, after.StepHooks, err)
		}
		if _, err := os.Stat(filepath.Join(f.Dir, "ran")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: it ran", tt.name)
		}
	}
}

func mustWrite(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func mustLink(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

// A program has its time, and what it says is kept without secrets.
func TestHooks_SP6_timeAndSecrets(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	f.Commit("first")
	f.Write(".brew/hooks/README", "")
	mustWrite(t, filepath.Join(f.Dir, ".brew/hooks/pre-execute"),
		"#!/bin/sh\nprintf 'password=hunter2secret \\033[31m\\n'\nexec sleep 60\n", 0o755)
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	if err := s.Config.ConfigSet(ctx, "pipeline.hookTimeout", []string{"1s"}, false); err != nil {
		t.Fatal(err)
	}
	trustAll(t, s)
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth", Phases: []string{"One"}, NoSwitch: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Work.Start(ctx, made.Task.ID, false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Phases.StartPhase(ctx, made.Task.ID, ""); !isRefused(err) ||
		!strings.Contains(err.Error(), "it took longer than 1s") {
		t.Fatal(err)
	}
	after, err := s.Records.Task(ctx, made.Task.ID)
	if err != nil || len(after.StepHooks) != 1 {
		t.Fatal(after.StepHooks, err)
	}
	if got := after.StepHooks[0].Runs[0].Detail; got != "it took longer than 1s, brew.pipeline.hookTimeout\n"+
		"password=[redacted]" {
		t.Errorf("%q", got)
	}
}

// A program that the system does not run fails, and what is wrong with it is said.
func TestHooks_SP6_whatIsNoProgram(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	f.Commit("first")
	f.Write(".brew/hooks/README", "")
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth", Phases: []string{"One"}, NoSwitch: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Work.Start(ctx, made.Task.ID, false, false); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, says string }{
		{"#!/bin/sh\r\nexit 0\r\n", "end without a carriage return?"},
		{"#!/no/such/interpreter\n", "name an interpreter that is there"},
		{"exit 0\n", "as #!/bin/sh does"},
	} {
		mustWrite(t, filepath.Join(f.Dir, ".brew/hooks/pre-execute"), tt.text, 0o755)
		trustAll(t, s)
		if _, err := s.Phases.StartPhase(ctx, made.Task.ID, ""); !isRefused(err) ||
			!strings.Contains(strings.ToLower(err.Error()), tt.says) {
			t.Errorf("%q: %v, want %q in it", tt.text, err, tt.says)
		}
	}
}

// Two programs that look alike when their parts are put together are two, and a
// program is trusted in its place alone.
func TestHooks_SP6_trustIsOfBytesInTheirPlace(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	f.Commit("first")
	f.Write(".brew/hooks/README", "")
	at := func(name string) string { return filepath.Join(f.Dir, ".brew", "hooks", name) }
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	seen := map[string]string{}
	for name, text := range map[string]string{
		"text": "#!/bin/sh\n", "no newline": "#!/bin/sh", "two lines": "#!/bin/sh\n\n", "binary": "\x7fELF\x00\x01",
		"other binary": "\x7fELF\x00\x02", "empty": "",
		"says it is binary": "\\x00binary\n6 bytes",
	} {
		for _, place := range []string{"pre-execute", "post-execute", "pre-review.md"} {
			mustWrite(t, at(place), text, 0o755)
			items, err := s.Trust.TrustList(ctx)
			if err != nil || len(items) != 1 {
				t.Fatal(items, err)
			}
			if other, twice := seen[items[0].Hash]; twice {
				t.Errorf("%s at %s has the hash of %s", name, place, other)
			}
			seen[items[0].Hash] = name + " at " + place
			if err := os.Remove(at(place)); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Who wrote it is told where a commit has it.
	mustWrite(t, at("pre-execute"), "#!/bin/sh\n", 0o755)
	f.Git("add", ".brew")
	f.Git("commit", "-q", "-m", "hooks")
	items, err := s.Trust.TrustList(ctx)
	if err != nil || len(items) != 1 || items[0].Commit == "" || items[0].Author == "" ||
		strings.Contains(items[0].Where[0], "not committed") {
		t.Errorf("%+v, %v", items, err)
	}
	mustWrite(t, at("pre-execute"), "#!/bin/sh\nexit 1\n", 0o755)
	if items, err = s.Trust.TrustList(ctx); err != nil || len(items) != 1 || items[0].Commit != "" ||
		!strings.Contains(items[0].Where[0], "not committed") {
		t.Errorf("%+v, %v", items, err)
	}
}

// What was found to be trusted is what runs, whatever becomes of the file: here
// the program changes its own, which a shell would go on reading. It runs in the
// work tree, and is told where its file is.
func TestHooks_SP6_whatWasTrustedIsWhatRuns(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	f.Commit("first")
	f.Write(".brew/hooks/README", "")
	file := filepath.Join(f.Dir, ".brew/hooks/pre-execute")
	fill := strings.Repeat("# so long that no shell reads it at once\n", 2000)
	mustWrite(t, file, "#!/bin/sh\n"+`{ echo '#!/bin/sh'; yes 'echo other >>ran' | head -n 9000; } >"$BREW_HOOK"`+"\n"+
		fill+
		`echo "${0##*/} $(pwd -P)" >>ran`+"\n"+`ls -ld "$(dirname "$0")" | cut -c1-10 >>ran`+"\n"+
		`case $0 in "$(pwd -P)"/.git/*) ;; *) exit 1;; esac`+"\n", 0o755)
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	trustAll(t, s)
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth", Phases: []string{"One"}, NoSwitch: true})
	if err != nil {
		t.Fatal(err)
	}
	atWork(t, s, made.Task.ID)
	top, err := filepath.EvalSymlinks(f.Dir)
	if err != nil {
		t.Fatal(err)
	}
	ran, err := os.ReadFile(filepath.Join(f.Dir, "ran"))
	if want := "pre-execute " + top + "\ndrwx------\n"; err != nil || string(ran) != want {
		t.Errorf("ran %q, %v; want %q", ran, err, want)
	}
	if changed, err := os.ReadFile(file); err != nil || !strings.Contains(string(changed), "other") {
		t.Errorf("the file did not change: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(f.Dir, ".git/brew/aside-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// Both hooks on each side of a step, each done, or not done where it is optional or
// required: they come in their order, up to the first required one that does not do its
// part. Before the step that leaves it where it is; after it the pipeline waits.
func TestHooks_SP5_SP6_everyCombination(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	f.Commit("first")
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth", NoSwitch: true})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	if _, err := s.Work.Start(ctx, id, false, false); err != nil {
		t.Fatal(err)
	}
	f.Write("ops/there.md", "# there\n")
	hooks := map[string]string{
		"done": `{"workflow":"ops/there.md"}`, "optional": `{"workflow":"ops/none.md","optional":true}`,
		"required": `{"workflow":"ops/none.md"}`,
	}
	for _, tt := range []struct {
		when, first, second string // on the outside before the step, on the inside after it
		met                 string
		stops               bool
	}{
		{"pre", "done", "done", "told told", false},
		{"pre", "done", "optional", "told missing", false},
		{"pre", "done", "required", "told missing", true},
		{"pre", "optional", "done", "missing told", false},
		{"pre", "optional", "optional", "missing missing", false},
		{"pre", "optional", "required", "missing missing", true},
		{"pre", "required", "done", "missing", true},
		{"pre", "required", "optional", "missing", true},
		{"pre", "required", "required", "missing", true},
		{"post", "done", "done", "told told", false},
		{"post", "done", "optional", "told missing", false},
		{"post", "done", "required", "told missing", true},
		{"post", "optional", "done", "missing told", false},
		{"post", "optional", "optional", "missing missing", false},
		{"post", "optional", "required", "missing missing", true},
		{"post", "required", "done", "missing", true},
		{"post", "required", "optional", "missing", true},
		{"post", "required", "required", "missing", true},
	} {
		name := tt.when + " " + tt.first + " " + tt.second
		global, own := tt.first, tt.second
		if tt.when == "post" {
			global, own = own, global
		}
		f.Write(".brew/pipeline.json", `{"schema_version":"1.0","hooks":{"`+tt.when+`-step":`+hooks[global]+`},"pipelines":{
"main":[{"name":"clarify","workflow":"clarify.md"},{"name":"research","workflow":"research.md"},{"name":"plan","workflow":"plan.md"},{"name":"phase-execution","pipeline":"phase-execution"}],
"phase-execution":[{"name":"plan","workflow":"phase-plan.md"},{"name":"execute","workflow":"execute.md","hooks":{"`+tt.when+`":`+hooks[own]+`}},
{"name":"review","workflow":"review.md"},{"name":"revise","workflow":"revise.md"}]}}`)
		s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
		trustAll(t, s)
		added, err := s.Phases.AddPhase(ctx, id, phase.PhaseAddRequest{Title: name})
		if err != nil {
			t.Fatal(name, err)
		}
		phase := added.Phase.ID
		_, err = s.Phases.StartPhase(ctx, id, phase)
		if err == nil {
			_, err = s.Phases.PhaseDone(ctx, id, phase)
		}
		if before := tt.when == "pre"; (err != nil) != (before && tt.stops) {
			t.Errorf("%s: %v", name, err)
		}
		var met []string
		for _, h := range s.Pipelines.HooksDone() {
			met = append(met, string(h.Outcome))
		}
		if got := strings.Join(met, " "); got != tt.met {
			t.Errorf("%s: %s, want %s", name, got, tt.met)
		}
		after, err := s.Records.Task(ctx, id)
		if err != nil {
			t.Fatal(name, err)
		}
		want := task.PhaseInReview
		if tt.when == "pre" && tt.stops {
			want = task.PhasePending
		}
		if p, err := after.FindPhase(phase); err != nil || p.Status != want {
			t.Errorf("%s: phase is %s, want %s, %v", name, p.Status, want, err)
		}
		if waits := route.Next(after).Step == task.StepHook; waits != (tt.when == "post" && tt.stops) {
			t.Errorf("%s: next is %+v", name, route.Next(after))
		}
		if len(after.OpenHooks()) > 0 {
			if _, _, err := s.Pipelines.SkipHooks(ctx, id, "not now"); err != nil {
				t.Fatal(name, err)
			}
		}
	}
}
