package knowledge

import (
	"slices"
	"strings"
)

// degree is how much two texts resemble each other.
type degree int

const (
	different degree = iota
	similar          // 40 to 70 percent of their words are shared, or they differ in what matters
	same             // more than 70 percent
)

// wordSet is the words of s, sorted, each once.
func wordSet(s string) []string {
	w := words(s)
	slices.Sort(w)
	return slices.Compact(w)
}

// likeness compares two word sets by the share of words they have in common.
// Texts that differ in a number or in a negation are never the same: the words
// are alike and the meaning is not.
func likeness(a, b []string) degree {
	shared := 0
	opposed := false
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case j == len(b) || i < len(a) && a[i] < b[j]:
			opposed = opposed || decisive(a[i])
			i++
		case i == len(a) || b[j] < a[i]:
			opposed = opposed || decisive(b[j])
			j++
		default:
			shared++
			i, j = i+1, j+1
		}
	}
	total := len(a) + len(b)
	switch {
	case total == 0:
		return different
	case 200*shared > 70*total && !opposed:
		return same
	case 200*shared >= 40*total:
		return similar
	}
	return different
}

// decisive reports words that turn the meaning of a text.
func decisive(word string) bool {
	switch word {
	case "not", "never", "no", "without", "avoid", "none", "cannot":
		return true
	}
	return strings.HasSuffix(word, "n't") || strings.ContainsAny(word, "0123456789")
}
