package task

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Bounds, in bytes.
const (
	MaxTitle  = 200
	MaxReason = 4096
	MaxText   = 1 << 20 // one document, report or conflict
	MaxItem   = 2048    // an acceptance criterion, a verification command
	MaxItems  = 1000    // criteria, commands, agents of one phase
	MaxName   = 64      // shown ids, agents
)

// OneLine reports whether s can stand in a line of a terminal: UTF-8, no
// control characters, not blank, at most max bytes.
func OneLine(s string, max int) bool {
	return len(s) <= max && strings.TrimSpace(s) != "" && utf8.ValidString(s) && !strings.ContainsFunc(s, IsControl)
}

// Paragraph is oneLine with line breaks and tabs, and may be empty.
func Paragraph(s string, max int) bool {
	return len(s) <= max && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && IsControl(r)
	})
}

// IsControl reports what steers a terminal or turns a text around: it is in no state,
// whoever made it. What merely shows nothing may be in what is named or
// quoted; see checkSeen.
func IsControl(r rune) bool {
	return invisible.Breaks(r) || invisible.Of(r) == invisible.Turn || r == 0xfeff
}

// ValidName reports whether s can name a phase or an agent, and so a directory, a file or
// the last part of a branch: [A-Za-z0-9][A-Za-z0-9._-]{0,63}, as far as git takes it.
func ValidName(s string) bool { return refPart(s, MaxName) }

func refPart(s string, limit int) bool {
	return wordOf(s, limit) && !strings.Contains(s, "..") && !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, ".lock")
}

// CheckName refuses what can't be a name.
func CheckName(s string) error {
	if ValidName(s) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q can't be a name", Clip(s, MaxName)),
		fmt.Sprintf("use letters, digits, '_', '-' and single dots, at most %d, and no '.lock' at its end", MaxName))
}

const (
	digits    = "0123456789"
	lowerCase = "abcdefghijklmnopqrstuvwxyz"
	upperCase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// wordOf reports whether s is a word of at most limit characters, which begins
// with a letter or a digit and has only those, dots, dashes and underscores.
func wordOf(s string, limit int) bool {
	return s != "" && len(s) <= limit && !strings.ContainsAny(s[:1], "._-") && hasOnly(s, lowerCase+upperCase+digits+"._-")
}

func hasOnly(s, those string) bool { return strings.Trim(s, those) == "" }

// ValidOID reports whether s is a full object id, SHA-1 or SHA-256.
func ValidOID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && hasOnly(s, digits+"abcdef")
}

func EmptyOrOID(s string) bool { return s == "" || ValidOID(s) }

// validType reports whether s can be a task's type; imports bring their own.
func validType(s string) bool {
	return s != "" && len(s) <= 32 && hasOnly(s[:1], lowerCase) && hasOnly(s, lowerCase+digits+"-")
}

// validBranch applies the rules of git check-ref-format --branch to a short
// name, and bounds it.
func validBranch(s string) bool {
	if s == "" || len(s) > 244 || s == "HEAD" || s == "@" || !utf8.ValidString(s) || s[0] == '-' ||
		strings.HasSuffix(s, ".") || strings.Contains(s, "..") || strings.Contains(s, "@{") ||
		strings.ContainsAny(s, " ~^:?*[\\") || strings.ContainsFunc(s, IsControl) {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// CleanTime returns s as RFC 3339 in UTC, or "" if it is no time.
func CleanTime(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// SecondsBetween is 0 where a time is missing, wrong, or before the other.
func SecondsBetween(from, to string) int64 {
	a, errA := time.Parse(time.RFC3339, from)
	b, errB := time.Parse(time.RFC3339, to)
	if errA != nil || errB != nil || b.Before(a) {
		return 0
	}
	return int64(b.Sub(a) / time.Second)
}

// maxPhases and maxDepends bound what one task can hold: each phase costs every
// fold.
const (
	MaxPhases  = 1000
	MaxDepends = 200 // phases that one depends on
)

// maxReports and maxKnowledge bound what one task can hold.
const (
	MaxReports   = 10_000
	MaxKnowledge = 100_000
)

func WithReason(s, reason string) string {
	if reason == "" {
		return s
	}
	return s + ": " + reason
}

// Sentence begins with an upper-case letter.
func Sentence(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }

func cell(s string) string { return strings.ReplaceAll(Inline(s), "|", `\|`) }

// Inline makes a text one line of Markdown that can't start anything else.
func Inline(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("<", "&lt;", "\\", "\\\\", "![", `!\[`).Replace(s)
}

// Clip cuts s to n bytes at a rune's edge.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// MaxSubject is how long a subject is meant to be at most, in runes.
const MaxSubject = 72

// InOneLine removes what a line can't hold.
func InOneLine(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		if IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "?"))), " ")
}

// SubjectPath is a path in one line, of which the end tells the most.
func SubjectPath(s string) string {
	s = InOneLine(s)
	if n := utf8.RuneCountInString(s); n > MaxSubject {
		s = "…" + string([]rune(s)[n-MaxSubject+1:])
	}
	return s
}

// SubjectLine removes what a line can't hold and cuts it.
func SubjectLine(s string) string {
	s = InOneLine(s)
	if utf8.RuneCountInString(s) <= MaxSubject {
		return s
	}
	cut := string([]rune(s)[:MaxSubject-1])
	if quotes := strings.Count(cut, `"`); quotes%2 == 1 {
		return strings.TrimSpace(string([]rune(s)[:MaxSubject-2])) + `…"`
	}
	return strings.TrimSpace(cut) + "…"
}

// Counted is "1 remark", "2 remarks".
func Counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
