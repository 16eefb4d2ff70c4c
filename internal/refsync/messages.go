package refsync

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/git-brew/git-brew/internal/invisible"
)

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
	case !strings.ContainsFunc(text, unicode.IsLetter), progress(text), !fromRemote && isBeside(lower):
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

// isBeside reports a line of git's that says nothing of why.
func isBeside(lower string) bool {
	return slices.ContainsFunc(besides, func(p string) bool { return strings.HasPrefix(lower, p) })
}

// Lines of git's, in lower case, that tell little.
var (
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
