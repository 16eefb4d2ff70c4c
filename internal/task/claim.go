package task

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// PhaseClaim says which worker took a phase, of several that work side by side.
// It stays until the phase is started again.
type PhaseClaim struct {
	UID    UID    `json:"uid" is:"uid"` // the operation that claimed it
	Worker string `json:"worker,omitempty" is:"name"`
	// Session and Fence are the lock's that the worker worked under.
	Session string `json:"session,omitempty" is:"session"`
	Fence   uint64 `json:"fence,omitempty"`
	At      string `json:"at" is:"time"`
}

// By names a claim's worker, for people.
func (c PhaseClaim) By() string {
	if c.Worker == "" && c.Session != "" {
		return "session " + ShortSession(c.Session)
	}
	return cmp.Or(c.Worker, "a worker")
}

// CleanSession is a session's name as it may stand in a state.
func CleanSession(s string) string {
	if OneLine(s, MaxTitle) {
		return s
	}
	return ""
}

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
