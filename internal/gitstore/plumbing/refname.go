package plumbing

import (
	"fmt"
	"strings"
)

// maxRefName keeps names within what file systems take for a path.
const maxRefName = 1000

// RefName is the full name of a ref, such as "refs/heads/main" or "HEAD".
type RefName string

// ParseRefName checks a full ref name by the rules of git check-ref-format. A
// name has at least two components, or is a pseudo-ref in capitals like HEAD.
func ParseRefName(s string) (RefName, error) {
	if reason := RefNameFault(s); reason != "" {
		return "", fmt.Errorf("ref name %.100q: %s", s, reason)
	}
	return RefName(s), nil
}

// BranchRef is the full name of a local branch.
func BranchRef(branch string) (RefName, error) {
	if strings.HasPrefix(branch, "-") || branch == "HEAD" {
		return "", fmt.Errorf("branch name %.100q: not allowed by git", branch)
	}
	return ParseRefName("refs/heads/" + branch)
}

// Branch is the short name of a local branch, and "" for any other ref.
func (n RefName) Branch() string {
	short, ok := strings.CutPrefix(string(n), "refs/heads/")
	if !ok {
		return ""
	}
	return short
}

func RefNameFault(s string) string {
	switch {
	case s == "":
		return "empty"
	case len(s) > maxRefName:
		return "too long"
	case !strings.Contains(s, "/") && !isPseudoRef(s):
		return "has only one component"
	case strings.Contains(s, ".."):
		return "contains \"..\""
	case strings.Contains(s, "@{"):
		return "contains \"@{\""
	case strings.HasSuffix(s, "."):
		return "ends with a dot"
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c == 0x7f || strings.IndexByte("~^:?*[\\", c) >= 0 {
			return fmt.Sprintf("contains %q", c)
		}
	}
	for part := range strings.SplitSeq(s, "/") {
		switch {
		case part == "":
			return "has an empty component"
		case strings.HasPrefix(part, "."):
			return "has a component that starts with a dot"
		case strings.HasSuffix(part, ".lock"):
			return "has a component that ends with \".lock\""
		case len(part) > 250:
			return "has a component that is too long"
		}
	}
	return ""
}

func isPseudoRef(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 'A' || c > 'Z') && c != '_' {
			return false
		}
	}
	return true
}

// PerWorktree tells whether each work tree has a ref of this name of its own.
func (n RefName) PerWorktree() bool {
	s := string(n)
	return !strings.HasPrefix(s, "refs/") || strings.HasPrefix(s, "refs/worktree/") ||
		strings.HasPrefix(s, "refs/bisect/") || strings.HasPrefix(s, "refs/rewritten/")
}
