package dialect

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// Where a client can't ask, the reason says why the call was refused, and asks nothing.
func TestRefusing_saysNothingOfAsking(t *testing.T) {
	for reason, want := range map[string]string{
		"Twice." + protocol.IfAgreed + ".":                         "Twice.",
		"Odd." + protocol.IfAgreed + "; the user switches with X.": "Odd. The user switches with X.",
		"Odd." + protocol.IfAgreed + ". A hint.":                   "Odd. A hint.",
		"Not checked." + protocol.IsItRight:                        "Not checked.",
		"Cut." + protocol.IfAgreed:                                 "Cut.",
		"Another.":                                                 "Another.",
	} {
		r := refusing(protocol.Ask(reason))
		if said, found := strings.CutSuffix(r.PermReason, "Ask them yourself. "+want); r.Permission != protocol.Denied ||
			!found || !strings.HasSuffix(said, "so the call was refused. ") {
			t.Errorf("%q: %q", reason, r.PermReason)
		}
	}
}
