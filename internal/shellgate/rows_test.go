package shellgate

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// rowNames are the commands of a row.
func rowNames(r row) []string {
	names := strings.Split(r.names, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}

// TestRows_oneForEachCommand: the second of two would never be found, and an
// option that a row places twice is refused.
func TestRows_oneForEachCommand(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range tables() {
		for _, r := range table {
			for _, name := range rowNames(r) {
				if seen[name] {
					t.Errorf("%q has two rows", name)
				}
				seen[name] = true
				if name == "" || len(strings.Fields(name)) > maxName {
					t.Errorf("the name %q is never looked for", name)
				}
			}
			for token := range strings.FieldsSeq(r.opts) {
				if s, names := specOf(token); !r.how.is(dashed) && len(names) > 2 && names[1] != '-' && s.arity == valued &&
					!s.apart {
					t.Errorf("%.40q: each letter of %s would take a value", r.names, token)
				}
			}
			for _, o := range rowOptions(r) {
				if r.option(o).arity == unnamed {
					t.Errorf("%.40q places %s twice", r.names, o)
				}
			}
		}
	}
	refused := map[string]bool{}
	for _, r := range refusals {
		for name := range strings.SplitSeq(r.names, ",") {
			if name = strings.TrimSpace(name); refused[name] {
				t.Errorf("%q is refused twice", name)
			}
			refused[name] = true
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
		case strings.HasPrefix(names, "--") || r.how.is(dashed) || s.arity == writes && len(names) == 2:
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
	for _, table := range tables() {
		for _, r := range table {
			if r.free() || r.how.is(looks|group) {
				continue
			}
			for _, name := range rowNames(r) {
				all = append(all, named{r, name})
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(all).Draw(t, "row")
		options := append(rowOptions(n.r), "--")
		bad := rapid.SampledFrom([]string{"-opwn", "-%", "--%", "--output=pwn", "--zz", "--zz=x", "-%pwn"}).Draw(t, "bad")
		if long := rapid.SampledFrom(options).Draw(t, "long"); strings.HasPrefix(long, "--") && len(long) > 4 &&
			rapid.Bool().Draw(t, "short") {
			if bad = long[:rapid.IntRange(3, len(long)-1).Draw(t, "at")]; n.r.option(bad).arity != unnamed {
				return
			}
		}
		name, _, _ := strings.Cut(bad, "=")
		if n.r.how.is(dashed) {
			name = "-" + strings.TrimLeft(name, "-")
		}
		if n.r.option(name).arity != unnamed || bad == "-opwn" && n.r.option("-o").arity != unnamed {
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
