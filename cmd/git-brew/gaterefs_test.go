package main

import (
	"testing"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/shellgate"
)

// The gate, which imports nothing of ours, means the refs that the ledger names.
func TestGate_BW48_knowsOurRefs(t *testing.T) {
	for _, ref := range []string{string(ledger.TaskRef("x")), string(ledger.ConfigRef), ledger.Prefix + "clones/x"} {
		if v := shellgate.Judge("git update-ref "+ref+" HEAD", shellgate.Options{}); v.Persons == nil {
			t.Errorf("an agent may move %s", ref)
		}
	}
}
