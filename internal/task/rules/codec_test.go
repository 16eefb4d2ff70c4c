package rules_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// full is a state with something in every field.
func full(tb testing.TB) *story {
	tb.Helper()
	s := started(tb)
	one := s.add(task.PhaseAddPayload{
		Title: "Token <model> & more", Acceptance: []string{"a", "b\nc"}, Verification: []string{"go test ./..."},
		Tier: task.TierSenior, Agents: []string{"developer"},
	})
	s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: one})
	two := s.add(task.PhaseAddPayload{DependsOn: []task.UID{one}})
	s.start(one)
	s.do(task.OpPhaseLaunch, task.PhaseLaunchPayload{Phase: one, Agent: "tester"})
	s.do(task.OpReport, task.ReportPayload{Phase: one, Iteration: 1, Agent: "developer", OID: s.texts.put("done\n")})
	s.executed(one)
	s.reject(one, "no")
	s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: one, Reason: "gone"})
	if s.phase(two).FailedBy != one {
		tb.Fatal("no cascade")
	}
	base := s.texts.put("a\n")
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, OID: base})
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, Base: base, OID: s.texts.put("b\n")})
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, Base: base, OID: s.texts.put("c\n")})
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.PlanOf(one), OID: s.texts.put("p\n")})
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocContext, OID: s.texts.put("# Gray Areas Remaining\n- [ ] q\n")})
	s.do(task.OpKnowledgeAdd, task.KnowledgeAddPayload{
		TS: "2026-03-01T10:00:00Z", T: "avoid", Txt: "<b> & \"quotes\"",
		Src: "dev", Paths: []string{"*.go"},
	})
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "waits"})
	return s
}

// stored gives every file the id that git would.
func stored(tb testing.TB, t task.Task) operation.Files {
	tb.Helper()
	files, err := task.Encode(t)
	if err != nil {
		tb.Fatal(err)
	}
	for path, b := range files {
		if b.OID == "" {
			b.OID = task.DocOf(b.Data, 40).OID
			files[path] = b
		}
	}
	return files
}

func TestCodec_roundTrip(t *testing.T) {
	t.Parallel()
	s := full(t)
	files := stored(t, s.t)
	for _, path := range []string{
		"task.json", "knowledge.jsonl", "plan.md", "context.md", "phases/1/plan.md", "artifacts/1-1e/developer_output.md",
		"conflicts/" + string(s.t.Conflicts[0].UID),
	} {
		if files[path].OID == "" {
			t.Errorf("%s is missing", path)
		}
	}
	back, err := task.Decode(files)
	if err != nil {
		t.Fatal(err)
	}
	again := stored(t, back)
	if !bytes.Equal(files[task.TaskFile].Data, again[task.TaskFile].Data) {
		t.Errorf("read back differently:\n%s\n%s", files[task.TaskFile].Data, again[task.TaskFile].Data)
	}
	if len(again) != len(files) {
		t.Errorf("%d files, then %d", len(files), len(again))
	}
	for path, b := range files {
		if again[path].OID != b.OID {
			t.Errorf("%s: %s, then %s", path, b.OID, again[path].OID)
		}
	}
	if back.Knowledge[0].Txt != s.t.Knowledge[0].Txt || back.Questions != s.t.Questions || !task.Needs(task.TaskFile) ||
		task.Needs("plan.md") {
		t.Errorf("%+v", back)
	}
	// Operations go on from there as from the state in memory.
	s.t = back
	s.do(task.OpStart, task.StartPayload{})
	if got, want := encoded(t, s.t), encoded(t, Fold(s.nodes, s.texts)); got == want {
		return
	}
	fromScratch := stored(t, Fold(s.nodes, s.texts))
	if got := stored(t, s.t); !bytes.Equal(got[task.TaskFile].Data, fromScratch[task.TaskFile].Data) {
		t.Errorf("after one more operation:\n%s\n%s", got[task.TaskFile].Data, fromScratch[task.TaskFile].Data)
	}
}

func TestEncode_form(t *testing.T) {
	t.Parallel()
	data := string(stored(t, full(t).t)[task.TaskFile].Data)
	if !strings.HasPrefix(data, "{\n  \"base\": \"main\",\n") || !strings.HasSuffix(data, "}\n") ||
		strings.Contains(data, `\u003c`) {
		t.Errorf("%s", data)
	}
	phases := data[strings.Index(data, `"phases"`):]
	if first, second := strings.Index(phases, `"acceptance"`), strings.Index(phases, `"uid"`); first < 0 ||
		second < first {
		t.Error("the fields of phases are not sorted")
	}
	if b := stored(t, newStory(t).t)[task.KnowledgeFile]; b.OID != "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" {
		t.Errorf("BC-15: knowledge is born with 0 bytes: %+v", b)
	}
}

