package refsync

import (
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
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
	reason = cut(printable(strings.TrimSuffix(reason, ")")))
	switch {
	case status == "[remote failure]":
		return reply{Unknown, reason}
	case status == "[rejected]", contains(strings.ToLower(reason), movedWords):
		return reply{Moved, reason}
	}
	return reply{Refused, reason}
}

// Words of git and of forges, in lower case. None of them is more than a hint:
// what is taken for moved is fetched again, a bounded number of times.
var (
	movedWords = []string{
		staleInfo, "fetch first", "failed to update ref", "lock ref", "failed to lock", "lock failure",
		"already exists", "but expected", "incorrect old value",
	}
	refusalWords = []string{
		"remote error:", "access denied", "permission", "not allowed", "forbidden", "not authorized", "authentication failed",
		"could not read username", "could not read password", "read-only", "read only", "protected branch", "too many", "too large",
		"returned error: 400", "returned error: 401", "returned error: 403", "returned error: 405", "returned error: 413",
		"returned error: 422", "returned error: 429", "http 413",
	}
	// oursWords are git's for what is wrong with this repository, or its disk.
	oursWords  = []string{"bad object refs/", "bad ref", "no space left", "read-only file system", "insufficient permission", "unable to write", "cannot open", "is corrupt"}
	largeWords = []string{"413", "too many", "too large", "exceeds", "429", "limit"}
	// goneWords: nobody answered, and nobody will in the next second.
	goneWords = []string{
		"no answer in", "could not resolve", "timed out", "connection refused", "no route to host", "network is unreachable", "unable to connect",
		"does not appear to be a git repository", "could not read from remote repository", "unable to access", "not found", "does not exist",
	}
)

// inTheWay are git's words about a ref that can't be made beside another one, whose
// name is a directory of its own, or the other way round.
const inTheWay = "exists; cannot create '"

// occupied is the line among messages that says so of a ref of the remote's; ""
// where there is none.
func occupied(messages string, there gitstore.RefName) string {
	for line := range strings.Lines(messages) {
		if strings.Contains(line, inTheWay+string(there)+"'") {
			_, cause, _ := strings.Cut(printable(line), "': ")
			return cut(cause)
		}
	}
	return ""
}

// refusal tells whether messages of a git command that failed as a whole are
// those of a remote that answered.
func refusal(messages string) bool { return contains(strings.ToLower(messages), refusalWords) }

// tooLarge tells whether a refusal may be one of the push's size.
func tooLarge(words string) bool { return contains(strings.ToLower(words), largeWords) }

// oursToMend tells whether a git command failed as a whole by what is here.
func oursToMend(messages string) bool {
	for line := range strings.Lines(messages) {
		if !strings.HasPrefix(line, "remote:") && contains(strings.ToLower(line), oursWords) {
			return true
		}
	}
	return false
}

// gone tells whether nobody is there.
func gone(messages string) bool { return contains(strings.ToLower(messages), goneWords) }
