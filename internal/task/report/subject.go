package report

import (
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Subject tells in one line what op did: the subject of its commit.
func Subject(op operation.Operation, before, after task.Task) string {
	tell, known := sentences()[op.Kind]
	if !known {
		return task.SubjectLine(string(op.Kind) + ": unknown here")
	}
	c := change{op: op, before: before, after: after}
	c.was, _ = before.Phase(rules.PhaseOf(op))
	c.is, _ = after.Phase(rules.PhaseOf(op))
	return task.SubjectLine(tell(c))
}
