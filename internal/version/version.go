// Package version reads versions and ranges of versions. It compiles no expression, so
// that a hook that needs neither pays for none.
package version

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Version is a version by the rules of semver.org, without what was said of its build.
type Version struct {
	Numbers [3]uint64 // major, minor, patch
	Pre     string    // of one before its release, such as "rc.1"
	Given   int       // how many of the numbers were written
}

// Parse reads a version, as "1.2.3", "v1.2" or "2".
func Parse(text string) (v Version, ok bool) {
	text, build, hasBuild := strings.Cut(strings.TrimPrefix(text, "v"), "+")
	text, pre, hasPre := strings.Cut(text, "-")
	v, ok = parseNumbers(text)
	v.Pre = pre
	return v, ok && (!hasPre || isLabel(pre)) && (!hasBuild || isLabel(build))
}

// parseNumbers reads up to three numbers, with points between.
func parseNumbers(text string) (v Version, ok bool) {
	for part := range strings.SplitSeq(text, ".") {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil || len(part) > 1 && part[0] == '0' || part[0] == '+' || v.Given == len(v.Numbers) {
			return Version{}, false
		}
		v.Numbers[v.Given] = n
		v.Given++
	}
	return v, true
}

// isLabel reports words of letters, digits and hyphens, with points between.
func isLabel(text string) bool {
	for word := range strings.SplitSeq(text, ".") {
		if word == "" || strings.ContainsFunc(word, func(c rune) bool {
			return c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
		}) {
			return false
		}
	}
	return true
}

// String is the version with all its numbers.
func (v Version) String() string {
	words := make([]string, len(v.Numbers))
	for i, n := range v.Numbers {
		words[i] = strconv.FormatUint(n, 10)
	}
	text := strings.Join(words, ".")
	if v.Pre != "" {
		text += "-" + v.Pre
	}
	return text
}

// Newer reports whether v comes after another version. One before its release is older
// than the release, and no newer than another one before it.
func (v Version) Newer(than Version) bool {
	if c := slices.Compare(v.Numbers[:], than.Numbers[:]); c != 0 {
		return c > 0
	}
	return v.Pre == "" && than.Pre != ""
}

// Range is a set of released versions: of one of these groups all spans.
type Range [][]span

// span is what is not below the first version, and below the second; or what is not.
type span struct {
	from, below [3]uint64
	not         bool
}

// Has reports whether a version is in the range; one before its release is in none.
func (r Range) Has(v Version) bool {
	return v.Pre == "" && slices.ContainsFunc(r, func(group []span) bool {
		return !slices.ContainsFunc(group, func(s span) bool {
			within := slices.Compare(v.Numbers[:], s.from[:]) >= 0 && slices.Compare(v.Numbers[:], s.below[:]) < 0
			return within == s.not
		})
	})
}

const operators = "=!<>^~"

// ParseRange reads a range: versions behind =, !=, <, <=, >, >=, ^ (up to the next that
// breaks) or ~ (up to the next minor one), all of which hold, with || between groups of
// them. A version of fewer numbers than three, or with x or * in their place, stands for
// all that begin so.
func ParseRange(text string) (r Range, ok bool) {
	for alternative := range strings.SplitSeq(text, "||") {
		var group []span
		rest := strings.Trim(alternative, " ,")
		for rest != "" {
			behind := strings.TrimLeft(rest, operators)
			operator := rest[:len(rest)-len(behind)]
			behind = strings.TrimLeft(behind, " ")
			end := strings.IndexAny(behind+" ", " ,"+operators)
			s, ok := parseSpan(operator, behind[:end])
			if !ok {
				return nil, false
			}
			group = append(group, s)
			rest = strings.TrimLeft(behind[end:], " ,")
		}
		if group == nil {
			return nil, false
		}
		r = append(r, group)
	}
	return r, true
}

func parseSpan(operator, text string) (s span, ok bool) {
	text = strings.TrimPrefix(text, "v")
	for strings.HasSuffix(text, ".x") || strings.HasSuffix(text, ".X") || strings.HasSuffix(text, ".*") {
		text = text[:len(text)-2]
	}
	every := span{below: [3]uint64{math.MaxUint64}}
	if text == "x" || text == "X" || text == "*" {
		return every, operator == "" || operator == "="
	}
	v, ok := parseNumbers(text)
	if !ok {
		return span{}, false
	}
	// next is the first that is past all that begin with the numbers up to one.
	next := func(last int) [3]uint64 {
		var n [3]uint64
		copy(n[:], v.Numbers[:last+1])
		n[last]++
		return n
	}
	last := v.Given - 1
	s = span{from: v.Numbers, below: next(last)}
	switch operator {
	case "", "=":
	case "!=":
		s.not = true
	case "<":
		s = span{below: v.Numbers}
	case "<=":
		s.from = [3]uint64{}
	case ">":
		s = span{from: s.below, below: every.below}
	case ">=":
		s.below = every.below
	case "~":
		s.below = next(min(last, 1))
	case "^":
		s.below = next(slices.IndexFunc(append(v.Numbers[:last:last], 1), func(n uint64) bool { return n > 0 }))
	default:
		return span{}, false
	}
	return s, true
}
