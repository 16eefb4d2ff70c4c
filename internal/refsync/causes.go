package refsync

import (
	"errors"
	"strings"
)

// Why refines ErrRefused, as far as the words of the remote tell.
type Why string

// The reasons. None of them but WhyName says that other names would be taken.
const (
	// WhyUnknown: a hook's no, most likely.
	WhyUnknown Why = ""
	// WhyDenied: who asks may not, or nobody may: the repository takes nothing.
	WhyDenied Why = "denied"
	// WhyLarge: what was sent is more than the remote takes at once.
	WhyLarge Why = "large"
	// WhyBusy: it wants to be asked less often.
	WhyBusy Why = "busy"
	// WhyFull: its disk is.
	WhyFull Why = "full"
	// WhyHidden: it takes what is pushed, and shows it to nobody who fetches.
	WhyHidden Why = "hidden"
	// WhyName: it has no record under this namespace, and takes none.
	WhyName Why = "name"
)

// refusals are words of servers that answered no, in lower case; the first row that
// matches says why. testdata/answers holds what the servers were recorded to say.
var refusals = []struct {
	why   Why
	words []string
}{
	{WhyLarge, []string{
		"returned error: 413", "http 413", "entity too large", "content too large", "maximum allowed size",
		"maximum size", "file size limit", "too large", "too big",
	}},
	{WhyBusy, []string{
		"returned error: 429", "http 429", "too many requests", "rate limit", "rate exceeded", "returned error: 503",
		"http 503", "maintenance",
	}},
	{WhyFull, []string{"no space left on device", "quota", "disk full", "returned error: 507", "http 507"}},
	{WhyDenied, []string{
		"access denied", "permission", "not allowed", "forbidden", "not authorized", "unauthorized", "authentication",
		"could not read username", "could not read password", "read-only", "read only", "archived", "not enabled",
		"host key verification failed", "dubious ownership", "no such repository",
		"unable to create temporary object directory",
		"unable to update url base from redirection", "no dav locking support", "suspended",
		"returned error: 401", "http 401", "returned error: 403", "http 403", "returned error: 404", "http 404",
	}},
	{WhyUnknown, []string{
		"remote error:", deniedWord, "protected branch", "too many", "returned error: 4", "http 4", "returned error: 501",
		"http 501",
	}},
}

// deniedWord is gitolite's: of a ref, it may be about its name; of a repository, about
// who asks.
const deniedWord = "denied"

// whyRefused says why a remote refused, and whether these are words of one that
// answered at all.
func whyRefused(messages string) (why Why, answered bool) {
	lower := strings.ToLower(messages)
	for _, row := range refusals {
		if contains(lower, row.words) {
			return row.why, true
		}
	}
	return WhyUnknown, false
}

// Words of git and of forges, in lower case. None of them is more than a hint: what
// is taken for moved is fetched again, a bounded number of times.
var (
	movedWords = []string{
		staleInfo, "fetch first", "failed to update ref", "lock ref", "failed to lock", "lock failure",
		"already exists", "but expected", "incorrect old value", "invalid old id sent", "atomic transaction",
	}
	// oursWords are git's for what is wrong with this repository, or its disk.
	oursWords = []string{
		"bad object refs/", "bad ref", "no space left", "read-only file system", "insufficient permission", "unable to write",
		"cannot open", "is corrupt",
	}
	// goneWords: nobody answered, and nobody will in the next second.
	goneWords = []string{
		"no answer in", "could not resolve", "unable to look up", "timed out", "connection refused", "no route to host",
		"network is unreachable", "unable to connect",
		"does not appear to be a git repository", "could not read from remote repository", "unable to access", "not found",
		"does not exist",
	}
)

// oursToMend reports whether a git command failed as a whole by what is here.
func oursToMend(messages string) bool {
	for line := range strings.Lines(messages) {
		if !strings.HasPrefix(line, "remote:") && contains(strings.ToLower(line), oursWords) {
			return true
		}
	}
	return false
}

// gone reports whether nobody is there.
func gone(messages string) bool { return contains(strings.ToLower(messages), goneWords) }

// advice is what to do about a failure of a remote, by its kind and why.
var advice = map[error]map[Why]string{
	ErrUnreachable: {WhyUnknown: "'git brew sync' again when it can be reached"},
	ErrMoving:      {WhyUnknown: "try again"},
	ErrOccupied: {
		WhyUnknown: "rename that one there, or 'git config brew.sync.namespace refs/heads/NAME' with another name in " +
			"every clone, and sync again",
	},
	ErrRefused: {
		WhyUnknown: "ask who runs it what it takes, and from whom",
		WhyDenied:  "see that 'git push' may write there",
		WhyLarge:   "ask who runs it to take more at once",
		WhyBusy:    "'git brew sync' again in a while",
		WhyFull:    "tell who runs it",
		WhyHidden:  "ask who runs it to show what it takes; see uploadpack.hideRefs and transfer.hideRefs there",
		WhyName:    "where it takes branches only, 'git config brew.sync.namespace refs/heads/brew' and sync again",
	},
}

// noName says of a refusal that it may be one of our names, where nothing else tells
// why and there are others to try.
func (e *RemoteError) noName(remote Remote) {
	if errors.Is(e, ErrRefused) && e.Why == WhyUnknown && !remote.renamed() {
		e.Why = WhyName
	}
}

// Answered reports whether an error is of a remote that answered, and did not do what
// it was asked for.
func Answered(err error) bool {
	var failure *RemoteError
	return errors.As(err, &failure) && !errors.Is(failure, ErrUnreachable)
}

// keeps reports whether a refused deletion is one that will be refused again.
func (e *RemoteError) keeps() bool {
	return errors.Is(e, ErrRefused) && (e.Why == WhyUnknown || e.Why == WhyDenied)
}

// Advice says what to do about the failure, as the second half of a sentence.
func (e *RemoteError) Advice() string { return "nothing here is lost; " + advice[e.Kind][e.Why] }
