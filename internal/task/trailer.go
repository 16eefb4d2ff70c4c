package task

import (
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
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

// Trailer is one line "Key: Value" at the end of a commit message.
type Trailer struct{ Key, Value string }

// Trailers returns the trailers of the commit that records op. Values are one
// line each; those that say nothing are left out.
func Trailers(op operation.Operation, before, after Task) []Trailer {
	all := []Trailer{{TrailerOp, string(op.ID)}, {TrailerClock, strconv.FormatUint(op.Clock, 10)}}
	add := func(key, value string) {
		if value = trailerValue(value); value != "" {
			all = append(all, Trailer{key, value})
		}
	}
	from, to, commit := string(before.Status), string(after.Status), ""
	if is, ok := after.Phase(phaseOf(op)); ok {
		was, _ := before.Phase(is.UID)
		add(TrailerPhase, is.ID)
		from, to = string(was.Status), string(is.Status)
		if was.Review != is.Review && is.Review == ReviewChanges {
			from, to = string(was.Review), string(is.Review)
		}
		if op.Kind == OpPhaseStart {
			commit = is.StartCommit
		}
	}
	if op.Kind == OpStage {
		from, to = string(before.Stage), string(after.Stage)
	}
	if from != to {
		add(TrailerFrom, from)
		add(TrailerTo, to)
	}
	add(TrailerStartCommit, commit)
	add(TrailerSession, op.Session)
	if op.Fence > 0 {
		add(TrailerFence, strconv.FormatUint(op.Fence, 10))
	}
	return all
}

// phaseOf is the phase that op is about, "" for none.
func phaseOf(op operation.Operation) UID {
	k, known := kindOf(op.Kind)
	switch {
	case !known:
		return ""
	case op.Kind == OpPhaseAdd:
		return op.ID
	}
	return k.phase(op)
}

func trailerValue(s string) string {
	return clip(strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))), " "), MaxTitle)
}

// FormatTrailers returns the lines of the trailers.
func FormatTrailers(all []Trailer) string {
	var b strings.Builder
	for _, t := range all {
		b.WriteString(t.Key + ": " + t.Value + "\n")
	}
	return b.String()
}

// ParseTrailers reads the trailers of a commit message: its last paragraph, if
// that is not the subject and all its lines are trailers.
func ParseTrailers(message string) []Trailer {
	i := strings.LastIndex(strings.TrimRight(message, "\n"), "\n\n")
	if i < 0 {
		return nil
	}
	var all []Trailer
	for line := range strings.Lines(strings.Trim(message[i:], "\n")) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !ok || !trailerKey(key) {
			return nil
		}
		all = append(all, Trailer{key, value})
	}
	return all
}

func trailerKey(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	})
}
