package plumbing

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxName = 255
	maxPath = 4096
)

// CheckPath refuses what must not be a path in a tree: empty, absolute or
// relative components, anything that a file system may take for ".git",
// control characters, invalid UTF-8, backslashes.
func CheckPath(path string) error {
	if len(path) > maxPath {
		return fmt.Errorf("path %.100q is too long", path)
	}
	for name := range strings.SplitSeq(path, "/") {
		if fault := NameFault(name); fault != "" {
			return fmt.Errorf("path %.100q: component %.100q %s", path, name, fault)
		}
	}
	return nil
}

func NameFault(name string) string {
	switch {
	case name == "":
		return "is empty"
	case name == "." || name == "..":
		return "is relative"
	case len(name) > maxName:
		return "is too long"
	case strings.ContainsAny(name, "/\\"):
		return "contains a separator"
	case !utf8.ValidString(name):
		return "is not UTF-8"
	case IsDotGit(name):
		return "is reserved by git"
	}
	for _, c := range name {
		if unicode.IsControl(c) {
			return fmt.Sprintf("contains the control character %U", c)
		}
	}
	return ""
}

// IsDotGit reports ".git" in any of the spellings that NTFS and HFS+ take for it.
func IsDotGit(name string) bool {
	name = strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) {
			return -1 // HFS+ ignores these
		}
		return unicode.ToLower(c)
	}, name)
	name, _, _ = strings.Cut(name, ":") // NTFS streams
	name = strings.TrimRight(name, " .")
	return name == ".git" || name == "git~1"
}
