package task

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// SessionName returns id if it may stand in a ref, a file's name or a line as it
// is, and a name made of its hash if not. Whatever says which session it is
// gives its id through this, so that all mean the same one. A name stays as it
// is.
func SessionName(id string) string {
	if id == "" || safeSession(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "x-" + hex.EncodeToString(sum[:16])
}

func safeSession(id string) bool {
	return wordOf(id, 128) && !strings.Contains(id, "..") && !strings.HasSuffix(id, ".") && !strings.HasSuffix(id, ".lock")
}

// ShortSession is how a session's id is shown: its first eight characters.
func ShortSession(id string) string {
	if r := []rune(SubjectLine(id)); len(r) > 8 {
		return string(r[:8])
	}
	return SubjectLine(id)
}
