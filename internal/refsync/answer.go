package refsync

import (
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
)

// Answer is what a remote said to the push of one ref.
type Answer string

// The answers.
const (
	// Pushed: the remote moved the ref from the old value to the new one, for
	// us.
	Pushed Answer = "pushed"
	// UpToDate: it had the new value before we came. For a lock that is no
	// win: a fetch has to tell whose it is.
	UpToDate Answer = "up to date"
	// Moved: the remote has another value than the lease said.
	Moved Answer = "moved"
	// Refused: it does not take the ref.
	Refused Answer = "refused"
	// Unknown: the connection broke before the remote told.
	Unknown Answer = "unknown"
)

// nonForward is git's word for a ref that would not go forward, staleInfo for
// one that is not what a lease says.
const (
	nonForward = "non-fast-forward"
	staleInfo  = "stale info"
)

// reply is an answer and the words that came with it.
type reply struct {
	answer Answer
	reason string
}

// replies reads what `git push --porcelain` printed, by the names on the
// remote: a line "<flag>\t<from>:<to>\t<summary>" a ref.
func replies(out string) map[gitstore.RefName]reply {
	found := map[gitstore.RefName]reply{}
	for line := range strings.Lines(out) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(fields) != 3 || len(fields[0]) != 1 {
			continue
		}
		_, to, ok := strings.Cut(fields[1], ":")
		if !ok {
			continue
		}
		found[gitstore.RefName(to)] = replyOf(fields[0][0], fields[2])
	}
	return found
}

func replyOf(flag byte, summary string) reply {
	switch flag {
	case ' ', '+', '*', '-':
		return reply{answer: Pushed}
	case '=':
		return reply{answer: UpToDate}
	}
	status, reason, _ := strings.Cut(summary, " (")
	reason = invisible.Cut(printable(strings.TrimSuffix(reason, ")")), maxSaid)
	switch {
	case status == "[remote failure]":
		return reply{Unknown, reason}
	case status == "[rejected]", contains(strings.ToLower(reason), movedWords):
		return reply{Moved, reason}
	}
	return reply{Refused, reason}
}

// inTheWay are git's words about a ref that can't be made beside another one, whose
// name is a directory of its own, or the other way round.
const inTheWay = "exists; cannot create '"

// occupied is the line among messages that says so of a ref of the remote's; ""
// where there is none.
func occupied(messages string, there gitstore.RefName) string {
	for line := range strings.Lines(messages) {
		if strings.Contains(line, inTheWay+string(there)+"'") {
			_, cause, _ := strings.Cut(printable(line), "': ")
			return invisible.Cut(cause, maxSaid)
		}
	}
	return ""
}
