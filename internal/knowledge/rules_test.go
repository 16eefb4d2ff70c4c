package knowledge

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRenderRules_BC79_newFile(t *testing.T) {
	got := RenderRules(nil, Avoid, []Entry{
		entry(1, Avoid, "int token ids; use strings because they overflow in JavaScript"),
		entry(2, Fact, "a fact stays"),
		entry(3, Avoid, "a|b in cells"),
		entry(4, Avoid, "global state because tests share it"),
	})
	want := `---
paths:
  - "**/*"
---

# Avoid

| # | Avoid | Instead | Why |
|---|---|---|---|
| 1 | global state |  | tests share it |
| 2 | a\|b in cells |  |  |
| 3 | int token ids | strings | they overflow in JavaScript |
`
	if string(got.Data) != want {
		t.Errorf("file:\n%s", got.Data)
	}
	equal(t, "added", got.Added, ids(4, 3, 1))

	p := entry(1, Practice, "table tests")
	p.Src, p.Paths = "tester", []string{"internal/**"}
	got = RenderRules([]byte("\n"), Practice, []Entry{p})
	want = `---
paths:
  - "internal/**"
---

# Best practice

| # | Practice | Context | Source |
|---|---|---|---|
| 1 | table tests | internal/** | tester |
`
	if string(got.Data) != want {
		t.Errorf("file:\n%s", got.Data)
	}
}

func TestRulesFile_BC79(t *testing.T) {
	for _, c := range []struct {
		kind         Kind
		prefix, want string
	}{
		{Avoid, "", "avoid.md"}, {Practice, "", "best-practice.md"}, {Avoid, "x", "x-avoid.md"}, {Fact, "x", ""},
	} {
		if got := RulesFile(c.kind, c.prefix); got != c.want {
			t.Errorf("RulesFile(%s, %q) = %q", c.kind, c.prefix, got)
		}
	}
	if got := RenderRules([]byte("mine"), Fact, []Entry{entry(1, Fact, "a")}); string(got.Data) != "mine" ||
		len(got.Added) != 0 {
		t.Errorf("facts are exported: %+v", got)
	}
}

func TestRenderRules_BC79_personsRowsStay(t *testing.T) {
	before := "# Mine\r\n\r\n" +
		"|#|avoid|Instead|Why|\r\n|:-|-|-|-:|\r\n|7|  writing   in place |rename|  kills leave half |\r\n| x | y |\r\n"
	after := "\r\nText behind the table.\r\n"
	got := RenderRules([]byte(before+after), Avoid, []Entry{entry(1, Avoid, "global state")})
	want := before + "| 8 | global state |  |  |\r\n" + after
	if string(got.Data) != want {
		t.Errorf("file:\n%q\nwant:\n%q", got.Data, want)
	}

	got = RenderRules([]byte("no table, no newline"), Avoid, []Entry{entry(1, Avoid, "global state")})
	want = "no table, no newline\n\n| # | Avoid | Instead | Why |\n|---|---|---|---|\n| 1 | global state |  |  |\n"
	if string(got.Data) != want {
		t.Errorf("file:\n%q", got.Data)
	}
}

// What is not the same word for word has a row of its own: else it would be lost.
func TestRenderRules_BC79_saidAlready(t *testing.T) {
	file := []byte("| # | Avoid | Instead | Why |\n|---|---|---|---|\n" +
		"| 1 | writing refs in place | rename | kills leave half a file |\n")
	for _, c := range []struct {
		txt     string
		skipped bool
	}{
		{"Writing refs in place; use rename because kills leave half a file", true},
		{" WRITING refs in  place; use rename because kills leave half a file. ", true},
		{"writing refs in place, kills leave half a file", false},
		{"writing refs in place is slow", false},
		{"never writing refs in place; use rename because kills leave half a file", false},
		{"tabs in YAML", false},
	} {
		got := RenderRules(file, Avoid, []Entry{entry(1, Avoid, c.txt)})
		if said := Said(file, Avoid, []Entry{entry(1, Avoid, c.txt)}); (len(said) == 1) != c.skipped {
			t.Errorf("%q: said %v", c.txt, said)
		}
		if (len(got.Skipped) == 1) != c.skipped || len(got.Added)+len(got.Skipped) != 1 {
			t.Errorf("%q: %+v", c.txt, got)
		}
		if !bytes.HasPrefix(got.Data, file) {
			t.Errorf("%q changed rows:\n%s", c.txt, got.Data)
		}
	}
}

