package document

import (
	"slices"
	"strings"
)

// list parts a value at its commas; what stands in brackets behind an item is a
// remark. Nothing, and the words for it, are no items.
func list(value string) []string {
	var all []string
	for part := range strings.FieldsFuncSeq(value, isAny(",;")) {
		if part = strings.Trim(bare(unremarked(part)), "."); !isNothing(part) {
			all = append(all, part)
		}
	}
	return all
}

// pathList is list for paths, in which stars and dots mean something: an item is
// what stands in its code, where it has some, commas and all.
func pathList(value string) []pathText {
	var all []pathText
	rest := plain(value) // without code and comments, byte for byte
	for begin := 0; begin <= len(rest); {
		end := len(rest)
		if at := strings.IndexAny(rest[begin:], ",;"); at >= 0 {
			end = begin + at
		}
		part := value[begin:end]
		if inside, _, ok := codeIn(part); ok {
			all = append(all, pathText{inside, true})
		} else if part = unremarked(part); part != "" {
			if part = strings.TrimRight(unwrapped(part), "."); !isNothing(part) {
				all = append(all, pathText{part, false})
			}
		}
		begin = end + 1
	}
	return all
}

// unremarked is an item without what is remarked behind it.
func unremarked(part string) string {
	part = strings.TrimSpace(part)
	if at := strings.Index(part, " ("); at > 0 {
		part = part[:at]
	}
	before, _, _ := strings.Cut(part, " — ")
	return before
}

// isNothing reports the ways in which people say that there is nothing to say.
func isNothing(s string) bool {
	switch strings.ToLower(strings.Trim(bare(s), ".-–— ")) {
	case "", "none", "n/a", "nothing", "not applicable":
		return true
	}
	return false
}

// once are the values without those that were there before.
func once[T comparable](all []T) []T { return onceBy(all, func(v T) T { return v }) }

// onceBy are the values without those whose keys others had before them.
func onceBy[T any, K comparable](all []T, key func(T) K) []T {
	seen := map[K]bool{}
	return slices.DeleteFunc(all, func(v T) bool {
		k := key(v)
		again := seen[k]
		seen[k] = true
		return again
	})
}

// without are the values that are not among others.
func without[T comparable](all, others []T) []T {
	among := map[T]bool{}
	for _, v := range others {
		among[v] = true
	}
	return slices.DeleteFunc(all, func(v T) bool { return among[v] })
}
