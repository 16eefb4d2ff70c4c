package task

import (
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const (
	maxSlug    = 64
	tailLength = 7
	// tailLetters are lower-case base32 without what looks alike.
	tailLetters = "abcdefghijkmnpqrstuvwxyz23456789"
)

// ErrInvalidID is returned for what can't be a task's id.
var ErrInvalidID = errors.New("not a task id")

// ErrAmbiguous is wrapped by AmbiguousError.
var ErrAmbiguous = errors.New("ambiguous")

// Slugify makes the readable part of an id from a title: lower case,
// [a-z0-9][a-z0-9._-]*, at most 64 bytes, a component of a ref by git's rules.
// Accented Latin letters lose their accents; a title with no letter of that
// kind still gives a slug, the same one each time. What is no title is refused.
func Slugify(title string) (string, error) {
	if err := CheckTitle(title); err != nil {
		return "", err
	}
	return slugOf(title), nil
}

func slugOf(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_':
			b.WriteRune(r)
		case r > unicode.MaxASCII && plainLetter(r) != "":
			b.WriteString(plainLetter(r))
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r):
		default:
			b.WriteByte('-')
		}
	}
	// One separator of several in a row: a dash if there is one.
	s := regexp.MustCompile(`[._]*-[-._]*`).ReplaceAllString(b.String(), "-")
	s = regexp.MustCompile(`([._])[._]+`).ReplaceAllString(s, "$1")
	if s = strings.TrimLeft(s, "-._"); len(s) > maxSlug {
		s = s[:maxSlug]
		if i := strings.LastIndexByte(s, '-'); i > maxSlug/2 { // at a dash where one is near
			s = s[:i]
		}
	}
	s = regexp.MustCompile(`([-._]|\.lock)+$`).ReplaceAllString(s, "")
	if s == "" {
		h := fnv.New32a()
		h.Write([]byte(title))
		return fmt.Sprintf("task-%08x", h.Sum32())
	}
	return s
}

// plainLetter spells a letter that is usual in titles with letters that slugs
// have, or returns "".
func plainLetter(r rune) string {
	for spelled := range strings.FieldsSeq(plainLetters) {
		if strings.ContainsRune(spelled, r) {
			return strings.TrimRightFunc(spelled, func(r rune) bool { return r > unicode.MaxASCII })
		}
	}
	return ""
}

// plainLetters are the letters of slugs, each with the accented ones that it stands for.
const plainLetters = `
	aàáâãäåāăą aeæ cçćĉċč dďđð eèéêëēĕėęě gĝğġģ hĥ
	iìíîïĩīĭįı jĵ kķ lĺļľł nñńņň oòóôõöōŏőø
	oeœ rŕŗř sśŝşšș ssß tţťț thþ uùúûüũūŭůűų wŵ yýÿŷ zźżž`

// validSlug reports whether s is what Slugify returns for some title.
func validSlug(s string) bool {
	return refPart(s, maxSlug) && !strings.ContainsAny(s, upperCase)
}

// NewID draws the id of a new task from random, usually crypto/rand.Reader.
func NewID(slug string, random io.Reader) (ID, error) {
	if !validSlug(slug) {
		return "", fmt.Errorf("%w: slug %q", ErrInvalidID, Clip(slug, maxSlug))
	}
	if random == nil {
		random = rand.Reader
	}
	var b [tailLength]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("draw a task id: %w", err)
	}
	for i := range b {
		b[i] = tailLetters[b[i]%byte(len(tailLetters))]
	}
	return ID(slug + "-" + string(b[:])), nil
}

// ParseID checks the form of an id: a slug, a dash, seven characters [a-z0-9].
func ParseID(s string) (ID, error) {
	n := len(s) - tailLength - 1
	if n < 1 || s[n] != '-' || !validSlug(s[:n]) || !hasOnly(s[n+1:], lowerCase+digits) {
		return "", fmt.Errorf("%w: %q", ErrInvalidID, Clip(s, maxSlug+tailLength+1))
	}
	return ID(s), nil
}

// AmbiguousError lists the tasks that a prefix could mean.
type AmbiguousError struct {
	Arg        string
	Candidates []ID
}

func (e *AmbiguousError) Error() string {
	names := make([]string, 0, len(e.Candidates))
	for _, id := range e.Candidates {
		names = append(names, string(id))
	}
	if more := len(names) - 5; more > 0 {
		names = append(names[:5], fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%q could be %s; type more of it", e.Arg, strings.Join(names, ", "))
}

// Unwrap returns ErrAmbiguous.
func (e *AmbiguousError) Unwrap() error { return ErrAmbiguous }

// Match returns the task of ids that arg names: an exact id, else the one with
// that slug, else the one that starts so. None: ErrNoTask. Several: an
// *AmbiguousError with the candidates in order.
func Match(ids []ID, arg string) (ID, error) {
	if slices.Contains(ids, ID(arg)) {
		return ID(arg), nil
	}
	bySlug := func(id ID) bool { return id.Slug() == arg }
	byPrefix := func(id ID) bool { return arg != "" && strings.HasPrefix(string(id), arg) }
	for _, fits := range []func(ID) bool{bySlug, byPrefix} {
		var found []ID
		for _, id := range ids {
			if fits(id) {
				found = append(found, id)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			slices.Sort(found)
			return "", &AmbiguousError{Arg: arg, Candidates: found}
		}
	}
	return "", fmt.Errorf("%w: %q; see 'git brew list --all'", ErrNoTask, Clip(arg, maxSlug+tailLength+1))
}
