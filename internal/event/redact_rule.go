package event

import (
	"regexp"
	"strings"
)

// rule is how the secrets of one issuer look, as gitleaks describes them.
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

// ruleKeyword is a text, in small letters, without which a rule finds nothing.
type ruleKeyword struct {
	text string
	rule int
}

// A Redactor takes secrets out of texts. It compiles a rule's pattern when it is
// first needed, so one for many texts is cheaper than many. The zero Redactor
// is ready; it is not safe for concurrent use.
type Redactor struct {
	compiled map[string]*regexp.Regexp

	ready bool
	pairs [1 << 11]byte // a bit for each two bytes that a keyword begins with
	first [256]uint16   // of the keywords that begin with a byte
}

// prepare indexes the keywords, in a microsecond.
func (r *Redactor) prepare() {
	r.ready = true
	for i := len(ruleKeywords) - 1; i >= 0; i-- {
		k := ruleKeywords[i].text
		bit := pair(k[0], k[1])
		r.pairs[bit>>3] |= 1 << (bit & 7)
		r.first[k[0]] = uint16(i)
	}
}

// pair numbers two ASCII bytes; what is not ASCII shares the numbers.
func pair(a, b byte) uint { return uint(a&0x7f)<<7 | uint(b&0x7f) }

// findRules finds what the rules know, in texts that hold one of a rule's
// keywords and a word of the length that it takes: of other rules not even the
// pattern is compiled.
func (r *Redactor) findRules(s string, found *spans) {
	longest := longestWord(s)
	const shortestSecret = 8
	if longest < shortestSecret {
		return
	}
	if !r.ready {
		r.prepare()
	}
	var tried [len(rules)]bool
	for i := 0; i+1 < len(s); i++ {
		a, b := small(s[i]), small(s[i+1])
		bit := pair(a, b)
		if r.pairs[bit>>3]&(1<<(bit&7)) == 0 {
			continue
		}
		for _, k := range ruleKeywords[r.first[a]:] {
			if k.text[0] != a {
				break
			}
			if !tried[k.rule] && rules[k.rule].least <= longest && hasFold(s[i:], k.text) {
				tried[k.rule] = true
				r.findRule(&rules[k.rule], s, found)
			}
		}
	}
}

func small(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// longestWord is the length of the longest run without blanks.
func longestWord(s string) int {
	longest, now := 0, 0
	for i := range len(s) {
		if isSpace(s[i]) {
			now = 0
			continue
		}
		now++
		longest = max(longest, now)
	}
	return longest
}

func (r *Redactor) findRule(of *rule, s string, found *spans) {
	re := r.compile(of.pattern)
	if re == nil {
		return
	}
	for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
		from, to := m[2*of.group], m[2*of.group+1]
		for g := 2; of.group == 0 && g < len(m); g += 2 {
			if m[g] >= 0 && m[g] < m[g+1] {
				from, to = m[g], m[g+1]
				break
			}
		}
		if from < 0 || !secretText(s[from:to]) || of.entropy > 0 && entropy(s[from:to]) <= of.entropy || r.allows(of, s[from:to]) {
			continue
		}
		*found = append(*found, span{from: from, to: to, kind: of.id})
	}
}

func (r *Redactor) allows(of *rule, secret string) bool {
	for _, a := range of.allowed {
		if re := r.compile(a); re != nil && re.MatchString(secret) {
			return true
		}
	}
	return false
}

// compile is nil for a pattern that is none; a test has compiled them all.
func (r *Redactor) compile(pattern string) *regexp.Regexp {
	re, done := r.compiled[pattern]
	if !done {
		if r.compiled == nil {
			r.compiled = make(map[string]*regexp.Regexp)
		}
		re, _ = regexp.Compile(pattern)
		r.compiled[strings.Clone(pattern)] = re
	}
	return re
}
