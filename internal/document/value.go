package document

import "strings"

// list parts a value at its commas; what stands in brackets behind an item is a
// remark. Nothing, and the words for it, are no items.
func list(value string) []string {
	return items(value, func(part string) string { return strings.Trim(bare(part), ".") })
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
			if part = strings.TrimRight(unwrapped(part), "."); !saysNothing(part) {
				all = append(all, pathText{part, false})
			}
		}
		begin = end + 1
	}
	return all
}

func items(value string, clean func(part string) string) []string {
	var all []string
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ';' }) {
		if part = clean(unremarked(part)); !saysNothing(part) {
			all = append(all, part)
		}
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

func saysNothing(part string) bool {
	switch strings.ToLower(part) {
	case "", "-", "–", "—", "none", "n/a", "nothing":
		return true
	}
	return false
}
