package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLabel is how much of a title stands in a drawing, in columns.
const maxLabel = 60

// label is what a node is called in a drawing.
func (n GraphNode) label() string {
	return Style{}.PhaseMark(n.Phase) + " " + Safe(n.Phase.ID) + " " + Truncate(Safe(n.Phase.Title), maxLabel)
}

// Mermaid draws the graph as Mermaid's flowcharts are written, fit for a fenced
// block in Markdown that GitHub draws.
func (g Graph) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for i, n := range g.Nodes {
		fmt.Fprintf(&b, "  n%d[\"%s\"]:::%s\n", i, mermaidLabel(n.label()), lookOf(n.Phase.Status).name)
	}
	for _, e := range g.Edges {
		if e.Kind == DependsOn {
			fmt.Fprintf(&b, "  n%d --> n%d\n", e.From, e.To)
		} else {
			fmt.Fprintf(&b, "  n%d -.->|%s| n%d\n", e.From, Words(e.Kind), e.To)
		}
	}
	for _, s := range phaseLooks {
		fmt.Fprintf(&b, "  classDef %s stroke:%s\n", s.name, s.colour)
	}
	return b.String()
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
	for i, n := range g.Nodes {
		colour := lookOf(n.Phase.Status).colour
		fmt.Fprintf(&b, "  n%d [label=%s, color=%s];\n", i, dotText(n.label()), dotText(colour))
	}
	for _, e := range g.Edges {
		style := Either(e.Kind == DependsOn, "", " [style=dashed, label="+dotText(Words(e.Kind))+"]")
		fmt.Fprintf(&b, "  n%d -> n%d%s;\n", e.From, e.To, style)
	}
	return b.String() + "}\n"
}

// dotText is a text in quotes, of what Safe leaves. A backslash would begin what Graphviz
// replaces, and an ampersand a character of HTML.
func dotText(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;").Replace(text) + `"`
}
