package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/event"
)

// TestDocs_registryOfEvents keeps docs/using/record.md's table what the registry says;
// -update writes it.
func TestDocs_registryOfEvents(t *testing.T) {
	const begin, end = "<!-- registry -->\n", "<!-- /registry -->"
	file := filepath.Join("docs", "using", "record.md")
	page := readDoc(t, file)
	head, rest, ok := strings.Cut(page, begin)
	_, tail, also := strings.Cut(rest, end)
	if !ok || !also {
		t.Fatalf("%s has no place for the registry", file)
	}
	var b strings.Builder
	b.WriteString("| type | when | fields of its own |\n|---|---|---|\n")
	for _, k := range event.Kinds() {
		when := k.When
		if len(k.Hooks) > 0 {
			when += " (" + strings.Join(k.Hooks, ", ") + ")"
		}
		fields := make([]string, len(k.Fields))
		for i, f := range k.Fields {
			fields[i] = "`" + f + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Type, when, strings.Join(fields, ", "))
	}
	want := head + begin + b.String() + end + tail
	if page == want {
		return
	}
	if !*update {
		t.Errorf("%s says something else than event.Kinds; go test ./cmd/git-brew -run TestDocs_registryOfEvents -update",
			file)
		return
	}
	if err := os.WriteFile(filepath.Join("..", "..", file), []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}
