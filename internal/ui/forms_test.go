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
	table := Table{Indent: "  ", Right: map[int]bool{2: true}}
	table.Add("✓", "Token model", "1h 12m", "")
	table.Add(NewStyle(true).Mark(MarkBusy), "日本語の名前", "9m", "since c02d1f8")
	table.Add("○", "Docs")
	var b bytes.Buffer
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"  ✓  Token model   1h 12m\n" +
		"  \x1b[36m→\x1b[m  日本語の名前      9m  since c02d1f8\n" +
		"  ○  Docs\n"
	if b.String() != want {
		t.Errorf("got\n%q, want\n%q", b.String(), want)
	}
}

// A row fits its width: what may be left out goes first, then what may be cut is cut in
// turn, and nothing is wider, whatever stands in it.
func TestTable_fits(t *testing.T) {
	row := []string{"* add-json-web-tokens", "in progress", "feature/add-json-web-tokens", "Add JSON web tokens 認証"}
	for width, want := range map[int]string{
		0:  "* add-json-web-tokens  in progress  feature/add-json-web-tokens  Add JSON web tokens 認証\n",
		90: "* add-json-web-tokens  in progress  feature/add-json-web-tokens  Add JSON web tokens 認証\n",
		85: "* add-json-web-to…  in progress  feature/add-json-web-tokens  Add JSON web tokens 認…\n",
		60: "* add-json-web-tokens  in progress  Add JSON web tokens 認証\n",
		50: "* add-json-web-t…  in progress  Add JSON web toke…\n",
		40: "* add-json-…  in progress  Add JSON web…\n",
		20: "* ad…  in p…  Add J…\n",
	} {
		table := Table{Width: width, Leave: []int{2}, Give: []int{0, 3}}
		table.Add(row...)
		var b bytes.Buffer
		if err := table.Write(&b); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%d: got\n%swant\n%s", width, b.String(), want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOf(rapid.IntRange(0, 4))
		table := Table{
			Width: rapid.IntRange(25, 130).Draw(t, "width"), Leave: numbers.Draw(t, "leave"),
			Give: numbers.Draw(t, "give"),
		}
		for range 3 {
			table.Add(rapid.SliceOfN(rapid.StringOf(rapid.RuneFrom([]rune("a é認・"))), 1, 5).Draw(t, "row")...)
		}
		var b bytes.Buffer
		if err := table.Write(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if Width(line) > table.Width {
				t.Fatalf("%q is %d wide, not %d", line, Width(line), table.Width)
			}
		}
	})
}

// Facts are told whole: a long one goes on below itself.
func TestTable_folds(t *testing.T) {
	table := Table{Indent: "  ", Width: 40, Fold: true}
	table.Add("next", "the task waits: the vendor has to tell us which one")
	table.Add("", NewStyle(true).Bright("git brew phase add TITLE --depends-on 1"))
	var b bytes.Buffer
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := "  next  the task waits: the vendor has\n        to tell us which one\n" +
		"        \x1b[1mgit brew phase add TITLE --depends-on 1\x1b[m\n"
	if b.String() != want {
		t.Errorf("got\n%q, want\n%q", b.String(), want)
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"short\n", "short\n"},
		{"  not very short, but long\n", "  not very short, but\n    long\n"},
		{"long enough\n  it fits, but not less\n", "long enough\n  it fits, but not less\n"},
		{"a command is whole (git brew phase add TITLE)", "a command is whole\n  (git brew phase add TITLE)"},
		{"'git brew log a b c d e' tells the story", "'git brew log a b c d e'\n  tells the story"},
		{"next: git brew phase add TITLE -m WHY", "next:\n  git brew phase add TITLE -m WHY"},
		{"Set git brew up here, and the rest", "Set git brew up here,\n  and the rest"},
		{
			"next: work on the task, then git brew finish let-people-sign-in",
			"next: work on the\n  task, then\n  git brew finish let-people-sign-in",
		},
		{
			"then git brew phase done --task let-people-in 1, or git brew next let-people-in (now)",
			"then\n  git brew phase done --task let-people-in 1,\n  or\n  git brew next let-people-in\n  (now)",
		},
		{
			"the user decides: git brew remark confirm 1, or git brew remark reject 1 -m WHY",
			"the user decides:\n  git brew remark confirm 1,\n  or\n  git brew remark reject 1 -m WHY",
		},
		{
			"see it with ('git brew list --all --archived', or so) today",
			"see it with\n  ('git brew list --all --archived',\n  or so) today",
		},
		{
			"run: git push origin --delete refs/brew/locks/a refs/brew/tasks/a",
			"run:\n  git push origin --delete refs/brew/locks/a refs/brew/tasks/a",
		},
		{
			"now git brew create \"one, two\" --phase \"three, four\". Or not",
			"now\n  git brew create \"one, two\" --phase \"three, four\".\n  Or not",
		},
		{"what next: git brew doc resolve spec [FILE], soon", "what next:\n  git brew doc resolve spec [FILE],\n  soon"},
		{"\x1b[2mthen git brew doc resolve spec-of-this\x1b[m", "\x1b[2mthen\n  git brew doc resolve spec-of-this\x1b[m"},
		{"usage: git brew show [<task>][:<path>] [-n]", "usage: git brew show\n  [<task>][:<path>] [-n]"},
		{"here git keeps what git brew keeps, and more", "here git keeps what\n  git brew keeps, and\n  more"},
	} {
		if got := Wrap(c.text, 24); got != c.want {
			t.Errorf("%q became\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
	if got := Wrap(strings.Repeat("as it is ", 30), 0); strings.Contains(got, "\n") {
		t.Errorf("broken without a width: %q", got)
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
		{Object{}, `{"schema":"1.0.0"}`},
		{Object{Object{"a", 1}, struct{}{}, "b?", 0, "c", []int(nil)}, `{"schema":"1.0.0","a":1,"c":[]}`},
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
	for _, wrong := range []any{[]int{1}, true, nil} {
		if err := JSON(&bytes.Buffer{}, wrong); err == nil {
			t.Errorf("%v is a document", wrong)
		}
	}
}
