package redact

import (
	_ "embed" // for the rules
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// rule is how the secrets of one issuer look, as gitleaks describes them. Without one of
// some words, in small letters, in a text it finds nothing there.
type rule struct {
	id, pattern string
	// group is the part of a match that is the secret; 0: the first that is not
	// empty, else all of it.
	group int
	// least is how long a word, in bytes, every match holds.
	least int
	// entropy is what the secret must have more of, in bits a byte.
	entropy float64
	// allowed are patterns of what only looks like one.
	allowed []string
}

// The rules, one a line: what they know as people call it, words, least, group, entropy,
// pattern and allowed. gitleaks.tsv is written by scripts/redaction-rules.sh; own.tsv has
// forms that gitleaks has no rule for, or asks of more than people write.
//
//go:embed gitleaks.tsv
var gitleaksRules string

//go:embed own.tsv
var ownRules string

// keyword is a word, and the line of the rule that asks for it, which is taken apart where
// the word is met.
type keyword struct{ word, line string }

// keywords are those of all rules, the ones of a rule together. They are read when the
// first text is screened.
var keywords = sync.OnceValue(func() []keyword {
	all := make([]keyword, 0, 512)
	for _, rules := range []string{gitleaksRules, ownRules} {
		for line := range strings.Lines(rules) {
			_, rest, _ := strings.Cut(line, "\t")
			words, _, _ := strings.Cut(rest, "\t")
			for word := range strings.SplitSeq(words, ",") {
				if line[0] != '#' {
					all = append(all, keyword{word, line})
				}
			}
		}
	}
	return all
})

// readRule takes a line of the table apart; a test has read them all.
func readRule(line string) rule {
	f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
	r := rule{id: f[0], pattern: f[5], allowed: f[6:]}
	r.least, _ = strconv.Atoi(f[2])
	r.group, _ = strconv.Atoi(f[3])
	r.entropy, _ = strconv.ParseFloat(f[4], 64)
	return r
}

// A Redactor takes secrets out of texts. It compiles a rule's pattern when it is
// first needed, so one for many texts is cheaper than many. The zero Redactor
// is ready; it is not safe for concurrent use.
type Redactor struct{ compiled map[string]*regexp.Regexp }

// findByRules finds what the rules know, in texts that hold one of a rule's words and
// a word of the length that it takes: of other rules not even the pattern is compiled.
func (r *Redactor) findByRules(s string, found *spans) {
	longest := longestWord(s)
	const shortestSecret = 5
	if longest < shortestSecret {
		return
	}
	folded, tried := strings.ToLower(s), ""
	for _, k := range keywords() {
		if k.line == tried || !strings.Contains(folded, k.word) {
			continue
		}
		tried = k.line
		if of := readRule(k.line); of.least <= longest {
			r.findRule(of, s, found)
		}
	}
}

// longestWord is the length of the longest run without blanks.
func longestWord(s string) int {
	longest := 0
	for word := range strings.FieldsSeq(s) {
		longest = max(longest, len(word))
	}
	return longest
}

func (r *Redactor) findRule(of rule, s string, found *spans) {
	for _, m := range r.compile(of.pattern).FindAllStringSubmatchIndex(s, -1) {
		from, to := m[2*of.group], m[2*of.group+1]
		for g := 2; of.group == 0 && g < len(m); g += 2 {
			if m[g] >= 0 && m[g] < m[g+1] {
				from, to = m[g], m[g+1]
				break
			}
		}
		if from < 0 || !isSecret(s[from:to]) || of.entropy > 0 && entropy(s[from:to]) <= of.entropy ||
			r.allows(of, s[from:to]) {
			continue
		}
		found.add(from, to, of.id)
	}
}

func (r *Redactor) allows(of rule, secret string) bool {
	return slices.ContainsFunc(of.allowed, func(pattern string) bool { return r.compile(pattern).MatchString(secret) })
}

// compile compiles a pattern once; a test has compiled them all.
func (r *Redactor) compile(pattern string) *regexp.Regexp {
	if r.compiled == nil {
		r.compiled = make(map[string]*regexp.Regexp)
	}
	if r.compiled[pattern] == nil {
		r.compiled[pattern] = regexp.MustCompile(pattern)
	}
	return r.compiled[pattern]
}

// entropy is Shannon's, in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	var bits float64
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
