package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTable_alignsByWhatIsSeen(t *testing.T) {
	table := Table{Indent: "  ", Right: map[int]bool{2: true}, Max: map[int]int{1: 8}}
	table.Add("✓", "Token model", "1h 12m", "")
	table.Add(NewStyle(true).Mark(MarkBusy), "日本語の名前", "9m", "since c02d1f8")
	table.Add("○", "Docs")
	var b bytes.Buffer
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"  ✓  Token m…  1h 12m\n" +
		"  \x1b[36m→\x1b[m  日本語…       9m  since c02d1f8\n" +
		"  ○  Docs\n"
	if b.String() != want {
		t.Errorf("got\n%q, want\n%q", b.String(), want)
	}
}

func TestRecord_fieldsComeBack(t *testing.T) {
	back := strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r", `\0`, "\x00")
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "fields")
		var b bytes.Buffer
		if err := Record(&b, fields...); err != nil {
			t.Fatal(err)
		}
		line, ok := strings.CutSuffix(b.String(), "\n")
		if !ok || strings.ContainsAny(line, "\n\r\x00") {
			t.Fatalf("%q is not one line", b.String())
		}
		got := strings.Split(line, "\t")
		if len(got) != len(fields) {
			t.Fatalf("%d fields, want %d", len(got), len(fields))
		}
		for i := range got {
			if back.Replace(got[i]) != fields[i] {
				t.Fatalf("field %q became %q", fields[i], got[i])
			}
		}
	})
}

func TestJSON_hasItsSchemaFirst(t *testing.T) {
	for _, c := range []struct {
		doc  any
		want string
	}{
		{struct{}{}, `{"schema":"1.0.0"}`},
		{struct {
			Task *string `json:"task"`
		}{}, `{"schema":"1.0.0","task":null}`},
		{map[string]string{"a": "<b>&"}, `{"schema":"1.0.0","a":"<b>&"}`},
	} {
		var line, doc, compact bytes.Buffer
		if err := errors.Join(JSONLine(&line, c.doc), JSON(&doc, c.doc)); err != nil {
			t.Fatal(err)
		}
		if line.String() != c.want+"\n" {
			t.Errorf("got %s, want %s", line.String(), c.want)
		}
		if err := json.Compact(&compact, doc.Bytes()); err != nil || compact.String() != c.want {
			t.Errorf("the document is %s, want %s (%v)", compact.String(), c.want, err)
		}
	}
	for _, wrong := range []any{[]int{1}, "text", nil} {
		if err := JSON(&bytes.Buffer{}, wrong); !errors.Is(err, errNoObject) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}
