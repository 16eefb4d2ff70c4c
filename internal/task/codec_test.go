package task_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	. "github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
)

// full is a state with something in every field.
func full(tb testing.TB) *story {
	tb.Helper()
	s := started(tb)
	one := s.add(PhaseAddPayload{
		Title: "Token <model> & more", Acceptance: []string{"a", "b\nc"}, Verification: []string{"go test ./..."},
		Tier: TierSenior, Agents: []string{"developer"},
	})
	s.add(PhaseAddPayload{Kind: KindVerification, Parent: one})
	two := s.add(PhaseAddPayload{DependsOn: []UID{one}})
	s.start(one)
	s.do(OpPhaseLaunch, PhaseLaunchPayload{Phase: one, Agent: "tester"})
	s.do(OpReport, ReportPayload{Phase: one, Iteration: 1, Agent: "developer", OID: s.texts.put("done\n")})
	s.executed(one)
	s.reject(one, "no")
	s.add(PhaseAddPayload{Kind: KindFix, Parent: one})
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: one, Reason: "gone"})
	if s.phase(two).FailedBy != one {
		tb.Fatal("no cascade")
	}
	base := s.texts.put("a\n")
	s.do(OpDocSet, DocSetPayload{Name: DocPlan, OID: base})
	s.do(OpDocSet, DocSetPayload{Name: DocPlan, Base: base, OID: s.texts.put("b\n")})
	s.do(OpDocSet, DocSetPayload{Name: DocPlan, Base: base, OID: s.texts.put("c\n")})
	s.do(OpDocSet, DocSetPayload{Name: PlanOf(one), OID: s.texts.put("p\n")})
	s.do(OpDocSet, DocSetPayload{Name: DocContext, OID: s.texts.put("# Gray Areas Remaining\n- [ ] q\n")})
	s.do(OpKnowledgeAdd, KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "avoid", Txt: "<b> & \"quotes\"", Src: "dev", Paths: []string{"*.go"}})
	s.do(OpPause, PausePayload{Cause: CauseWaiting, Reason: "waits"})
	return s
}

