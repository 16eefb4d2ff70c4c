package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mermaid draws the graph as Mermaid's flowcharts are written, fit for a fenced
// block in Markdown that GitHub draws.
func (g Graph) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for i, n := range g.Nodes {
		fmt.Fprintf(&b, "  n%d[\"%s\"]:::%s\n", i, mermaidLabel(n.label()), n.class())
	}
	for _, e := range g.Edges {
		if e.Kind == EdgeDepends {
			fmt.Fprintf(&b, "  n%d --> n%d\n", e.From, e.To)
		} else {
			fmt.Fprintf(&b, "  n%d -.->|%s| n%d\n", e.From, strings.ReplaceAll(string(e.Kind), "_", " "), e.To)
		}
	}
	for _, c := range classes() {
		fmt.Fprintf(&b, "  classDef %s stroke:%s\n", c.name, c.colour)
	}
	return b.String()
}

// classes are the states' colours; the markers say the same.
func classes() []struct{ name, colour string } {
	return []struct{ name, colour string }{
		{"done", "#2da44e"},
		{"busy", "#0969da"},
		{"review", "#bf8700"},
		{"failed", "#cf222e"},
		{"open", "#8c959f"},
		{"dropped", "#d0d7de"},
	}
}

// mermaidLabel writes a text so that Mermaid shows it and reads nothing in it: what
// is no letter, digit, mark or blank, nor one of ".,-", is the number of its
// character.
func mermaidLabel(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		if strings.ContainsRune(" .,-", r) || r >= utf8.RuneSelf && unicode.IsPrint(r) ||
			r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// DOT draws the graph in the language of Graphviz.
func (g Graph) DOT() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=TB;\n  node [shape=box];\n", dotText(Safe(g.Name)))
	colours := map[string]string{}
	for _, c := range classes() {
		colours[c.name] = c.colour
	}
	for i, n := range g.Nodes {
		fmt.Fprintf(&b, "  n%d [label=%s, color=%s];\n", i, dotText(n.label()), dotText(colours[n.class()]))
	}
	for _, e := range g.Edges {
		if e.Kind == EdgeDepends {
			fmt.Fprintf(&b, "  n%d -> n%d;\n", e.From, e.To)
		} else {
			fmt.Fprintf(&b, "  n%d -> n%d [style=dashed, label=%s];\n", e.From, e.To,
				dotText(strings.ReplaceAll(string(e.Kind), "_", " ")))
		}
	}
	return b.String() + "}\n"
}

// dotText is a text in quotes. A backslash would begin what Graphviz replaces, and
// an ampersand a character of HTML.
func dotText(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;", "\n", " ", "\r", " ", "\x00",
		"").Replace(strings.ToValidUTF8(text, "\uFFFD")) + `"`
}
