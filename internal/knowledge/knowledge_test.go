package knowledge

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/operation"
)

// entry makes an entry whose id and time follow from n: a later n is newer.
func entry(n int, k Kind, txt string) Entry {
	return Entry{
		ID:  operation.ID(fmt.Sprintf("%032x", n)),
		TS:  fmt.Sprintf("2026-01-01T%02d:%02d:%02dZ", n/3600%24, n/60%60, n%60),
		T:   k,
		Txt: txt,
	}
}

func ids(ns ...int) []operation.ID {
	var all []operation.ID
	for _, n := range ns {
		all = append(all, operation.ID(fmt.Sprintf("%032x", n)))
	}
	return all
}

func texts(entries []Entry) []string {
	all := []string{}
	for _, e := range entries {
		all = append(all, e.Txt)
	}
	return all
}

func equal[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestParseKind_collision5(t *testing.T) {
	for in, want := range map[string]Kind{
		"avoid": Avoid, "❌": Avoid, "failure": Avoid, " AVOID ": Avoid,
		"practice": Practice, "best": Practice, "BEST": Practice, "✅": Practice, "success": Practice,
		"fact": Fact, "info": Fact, "ℹ️": Fact, "ℹ": Fact, "note": Fact, "": Fact,
	} {
		got, err := ParseKind(in)
		if got != want || err != nil {
			t.Errorf("ParseKind(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	if k, err := ParseKind("maybe\x1b[31m"); err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("ParseKind of an unknown kind = %q, %v", k, err)
	}
	for _, k := range []Kind{Avoid, Practice, Fact} {
		if back, err := ParseKind(k.Symbol()); back != k || err != nil {
			t.Errorf("the symbol of %s reads as %q, %v", k, back, err)
		}
	}
}

func TestNormalize_collision2(t *testing.T) {
	long := strings.Repeat("the same hundred characters at the beginning ", 4)
	if Normalize(long+"one") == Normalize(long+"two") {
		t.Error("two long texts with one beginning are equal")
	}
	for _, same := range [][2]string{
		{"  Token ids\tare\n strings ", "token IDs are strings"},
		{"ÄRGER", "ärger"},
		{"ΣΊΣΥΦΟΣ", "σίσυφος"},
	} {
		if Normalize(same[0]) != Normalize(same[1]) {
			t.Errorf("%q and %q differ: %q, %q", same[0], same[1], Normalize(same[0]), Normalize(same[1]))
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		" a\r\n\tb  ":              "a b",
		"red \x1b[31;1mred\x1b[m":  "red red",
		"bell\a null\x00 c1\u0085": "bell null c1",
		"\u202egnp.exe\u200b":      "gnp.exe",
		"bad\xff\xfeutf":           "badutf",
		"tag\U000E0041s":           "tags",
		"👩\u200d🔬 stays":           "👩\u200d🔬 stays",
		"cut off \x1b[12":          "cut off",
	} {
		if got := invisible.Line(in); got != want {
			t.Errorf("invisible.Line(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestValidate_BC74_BC39_rejected(t *testing.T) {
	reasons := map[string]string{
		"empty": "the text is empty", "length": "the text has 2004 bytes, at most 2000",
		"progress": "it tells progress, not knowledge", "intent": "it tells an intention, not knowledge",
		"praise":        "it tells nothing that can be used again",
		"phase summary": "it sums up a phase; reports do that", "task summary": "it sums up a task; reports do that",
		"narration": "it tells the next step, not knowledge", "task-local": "it holds for this task alone",
	}
	for txt, rule := range map[string]string{
		"": "empty", " \x00\t": "empty", "...": "empty",
		"Working on the parser":         "progress",
		"starting phase":                "progress",
		"Completed: login":              "progress",
		"finished":                      "progress",
		"Beginning with tests":          "progress",
		"Let me look at it":             "intent",
		"I will fix it":                 "intent",
		"I am done":                     "intent",
		"I’ll try":                      "intent",
		"LGTM!":                         "praise",
		"Looks good to me":              "praise",
		"done":                          "praise",
		"Fixed the bug":                 "praise",
		"Phase 2 complete":              "phase summary",
		"phase-2.1: ok":                 "phase summary",
		"Task completed":                "task summary",
		"Task done.":                    "task summary",
		"task finished early":           "task summary",
		"Now I read the file":           "narration",
		"Then, we test":                 "narration",
		"next let us see":               "narration",
		"In this iteration we renamed":  "task-local",
		"Code looks good":               "praise",
		"Great job, well done":          "praise",
		"Nice work!":                    "praise",
		strings.Repeat("word ", 401):    "length",
		"  \n working with a bad start": "progress",
	} {
		_, err := Validate(Entry{T: Fact, Txt: txt})
		var rejected *RejectedError
		if !errors.As(err, &rejected) || rejected.Reason != reasons[rule] {
			t.Errorf("%q: %v, want rule %s", txt, err, rule)
		}
	}
	for _, e := range []Entry{
		{Txt: "a text without a kind"},
		{T: "best", Txt: "a kind that was not parsed"},
		{T: Fact, Txt: "paths", Paths: []string{"a\nb"}},
		{T: Fact, Txt: "paths", Paths: make([]string, maxPaths+1)},
		{T: Fact, Txt: "time", TS: strings.Repeat("2", maxTime+1)},
	} {
		if _, err := Validate(e); err == nil {
			t.Errorf("%+v is accepted", e)
		}
	}
}

func TestValidate_BC74_accepted(t *testing.T) {
	for _, txt := range []string{
		"Token ids are strings, never ints",
		"workingDir must be absolute",
		"I18n keys are sorted",
		"Phases are folded in clock order",
		"The nightly job works as expected only with TZ=UTC",
		"task done events arrive twice", // see below
	} {
		_, err := Validate(Entry{T: Avoid, Txt: txt})
		if strings.HasPrefix(txt, "task done") {
			if err == nil {
				t.Errorf("%q: the rule is by the first words alone", txt)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", txt, err)
		}
	}
	got, err := Validate(Entry{
		T: Fact, Txt: " a\x1b[1m\nb ", Src: strings.Repeat("é", 300) + "\x07",
		Paths: []string{"", "a/**"},
	})
	if err != nil || got.Txt != "a b" || !storable(got.Src, maxSrc) || len(got.Paths) != 1 {
		t.Errorf("Validate = %+v, %v", got, err)
	}
	if _, err := Validate(Entry{T: Fact, Src: HandoffSrc, Txt: "Handoff at phase 2: context auto-compact"}); err != nil {
		t.Errorf("a hand-off: %v", err)
	}
}

func TestDue_BC38_collision1(t *testing.T) {
	list := func(n int) []Entry {
		var all []Entry
		for i := range n {
			all = append(all, entry(i, Fact, fmt.Sprint("fact ", i)))
		}
		h := entry(9999, Fact, "Handoff at phase 1")
		h.Src = HandoffSrc
		return append(all, h, h, h)
	}
	for _, c := range []struct {
		n, limit  int
		threshold float64
		want      bool
	}{
		{79, 100, 0.8, false},
		{80, 100, 0.8, true},
		{49, 100, 0.5, false}, // the diagram's reading
		{50, 100, 0.5, true},
		{28, 100, 0.29, false},
		{29, 100, 0.29, true},
		{7, 9, 0.8, true}, // floor(7.2)
		{0, 1, 0.1, false},
	} {
		if got := Due(list(c.n), c.limit, c.threshold); got != c.want {
			t.Errorf("%d entries, limit %d, threshold %v: %v", c.n, c.limit, c.threshold, got)
		}
	}
}

func TestCompact_BC38_order(t *testing.T) {
	keep, remove := Compact([]Entry{
		entry(1, Fact, "old fact"),
		entry(2, Avoid, "avoid a"),
		entry(3, Fact, "new fact"),
		entry(4, Practice, "practice"),
		entry(5, Avoid, "avoid b"),
	}, 4)
	equal(t, "kept", texts(keep), []string{"avoid b", "avoid a", "practice", "new fact"})
	equal(t, "removed", remove, ids(1))
}

func TestCompact_collision3_higherKindThenLatest(t *testing.T) {
	keep, remove := Compact([]Entry{
		entry(1, Avoid, "Same  text"),
		entry(2, Practice, "same text"),
		entry(3, Fact, "other"),
		entry(4, Fact, "OTHER"),
		entry(5, Fact, "other "),
	}, 100)
	equal(t, "kept", texts(keep), []string{"Same  text", "other "})
	equal(t, "removed", remove, ids(2, 3, 4))
}

func TestCompact_BC77_collision4_handoffsApart(t *testing.T) {
	var all []Entry
	for i := range 6 {
		h := entry(100+i, Fact, fmt.Sprintf("Handoff at phase %d", i))
		h.Src = HandoffSrc
		all = append(all, h)
	}
	all = append(all, entry(1, Fact, "fact"), entry(2, Avoid, "avoid"))
	keep, remove := Compact(all, 2)
	equal(t, "kept", texts(keep), []string{
		"avoid", "fact", "Handoff at phase 5", "Handoff at phase 4",
		"Handoff at phase 3",
	})
	equal(t, "removed", remove, ids(100, 101, 102))
	if c := Count(all); c != (Counts{Avoid: 1, Fact: 1}) {
		t.Errorf("Count = %+v", c)
	}
}

func TestCompact_BC76_invalidTimeIsOldest(t *testing.T) {
	bad := entry(9, Fact, "same")
	bad.TS = "yesterday"
	keep, _ := Compact([]Entry{bad, entry(1, Fact, "same")}, 10)
	if len(keep) != 1 || keep[0].ID != ids(1)[0] {
		t.Errorf("kept %v", keep)
	}
}

// What a row says may go: of its kind alone, and never for being like a row.
func TestPrune_BC78(t *testing.T) {
	all := []Entry{
		entry(1, Fact, "floats"), entry(2, Avoid, "floats"), entry(3, Practice, "floats"),
		entry(4, Avoid, "Floats."), entry(5, Avoid, "money as a string"),
	}
	page := RenderRules(nil, Avoid, all[:2]).Data
	equal(t, "said", Said(page, Avoid, all), ids(2, 4))
	equal(t, "said of practice", Said(page, Practice, all), nil)
	equal(t, "said by nothing", Said(nil, Avoid, all), nil)
	equal(t, "facts", Said(page, Fact, all), nil)
}

func genEntries(t *rapid.T, label string) []Entry {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Entry {
		e := entry(rapid.IntRange(0, 500).Draw(t, "n"),
			rapid.SampledFrom([]Kind{Avoid, Practice, Fact}).Draw(t, "kind"),
			rapid.SampledFrom([]string{"a", "A", " b", "b", "c d", "C  D", "e", "f g"}).Draw(t, "text"))
		if e.T == Fact && rapid.IntRange(0, 4).Draw(t, "handoff") == 0 {
			e.Src = HandoffSrc
		}
		return e
	}), 0, 30).Draw(t, label)
}

func TestCompact_BC78_properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := genEntries(t, "entries")
		limit := rapid.IntRange(1, 12).Draw(t, "limit")
		keep, remove := Compact(all, limit)
		if n := len(knowledgeOf(keep)); n > limit {
			t.Fatalf("%d entries kept of at most %d", n, limit)
		}
		if again, more := Compact(keep, limit); len(more) != 0 || fmt.Sprint(again) != fmt.Sprint(keep) {
			t.Fatalf("compacting twice removes %v", more)
		}
		kept := map[string]Kind{}
		for _, e := range keep {
			if !e.Handoff() {
				kept[Normalize(e.Txt)] = e.T
			}
		}
		for _, e := range all {
			if e.T == Avoid && kept[Normalize(e.Txt)] != Avoid && Count(keep).Avoid < limit {
				t.Fatalf("avoid %q was dropped with room left", e.Txt)
			}
		}
		if len(keep)+len(remove) != len(all) {
			t.Fatalf("%d kept and %d removed of %d", len(keep), len(remove), len(all))
		}
	})
}

// Two clones compact what each has seen of one set: no text is lost.
func TestCompact_apartNeverLosesAText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := genEntries(t, "entries")
		for i := range all {
			all[i].ID = ids(i + 1)[0]
		}
		gone := map[operation.ID]bool{}
		for _, seen := range []string{"one", "other"} {
			var part []Entry
			for i, e := range all {
				if rapid.Bool().Draw(t, fmt.Sprint(seen, i)) {
					part = append(part, e)
				}
			}
			_, remove := Compact(part, 0)
			for _, id := range remove {
				gone[id] = true
			}
		}
		left := map[string]bool{}
		for _, e := range all {
			if !gone[e.ID] {
				left[Normalize(e.Txt)] = true
			}
		}
		for _, e := range all {
			if !e.Handoff() && !left[Normalize(e.Txt)] {
				t.Fatalf("%q is gone", e.Txt)
			}
		}
	})
}

func TestMerge_eachTextOnce(t *testing.T) {
	got := Merge(
		[]Entry{entry(1, Fact, "shared"), entry(2, Fact, "task's")},
		[]Entry{entry(3, Avoid, "Shared"), entry(4, Practice, "project's")},
	)
	equal(t, "merged", texts(got), []string{"Shared", "project's", "task's"})
}

// The quick ways of Clean and Normalize are the slow ones' results.
func TestNormalize_quickWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune(" \tabKkSZ09~é\u212a"))).Draw(t, "text")
		slow, cleaned := strings.TrimSuffix(Normalize(s+" ✓"), "✓"), strings.TrimSuffix(invisible.Line(s+" ✓"), "✓")
		if got := Normalize(s); got != strings.TrimSpace(slow) {
			t.Fatalf("Normalize(%q) = %q, the slow way %q", s, got, slow)
		}
		if got := invisible.Line(s); got != strings.TrimSpace(cleaned) {
			t.Fatalf("invisible.Line(%q) = %q, the slow way %q", s, got, cleaned)
		}
	})
}

