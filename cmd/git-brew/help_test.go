package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ui"
)

// Every command's help fits a terminal of 80 columns.
func TestHelp_fitsTheTerminal(t *testing.T) {
	e, out, _ := testEnv()
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		out.Reset()
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > ui.DefaultWidth {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), utf8.RuneCountInString(line), line)
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRootCmd(e))
}

// Every page is a command's, every section a command that there is, and a command that
// acts is told of. The page of events names each type, in the registry's words.
func TestHelp_pagesAreOfCommands(t *testing.T) {
	told := map[string]bool{}
	everyCommand(newRootCmd(&cli.Env{}), func(cmd *cobra.Command) {
		if cmd.Long+cmd.Example != "" {
			told[strings.TrimPrefix(cmd.CommandPath(), "git brew ")] = true
		}
	})
	pages, err := helpPages.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := helpPages.ReadFile("help/" + page.Name())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			name, section := strings.CutPrefix(strings.TrimSpace(line), "== ")
			if first, _, _ := strings.Cut(name, " "); section && (!told[name] || first+".txt" != page.Name()) {
				t.Errorf("%s tells of %q, which is no command there", page.Name(), name)
			}
		}
	}
}