func TestRenderRules_BC79_neverRestatesInstructions(t *testing.T) {
	got := RenderRules(nil, Practice, []Entry{
		entry(1, Practice, "run make test before every commit"),
		entry(2, Practice, "other"),
	},
		"# Project", "- Run `make test` before every commit.")
	equal(t, "skipped", got.Skipped, ids(1))
	equal(t, "added", got.Added, ids(2))
}

func TestSaid_BC79_anInstructionInOtherWordsIsAnother(t *testing.T) {
	entries := []Entry{
		entry(1, Practice, "run make test before every commit of yours"),
		entry(2, Practice, "Run `make test` before every commit"),
	}
	equal(t, "said", Said(nil, Practice, entries, "- Run `make test` before every commit."), ids(2))
}

func TestCells_BC79_splitOnlyWhereClear(t *testing.T) {
	s, _ := shapeOf(Avoid)
	for txt, want := range map[string][3]string{
		"X is bad; use Y because Z holds":         {"X is bad", "Y", "Z holds"},
		"X is bad; use Y":                         {"X is bad", "Y", ""},
		"X is bad because Z":                      {"X is bad", "", "Z"},
		"X is bad. Use Y":                         {"X is bad", "Y", ""},
		"X; use Y; use W":                         {"X; use Y; use W", "", ""},
		"X because A; use Y because B":            {"X because A; use Y because B", "", ""},
		"X; use Y because A because B":            {"X; use Y because A because B", "", ""},
		"X is bad because A and bad because of B": {"X is bad because A and bad because of B", "", ""},
		"; use Y": {"; use Y", "", ""},
		"X":       {"X", "", ""},
	} {
		if got := s.cells(Entry{T: Avoid, Txt: txt}); got != want {
			t.Errorf("%q: %q", txt, got)
		}
	}
}

func TestRenderRules_BC79_idempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]Kind{Avoid, Practice}).Draw(t, "kind")
		word := rapid.SampledFrom([]string{
			"a", "b", "use", ";", "because", "|", `\`, `\|`, "never", "(close to #1)", "30",
			"---", "#", "é", "`x`",
		})
		var entries []Entry
		for i := range rapid.IntRange(1, 8).Draw(t, "entries") {
			entries = append(entries, entry(i, kind,
				strings.Join(rapid.SliceOfN(word, 1, 9).Draw(t, fmt.Sprint("text ", i)), " ")))
		}
		before := rapid.SampledFrom([]string{
			"", "# mine\n", "| # | Avoid | Instead | Why |\n|---|---|---|---|\n| 3 | a b use |\n\nend",
			"| # | Practice | Context | Source |\n|---|---|---|---|\n",
			"```\n| # | Avoid | Instead | Why |\n|---|---|---|---|\n",
		}).Draw(t, "before")
		one := RenderRules([]byte(before), kind, entries)
		two := RenderRules(one.Data, kind, entries)
		if !bytes.Equal(one.Data, two.Data) {
			t.Fatalf("once:\n%s\ntwice:\n%s", one.Data, two.Data)
		}
	})
}

func FuzzRenderRules(f *testing.F) {
	f.Add([]byte("| # | Avoid | Instead | Why |\n|---|---|---|---|\n| 3 | a b |\n"), "text; use b because c")
	f.Fuzz(func(t *testing.T, existing []byte, txt string) {
		one := RenderRules(existing, Avoid, []Entry{entry(1, Avoid, txt)})
		two := RenderRules(one.Data, Avoid, []Entry{entry(1, Avoid, txt)})
		if !bytes.Equal(one.Data, two.Data) {
			t.Fatalf("once: %q\ntwice: %q", one.Data, two.Data)
		}
	})
}
