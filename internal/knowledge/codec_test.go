package knowledge

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/operation"
)

func TestDecodeLines_BC73_brewcode(t *testing.T) {
	in := strings.Join([]string{
		`{"ts":"2026-01-02T03:04:05.678Z","t":"❌","txt":"int ids","src":"developer"}`,
		`{"ts":"2026-01-02T03:04:06Z","t":"ℹ️","txt":"uses go"}`,
		`{"t":"✅","txt":"table tests"}`,
		``,
		`not json`,
		`{"txt":"no kind reads as a fact"}`,
		`["no object"]`,
		`{"t":"❌"}`,
		`{"t":"why","txt":"unknown kind"}`,
		`{"t":"✅","txt":"src is no string","src":7}`,
		`{"t":"✅","txt":"Handoff at phase 2","src":"pre-compact-hook"}`,
		`{"t":"✅","txt":"bad id","id":"../../x"}`,
	}, "\r\n")
	got, bad := DecodeLines([]byte(in))
	equal(t, "texts", texts(got), []string{
		"int ids", "uses go", "table tests", "no kind reads as a fact",
		"Handoff at phase 2",
	})
	equal(t, "kinds", kindsOf(got), []Kind{Avoid, Fact, Practice, Fact, Fact})
	if !got[4].Handoff() { // BC-77
		t.Errorf("the hand-off reads as %+v", got[4])
	}
	if len(bad) != 6 || !strings.HasPrefix(bad[0].Error(), "line 5: ") || !strings.HasPrefix(bad[1].Error(), "line 7: ") {
		t.Errorf("bad: %v", bad)
	}
	if got[2].Time().Unix() != 0 || got[0].Time().Nanosecond() != 678_000_000 {
		t.Errorf("times: %v, %v", got[2].Time(), got[0].Time())
	}
}

func kindsOf(entries []Entry) []Kind {
	var all []Kind
	for _, e := range entries {
		all = append(all, e.T)
	}
	return all
}

// Lines are written in the form of operation.Canonical but for the order of fields:
// whatever a record may hold, the two write its strings alike.
func TestEncodeLines_asCanonical(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		txt := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"<b> & \"c\" \\", "ü 😀", "\ufffd",
		})).Filter(func(s string) bool { return storable(s, MaxText) }).Draw(t, "txt")
		got := EncodeLines([]Entry{{Txt: txt}})
		plain, err := json.Marshal(txt)
		if err == nil {
			plain, err = operation.Canonical(plain)
		}
		if err != nil || !bytes.Contains(got, bytes.TrimSpace(plain)) {
			t.Fatalf("%s, canonical %s, %v", got, plain, err)
		}
	})
}

func FuzzDecodeLines(f *testing.F) {
	f.Add([]byte(`{"ts":"2026","t":"❌","txt":"x","src":"y","n":1}` + "\n" + `{`))
	f.Add([]byte(`{"txt":"x","Txt":"y","a":"\u0000","b":null,"c":true}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, _ := DecodeLines(data)
		out := EncodeLines(entries)
		again, bad := DecodeLines(out)
		if len(bad) > 0 {
			t.Fatalf("written lines are bad: %v\n%s", bad[0], out)
		}
		if !reflect.DeepEqual(again, entries) {
			t.Fatalf("read again: %+v, first: %+v", again, entries)
		}
		Digest(entries, 500)
		Compact(entries, 3)
		for _, e := range entries {
			if e, err := Validate(e); err == nil && (invisible.Line(e.Txt) != e.Txt || !storable(e.Txt, MaxText)) {
				t.Fatalf("validated: %q", e.Txt)
			}
		}
	})
}

func TestDecode_record(t *testing.T) {
	s := State{
		Entries: []Entry{entry(1, Avoid, "a"), entry(2, Fact, "b")},
		Backlog: []Item{{ID: ids(3)[0], TS: "2026-01-01T00:00:00Z", Txt: "c", Done: true, Task: "t-1234567"}},
		Clock:   9,
	}
	files, err := Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"clock\": 9,\n  \"schema\": \"1.0.0\"\n}\n"; string(files[FileRecord].Data) != want {
		t.Errorf("%s: %s", FileRecord, files[FileRecord].Data)
	}
	got, err := Decode(files)
	if err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("Decode: %+v, %v", got, err)
	}
	empty, err := Encode(State{})
	if err != nil || empty[FileEntries].Data == nil || empty[FileBacklog].Data == nil {
		t.Errorf("the empty record lacks files: %v, %v", empty, err)
	}
	if got, err := Decode(nil); err != nil || !reflect.DeepEqual(got, State{}) {
		t.Errorf("Decode of nothing: %+v, %v", got, err)
	}
}

func TestDecode_refuses_S25(t *testing.T) {
	record := []byte(`{"schema":"1.0.0","clock":1}`)
	for name, c := range map[string]struct {
		files operation.Files
		other bool // it is of another format, else it can't be read
	}{
		"newer major":    {operation.Files{FileRecord: {Data: []byte(`{"schema":"2.0.0"}`)}}, true},
		"no version":     {operation.Files{FileRecord: {Data: []byte(`{"clock":1}`)}}, true},
		"no record":      {operation.Files{FileEntries: {Data: []byte("")}}, false},
		"truncated line": {operation.Files{FileRecord: {Data: record}, FileEntries: {Data: []byte(`{"id":"`)}}, false},
		"no id":          {operation.Files{FileRecord: {Data: record}, FileBacklog: {Data: []byte(`{"txt":"x"}`)}}, false},
	} {
		_, err := Decode(c.files)
		if _, other := errors.AsType[*operation.FormatError](err); other != c.other || errors.Is(err, ErrCorrupt) == c.other {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a newer git brew wrote here is read, and not changed (S-45).
func TestDecode_newerMinor_S45(t *testing.T) {
	s, err := Decode(operation.Files{
		FileRecord:  {Data: []byte(`{"schema":"1.7.0","clock":4,"colour":"blue"}`)},
		FileEntries: {Data: []byte(`{"id":"` + string(ids(1)[0]) + `","ts":"","t":"fact","txt":"x","weight":3}` + "\n")},
		FileBacklog: {Data: []byte(`{"id":"` + string(ids(2)[0]) + `","ts":"","txt":"y","owner":"jo"}` + "\n")},
	})
	if err != nil || len(s.Entries) != 1 || len(s.Backlog) != 1 || s.Clock != 4 {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := Encode(s); err == nil || !strings.Contains(err.Error(), "1.7.0") {
		t.Errorf("it is written: %v", err)
	}
}
