package shellgate

import (
	"strings"
	"testing"
)

// TestTables_oneRowForEachCommand: the second of two would never be found.
func TestTables_oneRowForEachCommand(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range tables() {
		for _, r := range table {
			for name := range strings.SplitSeq(r.names, ",") {
				name = strings.TrimSpace(name)
				if seen[name] {
					t.Errorf("%q has two rows", name)
				}
				seen[name] = true
			}
		}
	}
}
