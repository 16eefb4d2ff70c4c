// Package linemerge compares texts line by line, and merges two that were made from one.
// What it comes to depends on the texts alone: every clone merges the same.
package linemerge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxText bounds a text that is merged, in bytes: as much as a document or a report has.
const maxText = 1 << 20

// maxDiffLines bounds the work of one comparison: lines of both texts left
// after what they share at both ends. More than that does not merge.
const maxDiffLines = 8000

// Merge merges two texts that were both made from base, line by line, and
// reports whether that was clean: edits of the same lines, and two insertions
// at one place, are not. It depends on the texts alone, never on time or on
// which of the two comes first.
func Merge(base, ours, theirs []byte) ([]byte, bool) {
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return ours, true
	case bytes.Equal(base, ours):
		return theirs, true
	case max(len(base), len(ours), len(theirs)) > maxText:
		return nil, false
	}
	lines := newLineSet()
	b, o, t := lines.runes(base), lines.runes(ours), lines.runes(theirs)
	mine, ok1 := edits(b, o)
	yours, ok2 := edits(b, t)
	if !ok1 || !ok2 {
		return nil, false
	}
	var out []rune
	at := 0
	for len(mine) > 0 || len(yours) > 0 {
		var e edit
		switch {
		case len(mine) > 0 && len(yours) > 0 && mine[0].same(yours[0]):
			e, mine, yours = mine[0], mine[1:], yours[1:]
		case len(mine) > 0 && len(yours) > 0 && mine[0].clashes(yours[0]):
			return nil, false
		case len(yours) == 0 || len(mine) > 0 && mine[0].from < yours[0].from:
			e, mine = mine[0], mine[1:]
		default:
			e, yours = yours[0], yours[1:]
		}
		out = append(append(out, b[at:e.from]...), e.put...)
		at = e.to
	}
	merged := lines.text(append(out, b[at:]...))
	return merged, len(merged) <= maxText
}

// edit replaces the lines [from, to) of the base by put.
type edit struct {
	from, to int
	put      []rune
}

func (e edit) same(f edit) bool {
	return e.from == f.from && e.to == f.to && slices.Equal(e.put, f.put)
}

// clashes: edits that only touch do not, unless one inserts where the other
// begins, since nothing says which of them comes first.
func (e edit) clashes(f edit) bool {
	return e.from < f.to && f.from < e.to || e.from == f.from
}

// edits returns what turns a into b, in order, neighbours joined.
func edits(a, b []rune) ([]edit, bool) {
	diffs, ok := compare(a, b)
	if !ok {
		return nil, false
	}
	var all []edit
	at := 0
	for _, d := range diffs {
		text := []rune(d.Text)
		if d.Type == diffmatchpatch.DiffEqual {
			at += len(text)
			continue
		}
		if n := len(all); n == 0 || all[n-1].to < at {
			all = append(all, edit{from: at, to: at})
		}
		e := &all[len(all)-1]
		if d.Type == diffmatchpatch.DiffDelete {
			at += len(text)
			e.to = at
		} else {
			e.put = append(e.put, text...)
		}
	}
	return all, true
}

func compare(a, b []rune) ([]diffmatchpatch.Diff, bool) {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	if len(a)+len(b)-2*(start+end) > maxDiffLines {
		return nil, false
	}
	d := diffmatchpatch.New()
	d.DiffTimeout = 0 // its default gives up by the clock: two machines would differ
	return d.DiffMainRunes(a, b, false), true
}

// lineSet stands a rune for each different line.
type lineSet struct {
	of   map[string]rune
	line map[rune]string
}

func newLineSet() *lineSet { return &lineSet{of: map[string]rune{}, line: map[rune]string{}} }

func (s *lineSet) runes(text []byte) []rune {
	var all []rune
	for line := range bytes.Lines(text) {
		r, ok := s.of[string(line)]
		if !ok {
			r = nthRune(len(s.of))
			s.of[string(line)], s.line[r] = r, string(line)
		}
		all = append(all, r)
	}
	return all
}

func (s *lineSet) text(runes []rune) []byte {
	out := []byte{}
	for _, r := range runes {
		out = append(out, s.line[r]...)
	}
	return out
}

// nthRune leaves out what does not survive a conversion to a string and back.
// Three texts of maxText have fewer different lines than there are runes.
func nthRune(n int) rune {
	r := rune(n + 1)
	if r >= 0xd800 {
		r += 0x800
	}
	if r >= 0xfffd {
		r++
	}
	return r
}

// Line is a line of a comparison, with its line break if it had one: one that stayed
// (' '), was removed ('-') or added ('+').
type Line struct {
	Op   byte
	Text string
}

// Diff compares two texts line by line. Texts that differ too much for that
// come out as all removed, all added.
func Diff(before, after []byte) []Line {
	set := newLineSet()
	a, b := set.runes(before), set.runes(after)
	diffs, ok := compare(a, b)
	if !ok {
		diffs = []diffmatchpatch.Diff{
			{Type: diffmatchpatch.DiffDelete, Text: string(a)}, {Type: diffmatchpatch.DiffInsert, Text: string(b)},
		}
	}
	var out []Line
	for _, d := range diffs {
		for _, r := range d.Text {
			out = append(out, Line{Op: "- +"[d.Type+1], Text: set.line[r]})
		}
	}
	return out
}

// Unified is a comparison in the form that git's own diffs have, with from and to
// as the names of the two texts; "" where nothing changed.
func Unified(from, to string, before, after []byte) string {
	_, all, _ := strings.Cut(string(diff.Diff(from, before, to, after)), "\n") // its first line is no part of it
	return all
}
