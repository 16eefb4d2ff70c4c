package rules_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
)

const questionsText = `# Context

- [ ] not a question

## gray areas remaining ##

Some words.

- [ ] which algorithm?
  * [x] nested, done
1. [X] numbered
- [] no box
- [ ]glued
` + "```\n- [ ] code\n## Heading in code\n```\n" + `
### A subheading

+ [ ] below it

## Other

- [ ] elsewhere
`

// SP-2: the boxes under the heading are the truth.
func TestQuestions_SP2(t *testing.T) {
	t.Parallel()
	var got []string
	for _, a := range question.ParseQuestions([]byte(questionsText)) {
		state := "done"
		if a.Open {
			state = "open"
		}
		got = append(got, state+" "+a.Text)
	}
	want := "open which algorithm?|done nested, done|done numbered|open below it"
	if strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", strings.Join(got, "|"), want)
	}
	if g := question.CountQuestions([]byte(questionsText)); g != (task.QuestionCount{Open: 2, Total: 4}) {
		t.Errorf("%+v", g)
	}
}

// SP-2: a question is counted however its section is written by hand, and only
// what a reader sees is one.
func TestQuestions_SP2_writtenByHand(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		open       int
	}{
		{"a mark of byte order", "\ufeff## Gray Areas Remaining\r\n- [ ] a\r\n", 1},
		{"its own words", "## Open questions\n- [ ] a\n", 1},
		{"a number in front", "## 3. Gray Areas Remaining\n- [ ] a\n", 1},
		{"numbers in front", "### 3.1 Gray areas remaining:\n- [ ] a\n", 1},
		{"marks around it", "## **Gray Areas Remaining**\n- [ ] a\n", 1},
		{"a remark behind it", "## Gray Areas Remaining (2)\n- [ ] a\n", 1},
		{"a sign in front", "## ❓ Gray Areas Remaining\n- [ ] a\n", 1},
		{"underlined", "Gray Areas Remaining\n-----\n- [ ] a\n\nOther\n=====\n- [ ] b\n", 1},
		{"a line across", "## Gray Areas Remaining\n- [ ] a\n---\n- [ ] b\n", 2},
		{
			"a line across, below words of an item",
			"## Gray Areas Remaining\n- [ ] a\nlazy\n---\n- [ ] b\n\n  more\n---\n- [ ] c\n", 3,
		},
		{"a line across, below words of its own", "## Gray Areas Remaining\none\ntwo\n---\n- [ ] b\n", 1},
		{"front matter", "---\ntask: x\n---\n## Gray Areas Remaining\n- [ ] a\n", 1},
		{"a comment", "## Gray Areas Remaining\n<!-- - [ ] one line -->\n<!--\n- [ ] several\n-->\n- [ ] a\n", 1},
		{"a comment behind a question", "## Gray Areas Remaining\n- [ ] a <!-- why -->\n- [ ] b\n", 2},
		{"a commented heading", "<!--\n## Gray Areas Remaining\n-->\n- [ ] a\n", 0},
		{"another section", "## Gray Areas\n- [ ] a\n", 0},
		{"more words", "## No Gray Areas Remaining\n- [ ] a\n", 0},
	} {
		if g := question.CountQuestions([]byte(tt.text)); g.Open != tt.open {
			t.Errorf("%s: %d open, want %d", tt.name, g.Open, tt.open)
		}
	}
}

// What would be added where nobody sees it is refused.
func TestAddQuestion_behindWhatIsNeverClosed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"# Context\n<!-- note\n", "# Context\n```\ncode\n"} {
		if out, err := question.AddQuestion([]byte(text), "q?"); err == nil {
			t.Errorf("taken: %q", out)
		}
	}
	text := "# Gray Areas Remaining\n- [ ] a\n<!--\n- [ ] later\n-->\n"
	if out, err := question.AddQuestion([]byte(text), "q?"); err != nil ||
		string(out) != "# Gray Areas Remaining\n- [ ] a\n- [ ] q?\n<!--\n- [ ] later\n-->\n" {
		t.Errorf("%q, %v", out, err)
	}
}

