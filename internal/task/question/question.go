// Package question reads and changes what people and agents write of questions and
// constraints into the texts of a task. It is pure: it gets texts and returns texts.
package question

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// questionHeading is the heading of the open questions in context.md. Specdacular's is
// read as well.
const (
	questionHeading    = "Open Questions"
	specdacularHeading = "Gray Areas Remaining"
)

const answered = " — "

// Question is a box under the heading "Open Questions" of context.md.
type Question struct {
	N    int    `json:"n"` // from 1, in the order of the text
	Text string `json:"text"`
	Open bool   `json:"open"`
	Line int    `json:"-"` // from 1

	mark int // offset of the character between the brackets
	end  int // offset behind the text
}

// ParseQuestions lists the boxes under that heading, of any level, and under its
// subheadings (SP-2). Code between fences, and what is commented out, is no box.
func ParseQuestions(text []byte) []Question { return scan(text).boxes }

// CountQuestions counts them.
func CountQuestions(text []byte) task.QuestionCount {
	var g task.QuestionCount
	for _, a := range ParseQuestions(text) {
		g.Total++
		if a.Open {
			g.Open++
		}
	}
	return g
}

// AddQuestion returns the text with one more open box, at the end of the first
// list under the heading; both are made where they are missing. The question
// must be one line.
func AddQuestion(text []byte, question string) ([]byte, error) {
	question = strings.TrimSpace(question)
	if err := checkQuestion("question", question); err != nil {
		return nil, err
	}
	eol := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		eol = "\r\n"
	}
	box, found := "- [ ] "+question+eol, scan(text)
	var out []byte
	switch {
	case found.last > 0:
		out = insert(text, found.last, box, eol)
	case found.heading > 0:
		out = insert(text, found.heading, eol+box, eol)
	case len(text) == 0:
		return []byte("## " + questionHeading + eol + eol + box), nil
	default:
		out = insert(text, len(text), eol+"## "+questionHeading+eol+eol+box, eol)
	}
	if CountQuestions(out).Open != CountQuestions(text).Open+1 {
		return nil, task.Refuse(task.CodeInvalid,
			"context.md has a code block or a comment that never ends, and a question can't follow it",
			"close it with 'git brew doc edit context'")
	}
	return out, nil
}

func checkQuestion(what, text string) error {
	if task.OneLine(text, task.MaxItem) {
		return nil
	}
	return task.Refuse(task.CodeInvalid, fmt.Sprintf("the %s is a plain line of 1 to %d bytes", what, task.MaxItem),
		"'git brew doc edit context' takes more")
}

// insert puts s at an offset where a line starts; the line before gets its
// break if it is the last one and has none.
func insert(text []byte, at int, s, eol string) []byte {
	if at > 0 && text[at-1] != '\n' {
		s = eol + s
	}
	return slices.Insert(slices.Clone(text), at, []byte(s)...)
}

// ResolveQuestion returns the text with box n ticked and the answer, which may be
// empty, behind the question; every other byte is kept.
func ResolveQuestion(text []byte, n int, answer string) ([]byte, error) {
	if answer = strings.TrimSpace(answer); answer != "" {
		if err := checkQuestion("answer", answer); err != nil {
			return nil, err
		}
	}
	all := ParseQuestions(text)
	if n < 1 || n > len(all) {
		return nil, fmt.Errorf("%w %d; see 'git brew question list'", task.ErrNoQuestion, n)
	}
	q := all[n-1]
	if !q.Open {
		return nil, task.Refuse(task.CodeTaskState, fmt.Sprintf("question %d is resolved already", n),
			"see 'git brew question list'")
	}
	out := slices.Clone(text)
	out[q.mark] = 'x'
	if answer != "" {
		out = slices.Insert(out, q.end, []byte(answered+answer)...)
	}
	return out, nil
}

// Lost gives the first open question of a text that another text has no box for, open or
// ticked.
func Lost(before, after []byte) (Question, bool) {
	there := ParseQuestions(after)
	for _, q := range ParseQuestions(before) {
		if q.Open && !slices.ContainsFunc(there, func(other Question) bool {
			return other.Text == q.Text || strings.HasPrefix(other.Text, q.Text+answered)
		}) {
			return q, true
		}
	}
	return Question{}, false
}

// Role is what an agent does for a task; it decides which constraints it gets.
type Role string

// The roles. RoleAll is every agent's.
const (
	RoleAll    Role = "ALL"
	RoleDev    Role = "DEV"
	RoleTest   Role = "TEST"
	RoleReview Role = "REVIEW"
)

// PlanConstraints is what a plan says for agents of a role: the text between the
// comments <!-- ROLE --> and <!-- /ROLE -->. It is false where there is none.
func PlanConstraints(plan string, r Role) (string, bool) {
	begin, end := r.marks()
	_, rest, begun := strings.Cut(plan, begin)
	text, _, ended := strings.Cut(rest, end)
	return text, begun && ended
}

// ConstraintLines are the lines of all constraints of a plan, each role's between its
// comments; none where it has no constraints.
func ConstraintLines(plan string) []string {
	var lines []string
	for _, r := range [...]Role{RoleAll, RoleDev, RoleTest, RoleReview} {
		if text, found := PlanConstraints(plan, r); found {
			begin, end := r.marks()
			lines = append(append(lines, begin), strings.Split(strings.Trim(text, "\n"), "\n")...)
			lines = append(lines, end)
		}
	}
	return lines
}

func (r Role) marks() (begin, end string) {
	return "<!-- " + string(r) + " -->", "<!-- /" + string(r) + " -->"
}
