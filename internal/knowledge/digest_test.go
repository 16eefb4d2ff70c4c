package knowledge

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDigest_BC75_shape(t *testing.T) {
	got := Digest([]Entry{
		entry(1, Fact, "go 1.26"),
		entry(2, Avoid, "int ids"),
		entry(3, Practice, "table tests"),
		entry(4, Avoid, "global state"),
		entry(5, Avoid, "INT ids"),
	}, 500)
	want := "## K\n❌ INT ids | global state\n✅ table tests\nℹ️ go 1.26"
	if got != want {
		t.Errorf("digest:\n%s\nwant:\n%s", got, want)
	}
	if got := Digest(nil, 500); got != "" {
		t.Errorf("digest of nothing: %q", got)
	}
	h := entry(1, Fact, "Handoff at phase 1")
	h.Src = HandoffSrc
	if got := Digest([]Entry{h}, 500); got != "" {
		t.Errorf("digest of a hand-off: %q", got)
	}
}

// Brewcode showed the oldest ten: those in front of the file.
func TestDigest_BC75_newestWin(t *testing.T) {
	var all []Entry
	for i := range 40 {
		all = append(all, entry(i, Avoid, fmt.Sprintf("avoid-%02d", i)))
	}
	got := Digest(all, 500)
	if !strings.HasPrefix(got, "## K\n❌ avoid-39 | avoid-38 |") || strings.Contains(got, "avoid-29") ||
		!strings.Contains(got, "avoid-30") {
		t.Errorf("digest: %s", got)
	}
}

func TestDigest_BC75_noKindShutsOutTheOthers(t *testing.T) {
	var all []Entry
	for i := range 50 {
		all = append(all, entry(i, Avoid, fmt.Sprintf("avoid %d %s", i, strings.Repeat("word ", 30))))
	}
	all = append(all, entry(60, Practice, "a practice"), entry(61, Fact, "a fact"))
	got := Digest(all, 500)
	if !strings.Contains(got, "✅ a practice") || !strings.Contains(got, "ℹ️ a fact") || Tokens(got) > 500 {
		t.Errorf("%d tokens:\n%s", Tokens(got), got)
	}
}

func TestDigest_cutsAtAWord(t *testing.T) {
	got := Digest([]Entry{entry(1, Avoid, strings.Repeat("alphabet ", 40))}, 500)
	if !strings.HasSuffix(got, " alphabet…") {
		t.Errorf("digest: %s", got)
	}
	// 4 for the heading, 3 and 3 for the beginnings of lines, 13 and 6 for the texts.
	got = Digest([]Entry{entry(1, Avoid, "one two three"), entry(2, Fact, "a fact")}, 7)
	if got != "## K\n❌ one two three" {
		t.Errorf("digest: %q", got)
	}
}

func TestDigest_pathsFirst(t *testing.T) {
	here, there := entry(1, Fact, "here"), entry(9, Fact, "there")
	here.Paths, there.Paths = []string{"internal/auth/**"}, []string{"docs"}
	all := []Entry{here, entry(5, Fact, "everywhere"), there}
	if got := Digest(all, 500, "internal/auth/token.go"); got != "## K\nℹ️ here | everywhere | there" {
		t.Errorf("digest: %q", got)
	}
	if got := Digest(all, 500); got != "## K\nℹ️ there | everywhere | here" {
		t.Errorf("digest without paths: %q", got)
	}
}

func TestDigest_BC75_properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Entry {
			return entry(rapid.IntRange(0, 5000).Draw(t, "n"),
				rapid.SampledFrom([]Kind{Avoid, Practice, Fact}).Draw(t, "kind"),
				rapid.StringN(1, 300, -1).Draw(t, "text"))
		}), 0, 60).Draw(t, "entries")
		budget := rapid.IntRange(0, 600).Draw(t, "budget")
		got := Digest(all, budget)
		if Tokens(got) > budget {
			t.Fatalf("%d tokens of at most %d: %q", Tokens(got), budget, got)
		}
		if n := strings.Count(got, "\n"); n > 3 {
			t.Fatalf("%d lines: %q", n, got)
		}
		if top := Digest(Top(all, 30), budget); top != got {
			t.Fatalf("the digest of the top differs:\n%q\n%q", top, got)
		}
	})
}

func TestTop_order(t *testing.T) {
	var all []Entry
	for i := range 100 {
		all = append(all, entry(i, Avoid, fmt.Sprint("avoid ", i)))
	}
	all = append(all, entry(1, Fact, "fact"))
	top := Top(all, 12)
	if len(top) != 12 || top[0].Txt != "avoid 99" || top[5].Txt != "fact" || top[6].Txt != "avoid 94" {
		t.Errorf("Top: %v", texts(top))
	}
	if n := len(Top(all, -1)); n != 0 {
		t.Errorf("Top(-1) has %d", n)
	}
	if n := len(Top(all, 1000)); n != 101 {
		t.Errorf("Top(1000) has %d", n)
	}
}

func TestFitting_BR36(t *testing.T) {
	all := []Entry{
		entry(1, Avoid, "global state"), entry(2, Fact, "the parser keeps comments"), entry(3, Fact, "tokens are strings"),
		entry(4, Practice, "run the parser's fuzzer"), entry(5, Fact, "The PARSER keeps comments"),
	}
	for about, want := range map[string]string{
		"Teach the parser comments": "The PARSER keeps comments, run the parser's fuzzer, global state",
		"Strings as tokens":         "tokens are strings, global state, run the parser's fuzzer",
		"Add a colour":              "global state, run the parser's fuzzer, The PARSER keeps comments",
		"":                          "global state, run the parser's fuzzer, The PARSER keeps comments",
	} {
		var got []string
		for _, e := range Fitting(all, about, 3) {
			got = append(got, e.Txt)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %s, want %s", about, strings.Join(got, ", "), want)
		}
	}
}
