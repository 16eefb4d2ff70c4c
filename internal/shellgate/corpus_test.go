package shellgate

import (
	"os"
	"strings"
	"testing"
)

// entry is a command of the corpus, with the verdict that stands over it.
type entry struct {
	command, want string
	line          int
}

// readCorpus reads a file of commands. Lines that begin with == name the
// verdict of those below.
func readCorpus(t testing.TB, file string) []entry {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var entries []entry
	want, number := "reads", 0
	for line := range strings.Lines(string(data)) {
		line, number = strings.TrimSuffix(line, "\n"), number+1
		if verdict, ok := strings.CutPrefix(line, "== "); ok {
			want = verdict
		} else if line != "" && !strings.HasPrefix(line, "# ") && line != "#" {
			entries = append(entries, entry{strings.ReplaceAll(line, "␤", "\n"), want, number})
		}
	}
	return entries
}

func verdictOf(v Verdict) string {
	switch {
	case v.Danger != nil:
		return string(v.Danger.Reason)
	case v.Finding != nil:
		return string(v.Finding.Reason)
	}
	return "reads"
}

func TestJudge_BW5_BW6_BW7_BW9_BW49_corpus(t *testing.T) {
	entries := readCorpus(t, "corpus.txt")
	readers, known := 0, map[string]bool{"reads": true}
	for _, w := range reasons {
		known[string(w.reason)] = true
	}
	for _, e := range entries {
		v := Judge(e.command, Options{})
		if got := verdictOf(v); got != e.want {
			t.Errorf("line %d: %q: %s, want %s", e.line, e.command, got, e.want)
		}
		if !known[e.want] {
			t.Errorf("line %d: %s is no reason", e.line, e.want)
		}
		if e.want == "reads" {
			readers++
		}
	}
	if len(entries) < 400 || readers < 150 {
		t.Errorf("%d commands, %d of them readers", len(entries), readers)
	}
}

// TestJudge_BW6_ordinaryCommandsPass: of what an agent types to look around, less
// than one in fifty is refused.
func TestJudge_BW6_ordinaryCommandsPass(t *testing.T) {
	entries := readCorpus(t, "ordinary.txt")
	refused := 0
	for _, e := range entries {
		if v := Judge(e.command, Options{}); !v.ReadOnly {
			refused++
			t.Logf("refused: %q: %s (%s)", e.command, v.Finding.Reason, v.Finding.Why)
		}
	}
	if len(entries) < 400 || refused*50 >= len(entries) {
		t.Errorf("%d of %d are refused", refused, len(entries))
	}
}

// TestJudge_BW7_ordinaryWritersDoNot: what an agent types to change something.
func TestJudge_BW7_ordinaryWritersDoNot(t *testing.T) {
	entries := readCorpus(t, "writers.txt")
	for _, e := range entries {
		if Judge(e.command, Options{}).ReadOnly {
			t.Errorf("line %d: %q passes", e.line, e.command)
		}
	}
	if len(entries) < 100 {
		t.Errorf("%d commands", len(entries))
	}
}