// A newer minor version is read, and not changed; a newer major is refused by name.
func TestDecode_schema(t *testing.T) {
	t.Parallel()
	files := stored(t, full(t).t)
	edit := func(old, new string) operation.Files {
		out := maps.Clone(files)
		out[task.TaskFile] = operation.File{
			OID:  commitA,
			Data: bytes.Replace(files[task.TaskFile].Data, []byte(old), []byte(new), 1),
		}
		return out
	}
	got, err := task.Decode(edit(`"schema": "1.0.0"`, `"schema": "1.7.0", "more": [{"b": 1.50, "a": "<x>"}]`))
	if err != nil || got.Title == "" {
		t.Fatal(err)
	}
	var newer *operation.FormatError
	got, _ = Apply(got, (&story{TB: t, t: got}).next(task.OpStart, task.StartPayload{}), nil)
	if _, err := task.Encode(got); !errors.As(err, &newer) || newer.Have != "1.7.0" {
		t.Errorf("it is written: %v", err)
	}
	for _, version := range []string{"2.0.0", "0.9.0", "", "1", "1.0", "1.0.0-rc", "01.0.0", "99999999999999999999.0.0"} {
		var schema *operation.FormatError
		if _, err := task.Decode(edit(`"schema": "1.0.0"`, `"schema": "`+version+`"`)); !errors.As(err, &schema) ||
			schema.Have != version {
			t.Errorf("format %q: %v", version, err)
		}
	}
}

// What this package can't have written is an error that names it.
func TestDecode_hostile(t *testing.T) {
	t.Parallel()
	files := stored(t, full(t).t)
	for _, change := range [][2]string{
		{`"id": "add-jwt-auth-k3v9q2m"`, `"id": "../../heads/main"`},
		{`"title": "Add JWT auth"`, `"title": "\u001b[2J"`},
		{`"title": "Add JWT auth"`, `"title": "` + strings.Repeat("x", task.MaxTitle+1) + `"`},
		{`"status": "paused"`, `"status": "asleep"`},
		{`"stage": "execute"`, `"stage": "x"`},
		{`"branch": "feature/add-jwt-auth"`, `"branch": "--upload-pack=x"`},
		{`"base_commit": "` + commitA + `"`, `"base_commit": "--x"`},
		{`"id": "1V"`, `"id": "../.."`},
		{`"id": "1V"`, `"id": "1"`},
		{`"kind": "verification"`, `"kind": "x"`},
		{`"review": "none"`, `"review": "maybe"`},
		{`"tier": "senior"`, `"tier": "chef"`},
		{`"start_commit": "` + commitA + `"`, `"start_commit": "HEAD"`},
		{`"agent": "developer"`, `"agent": "../x"`},
		{`"iteration": 1`, `"iteration": -1`},
		{`"root": "` + string(testUID(1)), `"root": "x` + string(testUID(1))},
		{`"parent": "` + string(testUID(3)), `"parent": "` + string(testUID(4))},
		{`"parent": "` + string(testUID(3)), `"parent": "` + string(testUID(77))},
		{`"started_at": "2026`, `"started_at": "20x6`},
		{`"clock": 1`, `"clock": "1`},
		{`"clock": 1`, `"clock": 90071992547409921`},
		{`"clock": 1`, `"fence": 9007199254740992, "clock": 1`},
		{`{`, ``},
	} {
		out := maps.Clone(files)
		data := bytes.Replace(files[task.TaskFile].Data, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(data, files[task.TaskFile].Data) {
			t.Errorf("%s is not there", change[0])
		}
		out[task.TaskFile] = operation.File{OID: commitA, Data: data}
		if _, err := task.Decode(out); !errors.Is(err, task.ErrCorrupt) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", change[1], err)
		}
	}
	for _, data := range []string{"", "null", "[]", strings.Repeat("[", 100_000), "\x00"} {
		if _, err := task.Decode(operation.Files{task.TaskFile: {Data: []byte(data)}}); err == nil {
			t.Errorf("%.20q taken", data)
		}
	}
	out := maps.Clone(files)
	out[task.KnowledgeFile] = operation.File{OID: commitA, Data: []byte("{\n")}
	if _, err := task.Decode(out); !errors.Is(err, task.ErrCorrupt) {
		t.Errorf("knowledge: %v", err)
	}
	out = maps.Clone(files)
	out["plan.md"] = operation.File{OID: "x"}
	if _, err := task.Decode(out); err == nil {
		t.Error("a document without an id")
	}
}

