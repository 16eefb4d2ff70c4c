package refsync

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSaid is how much of what a remote says is worth a person's line, in runes.
const maxSaid = 200

// said is the line of a git command's messages that tells most about why it
// failed, fit to be printed: what the remote said, else what git said first.
func said(messages string) string {
	best, rank := "", 0
	for line := range strings.FieldsFuncSeq(messages, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if text, r := weigh(printable(line)); r > rank {
			best, rank = text, r
		}
	}
	return cut(best)
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
	case !strings.ContainsFunc(text, unicode.IsLetter), hasPrefix(lower, moving), !fromRemote && hasPrefix(lower, besides):
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
	moving  = []string{"enumerating objects", "counting objects", "compressing objects", "resolving deltas", "writing objects", "receiving objects", "unpacking objects", "delta compression", "checking connectivity", "total "}
	besides = []string{"hint:", "warning:", "to ", "from ", "! [", "* [", "everything up-to-date", "failed to push some refs", "please make sure", "and the repository exists"}
	// generic lines stand behind the one that tells why.
	generic = []string{"could not read from remote repository", "the remote end hung up", "unexpected disconnect", "remote unpack failed", "some local refs could not be updated"}
	telling = []string{"ssh:", "denied", "refused", "could not resolve", "timed out"}
)

func hasPrefix(text string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

func contains(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// printable makes one line without control characters, colours, or names and
// passwords in addresses of what a stranger wrote.
func printable(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		if n := colour(line[i:]); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		i += size
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			r = ' '
		}
		b.WriteRune(r)
	}
	return hideLogin(strings.Join(strings.Fields(b.String()), " "))
}

// colour is the length of the terminal's command that s starts with, 0 for
// none.
func colour(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		if s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
	}
	return len(s)
}

// hideLogin takes names and passwords out of addresses.
func hideLogin(s string) string {
	const mark = "://"
	var b strings.Builder
	for {
		at := strings.Index(s, mark)
		if at < 0 {
			return b.String() + s
		}
		at += len(mark)
		b.WriteString(s[:at])
		s = s[at:]
		end := strings.IndexAny(s, "/ '\"")
		if end < 0 {
			end = len(s)
		}
		if login := strings.LastIndexByte(s[:end], '@'); login >= 0 {
			s = s[login+1:]
		}
	}
}

// cut shortens what a remote says to maxSaid.
func cut(s string) string {
	if utf8.RuneCountInString(s) <= maxSaid {
		return s
	}
	return string([]rune(s)[:maxSaid]) + "…"
}
