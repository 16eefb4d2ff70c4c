package rules

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
)

const quorumTable = `| board | reviewers who speak | who make or confirm a remark before it counts | who say that it is ready |
|---|---|---|---|
| the final review | 3 | the majority of those who spoke, 2 at least | the majority of those who spoke, 2 at least |
| a plan made from a spec | 3 | 2 | nobody has to |
| a plan from plan mode | 2 | 2 | nobody has to |
| the spec, another document, a phase | 1 | 1 | nobody has to |
`

// The table of boards, as docs/using/reviews.md has it.
func TestQuorums_BC7_BC17_BC53(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(strings.Join(strings.SplitAfter(quorumTable, "\n")[:2], ""))
	for _, row := range []struct {
		board string
		quorum
	}{
		{"the final review", quorumOf(task.Task{Phases: []task.Phase{{UID: "fr", Kind: task.KindFinalReview}}},
			task.BoardOf("fr"))},
		{"a plan made from a spec", quorumOf(task.Task{Docs: map[task.DocName]task.Doc{task.DocSpec: {OID: "a"}}},
			task.BoardName(task.DocPlan))},
		{"a plan from plan mode", quorumOf(task.Task{}, task.BoardName(task.DocPlan))},
		{"the spec, another document, a phase", quorumOf(task.Task{}, task.BoardName(task.DocSpec))},
	} {
		q := row.quorum
		votes, ready := fmt.Sprint(q.votes), "nobody has to"
		if q.votes == 0 {
			votes = fmt.Sprintf("the majority of those who spoke, %d at least", q.needs(0))
		}
		if q.ready {
			ready = votes
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", row.board, q.speak, votes, ready)
	}
	if b.String() != quorumTable {
		t.Errorf("the table is\n%s", b.String())
	}
	doc, err := os.ReadFile("../../../docs/using/reviews.md")
	if err != nil || !strings.Contains(string(doc), quorumTable) {
		t.Errorf("docs/using/reviews.md does not have the table (%v)", err)
	}
}
