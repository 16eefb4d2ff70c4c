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
		return "danger"
	case v.ReadOnly:
		return "reads"
	case v.Finding.Unknown:
		return "unknown"
	}
	return "denied"
}

func TestJudge_BW5_BW6_BW7_BW9_BW49_corpus(t *testing.T) {
	count := map[string]int{}
	for _, e := range readCorpus(t, "corpus.txt") {
		v := Judge(e.command, Options{})
		if got := verdictOf(v); got != e.want {
			t.Errorf("line %d: %q: %s, want %s (%+v)", e.line, e.command, got, e.want, v.Finding)
		}
		count[e.want]++
	}
	for _, want := range []string{"reads", "unknown", "denied", "danger"} {
		if count[want] < 50 {
			t.Errorf("%d commands that are %s", count[want], want)
		}
	}
}

// TestJudge_BW6_ordinaryCommandsPass: of what an agent types to look around, less
// than one in a hundred is denied, and less than one in ten asked about.
func TestJudge_BW6_ordinaryCommandsPass(t *testing.T) {
	for _, file := range []string{"ordinary.txt", "ordinary_agents.txt", "ordinary_asked.txt"} {
		asked, denied := 0, 0
		entries := readCorpus(t, file)
		for _, e := range entries {
			switch got := verdictOf(Judge(e.command, Options{})); got {
			case "reads":
			case "unknown":
				asked++
			default:
				denied++
				t.Logf("%s: %q: %+v", got, e.command, Judge(e.command, Options{}).Finding)
			}
		}
		if len(entries) < 50 || denied*100 >= len(entries) || file != "ordinary_asked.txt" && asked*10 >= len(entries) {
			t.Errorf("%s: of %d commands, %d are asked about and %d denied", file, len(entries), asked, denied)
		}
	}
}

// TestJudge_BW7_hostileCommandsDoNot: what is made to look as if it read, and what
// an agent types to change something.
func TestJudge_BW7_hostileCommandsDoNot(t *testing.T) {
	for file, least := range map[string]int{"hostile.txt": 4000, "adversary.txt": 70, "writers.txt": 100} {
		entries := readCorpus(t, file)
		for _, e := range entries {
			if Judge(e.command, Options{}).ReadOnly {
				t.Errorf("%s:%d: %q passes", file, e.line, e.command)
			}
		}
		if len(entries) < least {
			t.Errorf("%s: %d commands", file, len(entries))
		}
	}
}
