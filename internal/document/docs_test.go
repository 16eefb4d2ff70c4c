package document

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of rules in docs/using/documents.md")

const rulesPage = "../../docs/using/documents.md"

// docs/using/documents.md has the rules as they are.
func TestRules_page(t *testing.T) {
	raw, err := os.ReadFile(rulesPage)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("<!-- rules -->\n| rule | | wants |\n|---|---|---|\n")
	for _, r := range Rules() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.ID(), r.Severity, strings.ReplaceAll(r.Wants, "{NAME}", "`{NAME}`"))
	}
	b.WriteString("<!-- /rules -->")
	table := regexp.MustCompile(`(?s)<!-- rules -->.*<!-- /rules -->`)
	want := table.ReplaceAllLiteralString(string(raw), b.String())
	if want == string(raw) && strings.Contains(want, "<!-- rules -->") {
		return
	}
	if !*update {
		t.Fatal("docs/using/documents.md has other rules; 'go test ./internal/document -update' writes them")
	}
	if err := os.WriteFile(rulesPage, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}
