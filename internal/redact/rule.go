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

// table has all rules, and finds them by their words. It is made when the first text is
// screened.
var (
	table     ruleTable
	makeTable sync.Once
)

type ruleTable struct {
	lines    []string      // each is taken apart where one of its words is met
	keywords []keyword     // of all rules; the first is none
	first    [256]uint16   // a keyword that begins with a byte
	pairs    [1 << 11]byte // a bit for each two bytes that a keyword begins with
}

// keyword is a rule's word, and the next one with the same first byte.
type keyword struct {
	text       string
	line, next uint16
}

func theTable() *ruleTable {
	makeTable.Do(func() {
		table.lines, table.keywords = make([]string, 0, 256), make([]keyword, 1, 512)
		table.add(gitleaksRules)
		table.add(ownRules)
	})
	return &table
}

func (t *ruleTable) add(lines string) {
	for line := range strings.Lines(lines) {
		if line[0] == '#' {
			continue
		}
		_, rest, _ := strings.Cut(line, "\t")
		words, _, _ := strings.Cut(rest, "\t")
		for more := true; more; {
			var word string
			word, words, more = strings.Cut(words, ",")
			bit := pair(word[0], word[1])
			t.pairs[bit>>3] |= 1 << (bit & 7)
			t.keywords = append(t.keywords, keyword{word, uint16(len(t.lines)), t.first[word[0]]})
			t.first[word[0]] = uint16(len(t.keywords) - 1)
		}
		t.lines = append(t.lines, line)
	}
}

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

// pair numbers two ASCII bytes; what is not ASCII shares the numbers.
func pair(a, b byte) uint { return uint(a&0x7f)<<7 | uint(b&0x7f) }

// findByRules finds what the rules know, in texts that hold one of a rule's words and
// a word of the length that it takes: of other rules not even the pattern is compiled.
func (r *Redactor) findByRules(s string, found *spans) {
	longest := longestWord(s)
	const shortestSecret = 5
	if longest < shortestSecret {
		return
	}
	known := theTable()
	tried := make([]bool, len(known.lines))
	for i := 0; i+1 < len(s); i++ {
		a, b := small(s[i]), small(s[i+1])
		bit := pair(a, b)
		if known.pairs[bit>>3]&(1<<(bit&7)) == 0 {
			continue
		}
		for n := known.first[a]; n > 0; n = known.keywords[n].next {
			k := &known.keywords[n]
			if tried[k.line] || !hasFold(s[i:], k.text) {
				continue
			}
			tried[k.line] = true
			if of := readRule(known.lines[k.line]); of.least <= longest {
				r.findRule(of, s, found)
			}
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