// Knowledge that is not loaded stays where it is, and is loaded where an
// operation needs it.
func TestKnowledge_lazy(t *testing.T) {
	t.Parallel()
	s := full(t)
	files := stored(t, s.t)
	s.texts[files[task.KnowledgeFile].OID] = files[task.KnowledgeFile].Data
	light := maps.Clone(files)
	light[task.KnowledgeFile] = operation.File{OID: files[task.KnowledgeFile].OID}
	lazy, err := task.Decode(light)
	if err != nil || lazy.Knowledge != nil {
		t.Fatalf("%v, %v", lazy.Knowledge, err)
	}
	if got := must(task.Encode(lazy))[task.KnowledgeFile]; got.OID != files[task.KnowledgeFile].OID || got.Data != nil {
		t.Errorf("encoded as %+v", got)
	}
	loaded, err := task.LoadKnowledge(lazy, s.texts)
	if err != nil || len(loaded.Knowledge) != 1 {
		t.Fatalf("%v, %v", loaded.Knowledge, err)
	}
	if _, err := task.LoadKnowledge(lazy, blobs{}); !errors.Is(err, task.ErrCorrupt) {
		t.Errorf("a missing blob: %v", err)
	}
	s.t = lazy
	add := task.KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "fact", Txt: "second"}
	op := s.next(task.OpKnowledgeAdd, add)
	if _, applied := Apply(lazy, op, nil); applied {
		t.Error("added to entries that nobody has read")
	}
	after, applied := Apply(lazy, op, s.texts)
	if !applied || len(after.Knowledge) != 2 || after.KnowledgeOID != "" || lazy.Knowledge != nil {
		t.Errorf("%v, %+v", applied, after.Knowledge)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(stored(f, full(f).t)[task.TaskFile].Data)
	f.Add(stored(f, newStory(f).t)[task.TaskFile].Data)
	f.Add([]byte(`{"schema":"1.0.0","phases":[{},null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := operation.Files{
			task.TaskFile:      {OID: commitA, Data: data},
			task.KnowledgeFile: {OID: commitB, Data: []byte{}},
		}
		state, err := task.Decode(files)
		if err != nil {
			return
		}
		once, err := task.Encode(state)
		if operation.NewerFormat(state.Schema) {
			return
		}
		if err != nil {
			t.Fatalf("encode what was decoded: %v", err)
		}
		again := operation.Files{task.TaskFile: {OID: commitA, Data: once[task.TaskFile].Data}}
		back, err := task.Decode(again)
		if err != nil {
			t.Fatalf("decode what was encoded: %v\n%s", err, once[task.TaskFile].Data)
		}
		if twice := must(task.Encode(back)); !bytes.Equal(once[task.TaskFile].Data, twice[task.TaskFile].Data) {
			t.Fatalf("not stable:\n%s\n%s", once[task.TaskFile].Data, twice[task.TaskFile].Data)
		}
		for path := range once {
			if strings.Contains(path, "..") && !strings.Contains(path, "/") || strings.HasPrefix(path, "/") ||
				strings.Contains(path, "/../") {
				t.Fatalf("path %q", path)
			}
		}
		route.Next(state)
		route.Ready(state)
		report.FinalReport(state, report.Story{}, "")
		for _, p := range state.Phases {
			report.Summary(state, p)
			for _, event := range allEvents {
				FirePhase(state, p.UID, event, "", "", "", nil)
			}
		}
	})
}

// What looks at thousands of tasks sees each as whoever reads it whole.
func TestDecodeState_asDecode(t *testing.T) {
	t.Parallel()
	s := full(t)
	whole := stored(t, s.t)[task.TaskFile].Data
	newer := bytes.Replace(whole, []byte(`"schema": "1.0.0"`), []byte(`"schema": "1.7.0", "more": {"a": 1}`), 1)
	for _, data := range [][]byte{
		whole, newer, nil, []byte("{}"), []byte("no JSON"), whole[:len(whole)/2],
		[]byte(`{"schema": "2.0.0", "phases": "of another type"}`),
		[]byte(`{"schema": "1.0.0", "phases": "of another type"}`),
	} {
		want, wantErr := task.Decode(operation.Files{task.TaskFile: {Data: data}})
		got, err := task.DecodeState(data)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%.60q: %v, want %v", data, err, wantErr)
		}
		if err == nil && fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%.60q:\n%+v\nwant\n%+v", data, got, want)
		}
	}
}