// stored gives every file the id that git would.
func stored(tb testing.TB, t Task) Files {
	tb.Helper()
	files, err := Encode(t)
	if err != nil {
		tb.Fatal(err)
	}
	for path, b := range files {
		if b.OID == "" {
			b.OID = DocOf(b.Data, 40).OID
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
	back, err := Decode(files)
	if err != nil {
		t.Fatal(err)
	}
	again := stored(t, back)
	if !bytes.Equal(files[TaskFile].Data, again[TaskFile].Data) {
		t.Errorf("read back differently:\n%s\n%s", files[TaskFile].Data, again[TaskFile].Data)
	}
	if len(again) != len(files) {
		t.Errorf("%d files, then %d", len(files), len(again))
	}
	for path, b := range files {
		if again[path].OID != b.OID {
			t.Errorf("%s: %s, then %s", path, b.OID, again[path].OID)
		}
	}
	if back.Knowledge[0].Txt != s.t.Knowledge[0].Txt || back.Questions != s.t.Questions || !Needs(TaskFile) || Needs("plan.md") {
		t.Errorf("%+v", back)
	}
	// Operations go on from there as from the state in memory.
	s.t = back
	s.do(OpStart, StartPayload{})
	if got, want := encoded(t, s.t), encoded(t, Fold(s.nodes, s.texts)); got == want {
		return
	}
	fromScratch := stored(t, Fold(s.nodes, s.texts))
	if got := stored(t, s.t); !bytes.Equal(got[TaskFile].Data, fromScratch[TaskFile].Data) {
		t.Errorf("after one more operation:\n%s\n%s", got[TaskFile].Data, fromScratch[TaskFile].Data)
	}
}

func TestEncode_form(t *testing.T) {
	t.Parallel()
	data := string(stored(t, full(t).t)[TaskFile].Data)
	if !strings.HasPrefix(data, "{\n  \"base\": \"main\",\n") || !strings.HasSuffix(data, "}\n") || strings.Contains(data, `\u003c`) {
		t.Errorf("%s", data)
	}
	phases := data[strings.Index(data, `"phases"`):]
	if first, second := strings.Index(phases, `"acceptance"`), strings.Index(phases, `"uid"`); first < 0 || second < first {
		t.Error("the fields of phases are not sorted")
	}
	if b := stored(t, newStory(t).t)[KnowledgeFile]; b.OID != "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" {
		t.Errorf("BC-15: knowledge is born with 0 bytes: %+v", b)
	}
}

// A newer minor version is read, and not changed; a newer major is refused by name.
func TestDecode_schema(t *testing.T) {
	t.Parallel()
	files := stored(t, full(t).t)
	edit := func(old, new string) Files {
		out := maps.Clone(files)
		out[TaskFile] = Blob{OID: commitA, Data: bytes.Replace(files[TaskFile].Data, []byte(old), []byte(new), 1)}
		return out
	}
	got, err := Decode(edit(`"schema": "1.0.0"`, `"schema": "1.7.0", "more": [{"b": 1.50, "a": "<x>"}]`))
	if err != nil || got.Title == "" {
		t.Fatal(err)
	}
	var newer *operation.FormatError
	got, _ = Apply(got, (&story{TB: t, t: got}).next(OpStart, StartPayload{}), nil)
	if _, err := Encode(got); !errors.As(err, &newer) || newer.Have != "1.7.0" {
		t.Errorf("it is written: %v", err)
	}
	for _, version := range []string{"2.0.0", "0.9.0", "", "1", "1.0", "1.0.0-rc", "01.0.0", "99999999999999999999.0.0"} {
		var schema *operation.FormatError
		if _, err := Decode(edit(`"schema": "1.0.0"`, `"schema": "`+version+`"`)); !errors.As(err, &schema) || schema.Have != version {
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
		{`"title": "Add JWT auth"`, `"title": "` + strings.Repeat("x", MaxTitle+1) + `"`},
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
		data := bytes.Replace(files[TaskFile].Data, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(data, files[TaskFile].Data) {
			t.Errorf("%s is not there", change[0])
		}
		out[TaskFile] = Blob{OID: commitA, Data: data}
		if _, err := Decode(out); !errors.Is(err, ErrCorrupt) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", change[1], err)
		}
	}
	for _, data := range []string{"", "null", "[]", strings.Repeat("[", 100_000), "\x00"} {
		if _, err := Decode(Files{TaskFile: {Data: []byte(data)}}); err == nil {
			t.Errorf("%.20q taken", data)
		}
	}
	out := maps.Clone(files)
	out[KnowledgeFile] = Blob{OID: commitA, Data: []byte("{\n")}
	if _, err := Decode(out); !errors.Is(err, ErrCorrupt) {
		t.Errorf("knowledge: %v", err)
	}
	out = maps.Clone(files)
	out["plan.md"] = Blob{OID: "x"}
	if _, err := Decode(out); err == nil {
		t.Error("a document without an id")
	}
}

// Knowledge that is not loaded stays where it is, and is loaded where an
// operation needs it.
func TestKnowledge_lazy(t *testing.T) {
	t.Parallel()
	s := full(t)
	files := stored(t, s.t)
	s.texts[files[KnowledgeFile].OID] = files[KnowledgeFile].Data
	light := maps.Clone(files)
	light[KnowledgeFile] = Blob{OID: files[KnowledgeFile].OID}
	lazy, err := Decode(light)
	if err != nil || lazy.Knowledge != nil {
		t.Fatalf("%v, %v", lazy.Knowledge, err)
	}
	if got := must(Encode(lazy))[KnowledgeFile]; got.OID != files[KnowledgeFile].OID || got.Data != nil {
		t.Errorf("encoded as %+v", got)
	}
	loaded, err := LoadKnowledge(lazy, s.texts)
	if err != nil || len(loaded.Knowledge) != 1 {
		t.Fatalf("%v, %v", loaded.Knowledge, err)
	}
	if _, err := LoadKnowledge(lazy, blobs{}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a missing blob: %v", err)
	}
	s.t = lazy
	add := KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "fact", Txt: "second"}
	op := s.next(OpKnowledgeAdd, add)
	if _, applied := Apply(lazy, op, nil); applied {
		t.Error("added to entries that nobody has read")
	}
	after, applied := Apply(lazy, op, s.texts)
	if !applied || len(after.Knowledge) != 2 || after.KnowledgeOID != "" || lazy.Knowledge != nil {
		t.Errorf("%v, %+v", applied, after.Knowledge)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(stored(f, full(f).t)[TaskFile].Data)
	f.Add(stored(f, newStory(f).t)[TaskFile].Data)
	f.Add([]byte(`{"schema":"1.0.0","phases":[{},null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := Files{TaskFile: {OID: commitA, Data: data}, KnowledgeFile: {OID: commitB, Data: []byte{}}}
		state, err := Decode(files)
		if err != nil {
			return
		}
		once, err := Encode(state)
		if operation.NewerFormat(state.Schema) {
			return
		}
		if err != nil {
			t.Fatalf("encode what was decoded: %v", err)
		}
		again := Files{TaskFile: {OID: commitA, Data: once[TaskFile].Data}}
		back, err := Decode(again)
		if err != nil {
			t.Fatalf("decode what was encoded: %v\n%s", err, once[TaskFile].Data)
		}
		if twice := must(Encode(back)); !bytes.Equal(once[TaskFile].Data, twice[TaskFile].Data) {
			t.Fatalf("not stable:\n%s\n%s", once[TaskFile].Data, twice[TaskFile].Data)
		}
		for path := range once {
			if strings.Contains(path, "..") && !strings.Contains(path, "/") || strings.HasPrefix(path, "/") || strings.Contains(path, "/../") {
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
	whole := stored(t, s.t)[TaskFile].Data
	newer := bytes.Replace(whole, []byte(`"schema": "1.0.0"`), []byte(`"schema": "1.7.0", "more": {"a": 1}`), 1)
	for _, data := range [][]byte{
		whole, newer, nil, []byte("{}"), []byte("no JSON"), whole[:len(whole)/2],
		[]byte(`{"schema": "2.0.0", "phases": "of another type"}`), []byte(`{"schema": "1.0.0", "phases": "of another type"}`),
	} {
		want, wantErr := Decode(Files{TaskFile: {Data: data}})
		got, err := DecodeState(data)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%.60q: %v, want %v", data, err, wantErr)
		}
		if err == nil && fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%.60q:\n%+v\nwant\n%+v", data, got, want)
		}
	}
}
