// Package redact takes out of texts what looks like a secret, or tells where it stands.
//
// Three things know one: the rules of gitleaks (gitleaks.tsv, which a script writes), a few
// forms that those lack (own.tsv), and the name that a value has (named.go): a password,
// secret, token or key. It errs towards redacting. What was redacted stays so: doing it
// again changes nothing.
package redact

import (
	"slices"
	"strings"
)

// Mark stands where a secret was.
const Mark = "[redacted]"

// Secret is something in a text that looks like a secret.
type Secret struct {
	Line int    // counted from 1
	Kind string // what it looks like: "value of a password", or the name of gitleaks' rule
	Text string
}

// Text returns s without what looks like a secret.
func Text(s string) string { return new(Redactor).Text(s) }

// Text returns s without what looks like a secret.
func (r *Redactor) Text(s string) string {
	// What is taken out brings words together that were apart: a name may now
	// stand near enough to a key. Twice is usual, the bound is for hostile text.
	for range 8 {
		next := r.once(s)
		if next == s {
			break
		}
		s = next
	}
	return s
}

func (r *Redactor) once(s string) string {
	found := r.find(s)
	if len(found) == 0 {
		return s
	}
	var b strings.Builder
	end := 0
	for i := 0; i < len(found); {
		from, to := found[i].from, found[i].to
		for i++; i < len(found) && found[i].from <= to; i++ {
			to = max(to, found[i].to)
		}
		b.WriteString(s[end:from])
		b.WriteString(Mark)
		end = to
	}
	b.WriteString(s[end:])
	return b.String()
}

// Secrets lists what looks like a secret in a text, one a line. It finds what Text
// takes out.
func (r *Redactor) Secrets(s string) []Secret {
	var secrets []Secret
	for _, f := range r.find(s) {
		one := Secret{Line: 1 + strings.Count(s[:f.from], "\n"), Kind: f.kind, Text: s[f.from:f.to]}
		if n := len(secrets); n > 0 && secrets[n-1].Line == one.Line {
			continue // one a line says where to look
		}
		secrets = append(secrets, one)
	}
	return secrets
}

// find finds what looks like a secret, in the order of the text.
func (r *Redactor) find(s string) spans {
	var found spans
	r.findByRules(s, &found)
	findURLs(s, &found)
	if secretWordIn(s) {
		findNamed(s, &found)
		findRandom(s, &found)
	}
	slices.SortStableFunc(found, func(a, b span) int { return a.from - b.from })
	return found
}

// span is a secret: s[from:to], of a kind, as people call it.
type span struct {
	from, to int
	kind     string
}

type spans []span

func (f *spans) add(from, to int, kind string) { *f = append(*f, span{from, to, kind}) }

// findURLs finds credentials before the host of a URL. A short name alone, such as
// git, is none.
func findURLs(s string, found *spans) {
	const sep = "://"
	for at := 0; ; {
		i := strings.Index(s[at:], sep)
		if i < 0 {
			return
		}
		at += i + len(sep)
		host := at
		for host < len(s) && !isSpace(s[host]) && !strings.ContainsRune(`/?#"'<>`+"`", rune(s[host])) {
			host++
		}
		user := max(0, strings.LastIndexByte(s[at:host], '@'))
		if name := s[at : at+user]; name != Mark && (strings.Contains(name, ":") || len(name) > 16) {
			found.add(at, at+user, "credentials in an address")
		}
	}
}

// A charset reports the bytes that a word is made of.
type charset func(byte) bool

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func alnum(c byte) bool { return isDigit(c) || small(c) >= 'a' && small(c) <= 'z' }

func dotted(c byte) bool { return alnum(c) || c == '_' || c == '-' || c == '.' }

func base64(c byte) bool { return dotted(c) && c != '.' || c == '+' || c == '/' || c == '=' }

func small(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// run is the end of the bytes of set that begin at i.
func run(s string, i int, set charset) int {
	for i < len(s) && set(s[i]) {
		i++
	}
	return i
}

// hasFold is strings.HasPrefix for letters of either case.
func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
