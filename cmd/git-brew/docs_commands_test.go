package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/cli"
)

const (
	commandsPage = "docs/reference/commands.md"
	settingsPage = "docs/using/settings.md"
)

// TestDocs_commands compares the page of commands with what they say of
// themselves; with -update it writes it.
func TestDocs_commands(t *testing.T) {
	compareGenerated(t, commandsPage, commandsText())
}

// TestDocs_settings compares the table of settings with the program's; with
// -update it writes it.
func TestDocs_settings(t *testing.T) {
	const begin, end = "<!-- settings -->\n", "<!-- /settings -->"
	page := readDoc(t, settingsPage)
	head, rest, ok := strings.Cut(page, begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the settings", settingsPage)
	}
	compareGenerated(t, settingsPage, head+begin+settingsText()+end+tail)
}

// compareGenerated compares a page with what it should be, and writes it with
// -update.
func compareGenerated(t *testing.T, page, want string) {
	t.Helper()
	path := filepath.Join("..", "..", page)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != want {
		t.Errorf("%s is not what the program says (%v): go test ./cmd/git-brew -run TestDocs -update", page, err)
	}
}

// commandsText is the page of commands, group by group.
func commandsText() string {
	root := newRootCmd(&cli.Env{Out: io.Discard, Err: io.Discard})
	var b strings.Builder
	b.WriteString("# Commands\n\n" +
		"This page is made of the commands' own help by\n" +
		"`go test ./cmd/git-brew -run TestDocs -update`; do not edit it.\n\n" +
		"## Options of every command\n\n" + optionsText(root.PersistentFlags()))
	for _, group := range root.Groups() {
		b.WriteString("\n## " + strings.ToUpper(group.Title[:1]) + group.Title[1:] + "\n")
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID && cmd.IsAvailableCommand() {
				b.WriteString(commandText(cmd, "###"))
				everyCommand(cmd, func(sub *cobra.Command) { b.WriteString(commandText(sub, "####")) })
			}
		}
	}
	return b.String()
}

func commandText(cmd *cobra.Command, heading string) string {
	text := "\n" + heading + " " + cmd.CommandPath() + "\n\n" + fence(usageLine(cmd)) +
		"\n" + markdownText(description(cmd))
	if cmd.Example != "" {
		text += "\n" + fence(strings.ReplaceAll("\n"+cmd.Example, "\n  ", "\n"))
	}
	if flags := cmd.LocalNonPersistentFlags(); flags.HasAvailableFlags() {
		text += "\n" + optionsText(flags)
	}
	return text
}

func optionsText(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			spelled, usage := spellFlag(f)
			b.WriteString("- `" + strings.TrimSpace(spelled) + "`: " + markdown(usage) + "\n")
		}
	})
	return b.String()
}

// markdownText writes paragraphs; lines that are indented become code.
func markdownText(text string) string {
	var b strings.Builder
	var code []string
	flush := func() {
		if len(code) > 0 {
			b.WriteString("\n" + fence(strings.Join(code, "\n")))
		}
		code = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "  ") {
			code = append(code, line[2:])
			continue
		}
		flush()
		b.WriteString(markdown(line) + "\n")
	}
	flush()
	return b.String()
}

func fence(text string) string { return "```\n" + strings.Trim(text, "\n") + "\n```\n" }

// markdown writes a line so that no reader takes any of it for a tag or for
// emphasis.
func markdown(line string) string {
	return strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "|", `\|`).Replace(line)
}

// settingsText is the table of settings: what each is for, and what it is where
// nobody set it.
func settingsText() string {
	var b strings.Builder
	b.WriteString("| setting | default | what it is for |\n|---|---|---|\n")
	for _, row := range config.AllSettings() {
		help := row.Help
		if len(row.Choices) > 1 {
			help += "; one of " + strings.Join(row.Choices, ", ")
		}
		b.WriteString("| `brew." + string(row.Key) + "` | " + markdown(strings.Join(row.Default, ", ")) +
			" | " + markdown(help) + " |\n")
	}
	return b.String()
}