func TestResolveQuestion(t *testing.T) {
	t.Parallel()
	out, err := question.ResolveQuestion([]byte(questionsText), 4, "")
	if want := strings.Replace(questionsText, "+ [ ] below", "+ [x] below", 1); err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = question.ResolveQuestion([]byte(questionsText), 1, "RS256")
	if want := strings.Replace(questionsText, "- [ ] which algorithm?", "- [x] which algorithm? — RS256",
		1); err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := question.ResolveQuestion([]byte(questionsText), 5, ""); !errors.Is(err, task.ErrNoQuestion) {
		t.Errorf("no such area: %v", err)
	}
	if _, err := question.ResolveQuestion([]byte(questionsText), 2, ""); err == nil {
		t.Error("resolved twice")
	}
	if _, err := question.ResolveQuestion([]byte(questionsText), 1, "two\nlines"); err == nil {
		t.Error("an answer of two lines")
	}
	if out, err := question.ResolveQuestion([]byte("# Gray areas remaining\r\n- [ ] q\r\n"), 1, "a"); err != nil ||
		string(out) != "# Gray areas remaining\r\n- [x] q — a\r\n" {
		t.Errorf("%q, %v", out, err)
	}
}

func TestAddQuestion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"nothing yet", "", "## Open Questions\n\n- [ ] q?\n"},
		{"no section", "# Context\n\nwords", "# Context\n\nwords\n\n## Open Questions\n\n- [ ] q?\n"},
		{"no box", "# Gray Areas Remaining\n\n## Next\n", "# Gray Areas Remaining\n\n- [ ] q?\n\n## Next\n"},
		{"boxes", "# Gray Areas Remaining\n- [x] a\n\n# Next\n", "# Gray Areas Remaining\n- [x] a\n- [ ] q?\n\n# Next\n"},
		{"no final break", "# Gray Areas Remaining\n- [ ] a", "# Gray Areas Remaining\n- [ ] a\n- [ ] q?\n"},
		{"CRLF", "# Gray Areas Remaining\r\n- [ ] a\r\n", "# Gray Areas Remaining\r\n- [ ] a\r\n- [ ] q?\r\n"},
	} {
		got, err := question.AddQuestion([]byte(tt.text), " q? ")
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
		if before, after := question.CountQuestions([]byte(tt.text)),
			question.CountQuestions(got); after.Open != before.Open+1 || after.Total != before.Total+1 {
			t.Errorf("%s: %+v, then %+v", tt.name, before, after)
		}
	}
	for _, bad := range []string{"", "a\nb", "\x1b[2J"} {
		if _, err := question.AddQuestion(nil, bad); err == nil {
			t.Errorf("%q taken", bad)
		}
	}
}

// The state counts what the context says, also where a merge made the text.
func TestQuestion_followsContext(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	base := s.texts.put("# Gray Areas Remaining\n- [ ] a\n- [ ] b\n- [ ] c\n")
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocContext, OID: base})
	if s.t.Questions != (task.QuestionCount{Open: 3, Total: 3}) {
		t.Errorf("%+v", s.t.Questions)
	}
	s.do(task.OpDocSet, task.DocSetPayload{
		Name: task.DocContext, Base: base,
		OID: s.texts.put("# Gray Areas Remaining\n- [x] a\n- [ ] b\n- [ ] c\n"),
	})
	s.do(task.OpDocSet, task.DocSetPayload{
		Name: task.DocContext, Base: base,
		OID: s.texts.put("# Gray Areas Remaining\n- [ ] a\n- [ ] b\n- [x] c\n"),
	})
	if s.t.Questions != (task.QuestionCount{Open: 1, Total: 3}) {
		t.Errorf("%+v", s.t.Questions)
	}
}
