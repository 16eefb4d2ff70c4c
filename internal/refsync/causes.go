package refsync

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/git-brew/git-brew/internal/invisible"
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

// maxSaid is how much of what a remote says is worth a person's line, in runes.
const maxSaid = 200

// said is the line of a git command's messages that tells most about why it
// failed, fit to be printed: what the remote said, else what git said first.
func said(messages string) string {
	best, rank := "", 0
	announced := false // the line before ended where the reason begins
	for line := range strings.FieldsFuncSeq(messages, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = printable(line)
		if announced && line != "" {
			line = "error: " + line
		}
		announced = strings.HasSuffix(line, "error:") || announced && line == ""
		if text, r := weigh(line); r > rank {
			best, rank = text, r
		}
	}
	return invisible.Cut(best, maxSaid)
}

// lastLine is the last line of messages of which none tells why: better than nothing.
func lastLine(messages string) string {
	last := ""
	for line := range strings.Lines(messages) {
		if line = printable(line); line != "" && !progress(line) {
			last = line
		}
	}
	return invisible.Cut(last, maxSaid)
}

// weigh strips a line of what git puts before it, and says how much it tells;
// 0: nothing.
func weigh(line string) (text string, rank int) {
	text, fromRemote := strings.CutPrefix(line, "remote:")
	text = strings.TrimLeft(text, " -")
	failure := false
	for _, prefix := range []string{"error:", "fatal:", "ERROR:", "remote error:"} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			text, failure = strings.TrimSpace(rest), true
		}
	}
	lower := strings.ToLower(text)
	switch {
	case !strings.ContainsFunc(text, unicode.IsLetter), progress(text),
		!fromRemote && slices.ContainsFunc(besides, func(p string) bool { return strings.HasPrefix(lower, p) }):
		return "", 0
	case contains(lower, generic):
		return text, 1
	case fromRemote:
		return text, 4
	case failure, contains(lower, telling):
		return text, 3
	}
	return text, 2
}

// Lines of git's, in lower case, that tell little.
var (
	// besides are how those begin that say nothing of why.
	besides = []string{
		"hint:", "warning:", "to ", "from ", "! [", "* [", "everything up-to-date",
		"failed to push some refs", "please make sure", "and the repository exists", "send-pack: unexpected disconnect",
		"fetch-pack: unexpected disconnect",
	}
	// generic lines stand behind the one that tells why.
	generic = []string{
		"could not read from remote repository", "the remote end hung up", "unexpected disconnect",
		"remote unpack failed", "some local refs could not be updated", "unable to rewind rpc post data",
	}
	telling = []string{"ssh:", "denied", "refused", "could not resolve", "timed out", "verification failed"}
)

// progress reports that a line only says how far something is: "Updating references:
// 50% (1/2)", "Counting objects: 5, done.", "Total 3 (delta 0), reused 0 (delta 0)".
func progress(line string) bool {
	what, far, counts := strings.Cut(line, ": ")
	behind := strings.TrimLeft(far, " 0123456789")
	if counts && len(behind) < len(far) && (behind == "" && strings.HasSuffix(what, "objects") ||
		strings.HasPrefix(behind, "%") || strings.HasPrefix(behind, ",")) {
		return !strings.ContainsFunc(what, func(r rune) bool { return r != ' ' && !unicode.IsLetter(r) })
	}
	return strings.HasPrefix(line, "Total ") && strings.Contains(line, "(delta ") ||
		strings.HasPrefix(line, "Delta compression using") || strings.HasSuffix(strings.TrimRight(line, "."), ", done")
}

func contains(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// printable makes one line of what a stranger wrote, without names and passwords in
// addresses.
func printable(line string) string {
	line = invisible.Line(line)
	if !strings.Contains(line, "://") {
		return line
	}
	return regexp.MustCompile(`://[^/ '"]*@`).ReplaceAllString(line, "://")
}
