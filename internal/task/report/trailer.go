package report

import (
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// The trailers of a task's commits: what people query with
// git log --format='%(trailers:key=Brew-Phase,valueonly)'.
const (
	TrailerOp          = "Brew-Op"
	TrailerClock       = "Brew-Clock"
	TrailerPhase       = "Brew-Phase"
	TrailerFrom        = "Brew-From"
	TrailerTo          = "Brew-To"
	TrailerStartCommit = "Brew-Start-Commit"
	TrailerSession     = "Brew-Session"
	TrailerFence       = "Brew-Fence"
)

// Trailers returns the trailers of the commit that records op. Values are one
// line each; those that say nothing are left out.
func Trailers(op operation.Operation, before, after task.Task) []operation.Trailer {
	all := []operation.Trailer{
		{Key: TrailerOp, Value: string(op.ID)},
		{Key: TrailerClock, Value: strconv.FormatUint(op.Clock, 10)},
	}
	add := func(key, value string) {
		if value = trailerValue(value); value != "" {
			all = append(all, operation.Trailer{Key: key, Value: value})
		}
	}
	from, to, commit := string(before.Status), string(after.Status), ""
	if is, ok := after.Phase(rules.PhaseOf(op)); ok {
		was, _ := before.Phase(is.UID)
		add(TrailerPhase, is.ID)
		from, to = string(was.Status), string(is.Status)
		if was.Review != is.Review && is.Review == task.ReviewChanges {
			from, to = string(was.Review), string(is.Review)
		}
		if op.Kind == task.OpPhaseStart {
			commit = is.StartCommit
		}
	}
	if op.Kind == task.OpStage {
		from, to = string(before.Stage), string(after.Stage)
	}
	if from != to {
		add(TrailerFrom, from)
		add(TrailerTo, to)
	}
	add(TrailerStartCommit, commit)
	add(TrailerSession, op.Session)
	fence := op.Fence
	if y, ok := rules.LockYield(op); ok {
		fence = y.Fence
	}
	if fence > 0 {
		add(TrailerFence, strconv.FormatUint(fence, 10))
	}
	return all
}

func trailerValue(s string) string {
	return task.Clip(strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if task.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))), " "), task.MaxTitle)
}
