package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/cli"
)

// TestManual compares docs/git-brew.1 with what the commands say of
// themselves; with -update it writes it.
func TestManual(t *testing.T) {
	prose, err := os.ReadFile(filepath.Join("..", "..", "docs", "man", "git-brew.1.in"))
	if err != nil {
		t.Fatal(err)
	}
	root := newRootCmd(&cli.Env{Out: io.Discard, Err: io.Discard})
	manual := strings.NewReplacer(
		"@OPTIONS@\n", roffFlags(root.PersistentFlags()),
		"@COMMANDS@\n", roffCommands(root),
		"@SETTINGS@\n", roffSettings(),
	).Replace(string(prose))
	_, manual, _ = strings.Cut(manual, ".TH ") // without the note to its editor
	manual = ".\\\" Written by 'make man' from docs/man/git-brew.1.in and the commands' own help.\n.TH " + manual

	path := filepath.Join("..", "..", "docs", "git-brew.1")
	if *update {
		if err := os.WriteFile(path, []byte(manual), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != manual {
		t.Errorf("docs/git-brew.1 is not what the commands say: run 'make man'")
	}
}

// TestManual_isSound asks a formatter, where there is one.
func TestManual_isSound(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "git-brew.1")
	for _, formatter := range [][]string{
		{"mandoc", "-T", "lint", "-W", "warning"},
		{"groff", "-man", "-ww", "-z", "-K", "utf8", "-T", "utf8"},
	} {
		if _, err := exec.LookPath(formatter[0]); err != nil {
			continue
		}
		out, err := exec.Command(formatter[0], append(formatter[1:], path)...).CombinedOutput()
		if err != nil || len(bytes.TrimSpace(out)) > 0 {
			t.Errorf("%s: %v\n%s", formatter[0], err, out)
		}
		return
	}
	t.Skip("neither mandoc nor groff is here")
}

// TestHelp_everyCommandExplainsItself: what is listed says what it does, in
// the form of git's own lists, and stands in a group.
func TestHelp_everyCommandExplainsItself(t *testing.T) {
	root := newRootCmd(&cli.Env{Out: io.Discard, Err: io.Discard})
	everyCommand(root, func(cmd *cobra.Command) {
		name := cmd.CommandPath()
		switch {
		case cmd.Short == "":
			t.Errorf("%s has no Short", name)
		case cmd.Short != strings.TrimSuffix(cmd.Short, ".") || strings.ToLower(cmd.Short[:1]) != cmd.Short[:1]:
			t.Errorf("%s: %q: begin small, end without a full stop", name, cmd.Short)
		case cmd.Parent() == root && cmd.GroupID == "":
			t.Errorf("%s is in no group", name)
		case !cmd.Runnable():
			t.Errorf("%s does nothing", name)
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			takes, isText := f.Value.Type() != "bool", f.Value.Type() == "string"
			switch {
			case f.Usage == "":
				t.Errorf("%s --%s has no description", name, f.Name)
			case takes && strings.Count(f.Usage, "`") != 2:
				t.Errorf("%s --%s: %q does not name what it takes", name, f.Name, f.Usage)
			case isText && !strings.Contains(f.Usage, f.DefValue):
				t.Errorf("%s --%s: %q does not say that it is %q else", name, f.Name, f.Usage, f.DefValue)
			}
		})
	})
}

// everyCommand visits the commands that people see.
func everyCommand(cmd *cobra.Command, visit func(*cobra.Command)) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			visit(sub)
			everyCommand(sub, visit)
		}
	}
}

func roffCommands(root *cobra.Command) string {
	var b strings.Builder
	for _, group := range root.Groups() {
		b.WriteString(".SS \"" + roff(strings.ToUpper(group.Title[:1])+group.Title[1:]) + "\"\n")
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID && cmd.IsAvailableCommand() {
				roffCommand(&b, cmd)
				everyCommand(cmd, func(sub *cobra.Command) { roffCommand(&b, sub) })
			}
		}
	}
	return b.String()
}

func roffCommand(b *strings.Builder, cmd *cobra.Command) {
	b.WriteString(".TP\n.B " + roff(usageLine(cmd)) + "\n")
	roffText(b, description(cmd))
	if cmd.Example != "" {
		b.WriteString(".sp\n")
		roffText(b, cmd.Example)
	}
	if cmd.LocalNonPersistentFlags().HasAvailableFlags() {
		b.WriteString(".RS\n" + roffFlags(cmd.LocalNonPersistentFlags()) + ".RE\n")
	}
}

func roffFlags(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			spelled, usage := spellFlag(f)
			b.WriteString(".TP\n.B " + roff(strings.TrimSpace(spelled)) + "\n" + roff(usage) + "\n")
		}
	})
	return b.String()
}

// roffSettings is the table of settings: what each is for, and what it is where
// nobody set it.
func roffSettings() string {
	var b strings.Builder
	for _, row := range config.AllSettings() {
		b.WriteString(".TP\n.B " + roff("brew."+string(row.Key)) + "\n")
		said := row.Help + "."
		if len(row.Choices) > 1 {
			said += " One of " + strings.Join(row.Choices, ", ") + "."
		}
		if len(row.Default) > 0 {
			said += " Default: " + strings.Join(row.Default, ", ") + "."
		}
		b.WriteString(roff(said) + "\n")
	}
	return b.String()
}

// roffText writes paragraphs; lines that are indented stay as they are.
func roffText(b *strings.Builder, text string) {
	verbatim := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indented := strings.HasPrefix(line, "  ")
		switch {
		case indented && !verbatim:
			b.WriteString(".nf\n")
		case !indented && verbatim:
			b.WriteString(".fi\n")
		case line == "":
			b.WriteString(".sp\n")
		}
		verbatim = indented
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(roff(line) + "\n")
		}
	}
	if verbatim {
		b.WriteString(".fi\n")
	}
}

// roff writes a line so that the formatter takes none of it for a request.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", `"`, `\(dq`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}
