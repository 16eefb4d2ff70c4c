package clone

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// TrustKind is what kind of thing runs, loosens or is said here only once this
// clone's person has trusted it.
type TrustKind string

// The kinds.
const (
	// TrustSetting is a shared setting, by its key and its values.
	TrustSetting TrustKind = "setting"
	// TrustCommand is a command that verifies a phase, by its text.
	TrustCommand TrustKind = "command"
	// TrustHook is a program around a step, TrustWorkflow a text that an agent
	// follows for a step or around it: by their place and their bytes.
	TrustHook     TrustKind = "hook"
	TrustWorkflow TrustKind = "workflow"
	// TrustPipeline is the shared pipeline, by its text.
	TrustPipeline TrustKind = "pipeline"
	// TrustConstraints are a plan's constraints for agents, by their text.
	TrustConstraints TrustKind = "constraints"
)

// Content is something to be trusted, by what it is: wherever it comes from,
// and whoever wrote it. Changed in the least, it is another one.
type Content struct {
	Kind TrustKind `json:"kind"`
	// Key is the setting's, in lower case; "" for a command; the place of what is
	// around a step.
	Key  string   `json:"key,omitempty"`
	Text []string `json:"text"` // the values; the command; a file's lines
}

// Hash names the content. Each part goes in with its length: no two contents
// look alike.
func (c Content) Hash() string {
	sum := sha256.New()
	for _, part := range append([]string{string(c.Kind), c.Key}, c.Text...) {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// TrustDigits is how many digits of a hash lists show, and how many name a
// content at least. Whoever can choose a text can make its hash begin like
// another one's, with work that doubles with each bit.
const TrustDigits = 12

// ShortTrust is a hash as people see and type it.
func ShortTrust(hash string) string { return hash[:min(TrustDigits, len(hash))] }
