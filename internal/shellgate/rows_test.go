package shellgate

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// namedRow is a row with the commands that it speaks for.
type namedRow struct {
	row
	names []string
}

// allRows are the rows of the file, in its order.
func allRows() []namedRow {
	var all []namedRow
	for block := range strings.SplitSeq(rowsText, "\n\n") {
		if names, _ := readBlock(block); len(names) > 0 && names[0][0] != '@' {
			r, _ := longest(strings.Fields(names[0]))
			all = append(all, namedRow{r, names})
		}
	}
	return all
}

// TestRows_oneForEachCommand: the second of two would never be found, and an
// option that a row places twice is refused.
func TestRows_oneForEachCommand(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range allRows() {
		for _, name := range r.names {
			if seen[name] {
				t.Errorf("%q has two rows", name)
			}
			seen[name] = true
			if found, n := longest(strings.Fields(name)); n != len(strings.Fields(name)) || found != r.row {
				t.Errorf("%q has the row %+v", name, found)
			}
			if name == "" || len(strings.Fields(name)) > maxName {
				t.Errorf("the name %q is never looked for", name)
			}
		}
		for token := range strings.FieldsSeq(r.opts) {
			if s, names := specOf(token); !r.is("dashed") && len(names) > 2 && names[1] != '-' && s.valued() &&
				s.follows != ';' {
				t.Errorf("%.40q: each letter of %s would take a value", r.names, token)
			}
		}
		for _, o := range rowOptions(r.row) {
			if r.option(o).follows == 0 {
				t.Errorf("%.40q places %s twice", r.names, o)
			}
		}
	}
	if len(seen) < 500 {
		t.Errorf("%d commands", len(seen))
	}
	refused := map[string]bool{}
	for block := range strings.SplitSeq(refusedText, "\n\n") {
		names, fields := readBlock(block)
		if len(names) > 0 && reasonNamed(fields["why"]) == nil {
			t.Errorf("%q are refused for no reason", names)
		}
		for _, name := range names {
			if refused[name] {
				t.Errorf("%q is refused twice", name)
			}
			refused[name] = true
		}
	}
}

// Nothing is found that is no name of a command.
func TestRows_otherNames(t *testing.T) {
	for _, name := range []string{
		"", " ", "@log", "opts: *", "\topts: *", "ls,", "ls, eza", "ls, ", "eza, exa", "l", "s",
		"# git", "how",
		"git\n", "getfacl, lsattr", "-x", "No option", "git log, git show",
	} {
		if _, n := longest([]string{name}); n > 0 {
			t.Errorf("%q has a row", name)
		}
		if _, n := find(refusedText, []string{name}); n > 0 {
			t.Errorf("%q is refused", name)
		}
	}
}

// What a row says is said in words that are known.
func TestRows_areRead(t *testing.T) {
	for _, text := range []string{rowsText, refusedText} {
		for block := range strings.SplitSeq(text, "\n\n") {
			names, fields := readBlock(block)
			if len(names) == 0 && len(fields) > 0 {
				t.Errorf("no name: %q", block)
			}
			for key := range fields {
				if !has("how opts ops why hint", key) {
					t.Errorf("%q: %s", names, key)
				}
			}
			for name := range strings.FieldsSeq(fields["how"]) {
				if !has(looks+" anywhere stops dashed group bare known bundled skips git moves counts", name) {
					t.Errorf("%q: how %s", names, name)
				}
			}
		}
	}
}

// rowOptions are the options that a row names.
func rowOptions(r row) []string {
	var out []string
	for token := range strings.FieldsSeq(r.opts) {
		s, names := specOf(token)
		switch {
		case has("* -#", token):
		case strings.HasPrefix(names, "--") || r.is("dashed") || s.follows == '^' && len(names) == 2:
			out = append(out, names)
		default:
			for _, c := range names[1:] {
				out = append(out, "-"+string(c))
			}
		}
	}
	return out
}

// TestRows_whatIsNotNamedDoesNotPass: with an option that a row does not name, an
// abbreviation of one, or one that is known to write, no command of the row
// passes, wherever that stands: behind operands, as the value of another option,
// glued to one, and twice.
func TestRows_whatIsNotNamedDoesNotPass(t *testing.T) {
	type named struct {
		r    row
		name string
	}
	var all []named
	for _, r := range allRows() {
		for _, name := range r.names {
			if !r.free() && !r.is(looks+" group") {
				all = append(all, named{r.row, name})
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(all).Draw(t, "row")
		options := append(rowOptions(n.r), "--")
		bad := rapid.SampledFrom([]string{"-opwn", "-%", "--%", "--output=pwn", "--zz", "--zz=x", "-%pwn"}).Draw(t, "bad")
		if long := rapid.SampledFrom(options).Draw(t, "long"); strings.HasPrefix(long, "--") && len(long) > 4 &&
			rapid.Bool().Draw(t, "short") {
			if bad = long[:rapid.IntRange(3, len(long)-1).Draw(t, "at")]; n.r.option(bad).follows != 0 {
				return
			}
		}
		name, _, _ := strings.Cut(bad, "=")
		if n.r.is("dashed") {
			name = "-" + strings.TrimLeft(name, "-")
		}
		if n.r.option(name).follows != 0 || bad == "-opwn" && n.r.option("-o").follows != 0 {
			bad = "--zz"
		}
		var words []string
		for range rapid.IntRange(0, 4).Draw(t, "before") {
			if w := rapid.SampledFrom(append(options, "a", "f", "x.y")).Draw(t, "word"); w != "--" {
				words = append(words, w)
			}
		}
		words = append(words, bad)
		for range rapid.IntRange(0, 3).Draw(t, "behind") {
			words = append(words, rapid.SampledFrom(append(options, "a", "f")).Draw(t, "after"))
		}
		if command := n.name + " " + strings.Join(words, " "); Judge(command, Options{}).ReadOnly {
			t.Fatalf("%q passes", command)
		}
	})
}