// One thing said twice is one thing, however the sentence ends.
func TestNormalize_endsOfSentences(t *testing.T) {
	for _, same := range [][2]string{
		{"Use of floats loses cents.", "use of floats LOSES cents"},
		{"Why?!", "why"},
		{"One ; ", "one"},
	} {
		if Normalize(same[0]) != Normalize(same[1]) {
			t.Errorf("%q and %q differ", same[0], same[1])
		}
	}
	if Normalize("...") == Normalize("?") {
		t.Error("marks alone are all the same")
	}
}

// What two machines learned apart is one entry, of the higher kind; what says it as
// something less is known.
func TestCount_aTextOnce(t *testing.T) {
	twice := []Entry{
		entry(1, Fact, "Tests share a port"), entry(2, Avoid, "tests share  a port."),
		entry(3, Fact, "another"),
	}
	if got := Count(twice); got != (Counts{Avoid: 1, Fact: 1}) {
		t.Errorf("counts %+v", got)
	}
	for kind, want := range map[Kind]bool{Avoid: true, Practice: true, Fact: true} {
		if known, ok := Known(twice, entry(4, kind, "Tests share a port")); ok != want || known.ID != twice[1].ID {
			t.Errorf("%s: %v, %+v", kind, ok, known)
		}
	}
	if _, ok := Known(twice, entry(4, Avoid, "another")); ok {
		t.Error("what was a fact is known as something to avoid")
	}
	handoff := Entry{T: Fact, Src: HandoffSrc, Txt: "another"}
	if _, ok := Known(twice, handoff); ok {
		t.Error("a hand-off is known")
	}
}

// BC-30, BC-73: an entry as reports write it.
func TestParse_BC73(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"❌ ints as ids":          "avoid|ints as ids",
		"✅ - small commits":      "practice|small commits",
		"ℹ️ the port is 8080":    "fact|the port is 8080",
		"avoid: ints":            "avoid|ints",
		"**BEST**: small":        "practice|small",
		"**Avoid:** ints":        "avoid|ints",
		"[info] a fact":          "fact|a fact",
		"Avoid ints as ids":      "fact|Avoid ints as ids",
		"Redis: needs AUTH":      "fact|Redis: needs AUTH",
		"`-race` finds the rest": "fact|`-race` finds the rest",
		"":                       "fact|",
	} {
		if k, text := Parse(in); string(k)+"|"+text != want {
			t.Errorf("%q: %s|%s, want %s", in, k, text, want)
		}
	}
}
