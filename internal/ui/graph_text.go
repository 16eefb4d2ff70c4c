package ui

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// maxWaits is how many of the phases that one waits for are named.
const maxWaits = 6

// Text draws the graph for a terminal of some width: a line for each phase, those
// that belong to one below it, and at the end what it waits for. Where something
// has to be done first stands "then": what follows comes after what is above.
func (g Graph) Text(style Style, width int) string {
	titles := make([]string, len(g.Nodes))
	heads := make([]string, len(g.Nodes))
	ends := make([]string, len(g.Nodes))
	headWidth, endWidth := 0, 0
	escalated := slices.ContainsFunc(g.Nodes, func(n GraphNode) bool { return n.Escalated })
	for i, n := range g.Nodes {
		heads[i] = g.branch(i) + style.Mark(n.Mark)
		switch {
		case n.Escalated:
			heads[i] += style.Mark(MarkEscalated)
		case escalated:
			heads[i] += " "
		}
		heads[i] += " " + style.Bright(Safe(n.Phase.ID))
		titles[i] = Safe(n.Phase.Title)
		ends[i] = g.waits(n)
		headWidth, endWidth = max(headWidth, Width(heads[i])), max(endWidth, Width(ends[i]))
	}
	const gutter, gap, least = 6, 2, 12
	headWidth = min(headWidth, max(0, width/2))
	endWidth = min(endWidth, max(0, width-gutter-headWidth-gap-least-gap))
	titleWidth := 0
	for _, title := range titles {
		titleWidth = max(titleWidth, Width(title))
	}
	titleWidth = min(titleWidth, max(least, width-gutter-headWidth-gap-endWidth-gap))
	var b strings.Builder
	for i, n := range g.Nodes {
		left := ""
		if i > 0 && n.Layer > g.Nodes[i-1].Layer && n.Depth == 0 {
			left = "then"
		}
		line := style.Dim(left) + strings.Repeat(" ", gutter-len(left)) + Pad(heads[i], headWidth) + "  " +
			Pad(Truncate(titles[i], titleWidth), titleWidth) + "  " + style.Dim(Truncate(ends[i], endWidth))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// branch are the lines of the tree in front of a node.
func (g Graph) branch(i int) string {
	line := ""
	for at := i; g.Nodes[at].Depth > 0; {
		sign, blank := "├ ", "│ "
		if g.lastChild(at) {
			sign, blank = "└ ", "  "
		}
		if at != i {
			sign = blank
		}
		line = sign + line
		up := g.Nodes[at].Parent
		if up < 0 || up >= at {
			break
		}
		at = up
	}
	return line
}

func (g Graph) lastChild(i int) bool {
	n := g.Nodes[i]
	for _, m := range g.Nodes[i+1:] {
		if m.Depth < n.Depth {
			return true
		}
		if m.Depth == n.Depth {
			return m.Parent != n.Parent
		}
	}
	return true
}

// waits says what a phase comes after, and what it is for.
func (g Graph) waits(n GraphNode) string {
	var parts []string
	parent := ""
	if n.Parent >= 0 {
		parent = " " + Safe(g.Nodes[n.Parent].Phase.ID)
	}
	switch n.Phase.Kind {
	case task.KindFix:
		for _, m := range g.Nodes {
			if m.Phase.UID == n.Phase.Fixes {
				parent = " " + Safe(m.Phase.ID)
			}
		}
		parts = append(parts, "fixes"+parent)
	case task.KindVerification:
		parts = append(parts, "verifies"+parent)
	case task.KindResearch:
		parts = append(parts, strings.TrimSpace("research for"+parent))
		if parent == "" {
			parts[0] = "research"
		}
	case task.KindSplit:
		parts = append(parts, "part of"+parent)
	case task.KindFinalReview:
		parts = append(parts, "after all")
	case task.KindExecution:
	}
	if len(n.After) > 0 {
		var ids []string
		for i, d := range n.After {
			if i == maxWaits {
				ids = append(ids, "…")
				break
			}
			ids = append(ids, Safe(g.Nodes[d].Phase.ID))
		}
		parts = append(parts, "after "+strings.Join(ids, ", "))
	}
	return strings.Join(parts, ", ")
}

// Marker is the sign in front of a phase.
type Marker string

// The markers; colour comes beside them, never instead.
const (
	MarkDone      Marker = "✓" // reviewed and done
	MarkBusy      Marker = "→" // in progress
	MarkReview    Marker = "◐" // worked on, awaits its review
	MarkOpen      Marker = "○" // not started
	MarkFailed    Marker = "✗"
	MarkDropped   Marker = "–" // not wanted any more
	MarkEscalated Marker = "⬆" // stands beside another one
)

// MarkOf is the marker of a phase.
func MarkOf(status task.PhaseStatus) Marker {
	switch status {
	case task.PhaseCompleted:
		return MarkDone
	case task.PhaseInProgress:
		return MarkBusy
	case task.PhaseInReview:
		return MarkReview
	case task.PhaseFailed:
		return MarkFailed
	case task.PhaseDropped:
		return MarkDropped
	case task.PhasePending:
		return MarkOpen
	}
	return MarkOpen
}

// Mark prints a marker in the colour of its state.
func (s Style) Mark(m Marker) string {
	switch m {
	case MarkDone:
		return s.Good(string(m))
	case MarkBusy:
		return s.Busy(string(m))
	case MarkReview, MarkEscalated:
		return s.Warn(string(m))
	case MarkFailed:
		return s.Bad(string(m))
	case MarkOpen, MarkDropped:
		return s.Dim(string(m))
	}
	return string(m)
}
