package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/hooks/claude"
)

// docs/using/record.md has each type of event once, as the program records it: its hooks,
// and fields that events have. 'git brew help events' says the same of each.
func TestDocs_registryOfEvents_BW31(t *testing.T) {
	page := readDoc(t, filepath.Join("docs", "using", "record.md"))
	_, rest, _ := strings.Cut(page, "<!-- registry -->\n")
	table, _, ok := strings.Cut(rest, "<!-- /registry -->")
	if !ok {
		t.Fatal("docs/using/record.md has no place for the registry")
	}
	help, err := helpPages.ReadFile("help/events.txt")
	if err != nil {
		t.Fatal(err)
	}
	fields := []string{
		"data.what", "data.from", "data.to", "data.holder", "data.detail", "data.outcome",
		"data.input_tokens", "data.output_tokens", "data.micro_usd",
	}
	typ := reflect.TypeFor[event.Event]()
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		fields = append(fields, name)
	}
	var names []string
	hooks := map[string]bool{}
	for _, row := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		name, when, of := strings.Trim(cells[0], "`"), cells[1], strings.ReplaceAll(cells[2], "`", "")
		names = append(names, name)
		for _, f := range strings.Split(of, ", ") {
			if !slices.Contains(fields, f) {
				t.Errorf("%s: events have no field %q", name, f)
			}
		}
		said, by, _ := strings.Cut(strings.TrimSuffix(when, ")"), " (")
		for _, hook := range strings.FieldsFunc(by, func(r rune) bool { return r == ',' || r == ' ' }) {
			if hooks[hook] || string(event.TypeOfHook(hook, "allow")) != name {
				t.Errorf("%s is recorded as %s, not as %s alone", hook, event.TypeOfHook(hook, "allow"), name)
			}
			hooks[hook] = true
		}
		said, _, _ = strings.Cut(said, ";")
		if line := fmt.Sprintf("  %-14s %s\n", name, said); !strings.Contains(string(help), line) {
			t.Errorf("help/events.txt lacks %q", line)
		}
	}
	if !slices.Equal(names, event.TypeNames()) {
		t.Errorf("docs/using/record.md has %q, the program %q", names, event.TypeNames())
	}
	for _, e := range claude.Events() {
		if !hooks[e] && event.TypeOfHook(e, "allow") != event.Other {
			t.Errorf("docs/using/record.md does not say what records %s", e)
		}
	}
}
