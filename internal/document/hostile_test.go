package document

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// hostile are pieces of which a document of a megabyte costs readers of Markdown
// more than a megabyte's time.
var hostile = []string{
	"- ", "* ", "> ", "1. ", "- a\n", "> - ", "a\n-\n", "- \n", " - \n", "#\n", "# a\n", "## Phase 1: x\n",
	"### Task 1\n**Files:** a\n", "`", "``a`", "\\`", "a``b```c",
	"<!--", "<!-- a\n", "a <!--a\n", "<", "<a\n", "<?", "<![CDATA[", "<a b='\n", "</", "[", "](", "*a_b*c_d**e", "|", "|a",
	"a|b\n-|-\n", "|-", "\t", " \t", "    a\n",
	"```\n", "~~~", "{", "{A", "{AB", "{AB}", ":", "a:\n", "A: b\n", "**A:** b,\n", "---\n", "===\n", "a\n===\n", "\n",
	"\r", "\x00", "é", "- [ ] ", "- [x] a\n",
	"R1: a\n", "- R1\n\n", "|R1|1|\n", "\n\n- ",
}

var hostileHeads = []string{
	"", "---\n", "---\na: [", "---\na:\n", "## Scope\n\n| In |\n|---|\n", "## Original Requirements\n",
	"## Traceability\n| Requirement | Phases |\n|---|---|\n",
	"## Technology Choices\n", "## Phase Registry\n| # | Blocked By |\n|---|---|\n", "## Phase 1\n", "## Tasks\n", "text ",
}

// TestCheck_hostile: much of anything is read, and checked against all rules. What
// takes the square of its length would make a test of seconds one of minutes.
func TestCheck_hostile(t *testing.T) {
	t.Parallel()
	const size = 1 << 15
	for i, piece := range hostile {
		text := hostileHeads[i%len(hostileHeads)] + strings.Repeat(piece, size/len(piece))
		raw := []byte(text)
		s := Subject{Task: "t", Stage: stageExecute, Texts: map[string][]byte{}}
		for _, name := range []string{Spec, Context, Research, Roadmap, Plan, PlanName("1"), Changelog} {
			s.Texts[name] = raw
		}
		if r := Check(s, ""); len(r.Findings) > size*len(s.Texts) {
			t.Errorf("%q: %d findings", piece, len(r.Findings))
		}
	}
}

// FuzzCheck: whatever a document is, it is read, its parts lie in it, and in their
// order.
func FuzzCheck(f *testing.F) {
	for _, src := range corpus {
		f.Add([]byte(src))
	}
	for i, piece := range hostile {
		f.Add([]byte(hostileHeads[i%len(hostileHeads)] + strings.Repeat(piece, 5)))
	}
	for _, raw := range good().Texts {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		text := Read(raw)
		last := 1 + bytes.Count(raw, []byte("\n"))
		line := 0
		for _, b := range text.Blocks {
			if b.Line < line || b.Line > last || b.Item && (b.Kind != Paragraph || b.Depth == 0) ||
				(b.Kind == Table) != (len(b.Cells) > 0) {
				t.Fatalf("block %+v behind line %d of %d", b, line, last)
			}
			line = b.Line
		}
		for i, s := range text.Sections {
			if s.First > s.Last || s.Last > s.End || s.End > len(text.Blocks) || i > 0 && s.First <= text.Sections[i-1].First &&
				text.Sections[i-1].Level > 0 {
				t.Fatalf("section %+v of %d blocks", s, len(text.Blocks))
			}
		}
		before := bytes.Clone(raw)
		s := good()
		for name := range s.Texts {
			s.Texts[name] = raw
			for _, finding := range Check(s, name).Findings {
				if finding.Line < 0 || finding.Line > last || strings.ContainsAny(finding.Text, "\n\r") {
					t.Fatalf("%+v of %d lines", finding, last)
				}
			}
			s = good()
		}
		ReadPhaseFile(raw)
		if !bytes.Equal(before, raw) {
			t.Fatal("the text was changed")
		}
	})
}

// Lines ends of any kind mean the same, and change no line's number.
func TestRead_lineEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 25).Draw(t, "pieces"), "") + "\n"
		if a, b := ours(src), ours(strings.ReplaceAll(src, "\n", "\r\n")); !slices.Equal(a, b) {
			t.Fatalf("%q\n%q", a, b)
		}
	})
}
