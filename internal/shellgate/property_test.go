package shellgate

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainCommands are those of the corpus that are plain words: nothing in them
// means anything but itself to a shell.
func plainCommands(t testing.TB) []entry {
	t.Helper()
	var plain []entry
	for _, e := range readCorpus(t, "corpus.txt") {
		first, _, _ := strings.Cut(e.command, " ")
		// Keywords and declarations are none in quotes, nor is an assignment.
		if strings.Trim(e.command, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_./:=,+@%") == "" &&
			!strings.Contains(first, "=") && !has("time coproc export declare typeset local readonly let for case if "+
			"select function", first) {
			plain = append(plain, e)
		}
	}
	return plain
}

// spell writes a word in another way that means the same to a shell.
func spell(t *rapid.T, word string) string {
	if word == "" {
		return `''`
	}
	switch rapid.IntRange(0, 6).Draw(t, "quotes") {
	case 0:
		return `'` + word + `'`
	case 1:
		return `"` + word + `"`
	case 2:
		return `\` + strings.Join(strings.Split(word, ""), `\`)
	case 3:
		return `$'` + word + `'`
	case 4:
		at := rapid.IntRange(0, len(word)).Draw(t, "at")
		return word[:at] + `''` + `"` + word[at:] + `"`
	case 5:
		at := rapid.IntRange(0, len(word)).Draw(t, "at")
		return word[:at] + "\\\n" + word[at:]
	}
	return word
}

func TestJudge_BW5_quotingChangesNothing(t *testing.T) {
	plain := plainCommands(t)
	if len(plain) < 300 {
		t.Fatalf("%d plain commands", len(plain))
	}
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(plain).Draw(t, "command")
		blank := rapid.SampledFrom([]string{" ", "  ", "\t", " \\\n "})
		var b strings.Builder
		for i, w := range strings.Fields(e.command) {
			if i > 0 {
				b.WriteString(blank.Draw(t, "blank"))
			}
			b.WriteString(spell(t, w))
		}
		if got := verdictOf(Judge(b.String(), Options{})); (got == "reads") != (e.want == "reads") {
			t.Fatalf("%q: %s, but %q: %s", b.String(), got, e.command, e.want)
		}
	})
}

func TestJudge_BW7_aWriterMakesTheWholeAWriter(t *testing.T) {
	hosts := []string{
		"{}; rm f", "{} && rm f", "{} || rm f", "{} | rm f", "{} |& rm f", "{} & rm f", "{}\nrm f", "rm f; {}", "rm f\n{}",
		"rm f && {}", "rm f | {}",
		"( {}; rm f )", "{ {}; rm f; }", "{}; echo $(rm f)", "{}; echo `rm f`", "{}; cat <(rm f)", "{}; x=$(rm f)",
		"! rm f; {}",
		"if {}; then rm f; fi", "while {}; do rm f; done", "for x in a; do {}; rm f; done", "case a in *) {}; rm f;; esac",
		"g() { {}; rm f; }; g",
		"{}; time rm f", "{} && { ls; (rm f); }", "coproc { {}; rm f; }", "{}; cat <<X\n$(rm f)\nX", "{}; [[ -n $(rm f) ]]",
		"{}; echo hi > f",
		"{} > f", "{}; nice timeout 5 rm f", "{}; sh -c 'rm f'", "{}; find . -exec rm {} +",
	}
	for _, e := range readCorpus(t, "corpus.txt") {
		// A here-document ends its line; a command in the background takes no operator.
		if e.want != "reads" || strings.Contains(e.command, "<<") || strings.HasSuffix(e.command, "&") {
			continue
		}
		for _, host := range hosts {
			if command := strings.Replace(host, "{}", e.command, 1); Judge(command, Options{}).ReadOnly {
				t.Errorf("%q passes", command)
			}
		}
		for _, host := range []string{
			"( {} )", "{ {}; }", "{}; ls", "ls; {}", "{} | cat", "if true; then {}; fi",
			"out=$({})",
		} {
			if strings.HasSuffix(e.command, "\n") || strings.HasPrefix(e.command, "(") ||
				strings.Contains(e.command, "f() ") || strings.HasPrefix(e.command, "function ") {
				continue // these read differently there
			}
			command := strings.Replace(host, "{}", e.command, 1)
			if v := Judge(command, Options{}); !v.ReadOnly && !strings.HasPrefix(e.command, "coproc") {
				t.Errorf("%q: %s", command, v.Finding.Reason)
			}
		}
	}
}

func TestJudge_BW49_whatTheUserCounts(t *testing.T) {
	o := Options{ReadOnly: []string{
		"make -n", "npm run lint", "./check.sh", "bash scripts/show.sh", "git lg",
		"terraform plan", "sudo", "env", "sh", "xargs", "git brew", "eval", "  ", "foo bar",
	}}
	for command, want := range map[string]bool{
		"make -n":                      true,
		"make -n all -j4":              true,
		`make "-n" all`:                true,
		"make":                         false,
		"make all -n":                  false,
		"make -n > f":                  false,
		"make -n; rm f":                false,
		"make -n $(rm f)":              false,
		"make -n $x":                   true,
		"make $x":                      false,
		"PATH=/x make -n":              false,
		"timeout 5 make -n":            true,
		"ls | xargs make -n":           true,
		"npm run lint":                 true,
		"npm run lint -- --quiet":      true,
		"npm run lint:fix":             false,
		"npm run build":                false,
		"./check.sh a":                 true,
		"check.sh":                     false,
		"bash scripts/show.sh x":       true,
		"bash scripts/other.sh":        false,
		"git lg -5":                    true,
		"git -c alias.lg='!rm' lg":     false,
		"terraform plan -out=x":        true,
		"sudo ls":                      false,
		"env FOO=1 ls":                 false,
		"sh -c 'rm f'":                 false,
		"ls | xargs rm":                false,
		"git brew config set gate off": false,
		"eval ls":                      false,
		"foo bar":                      true,
		"foo":                          false,
		"foo barn":                     false,
		"rm f":                         false,
	} {
		if got := Judge(command, o).ReadOnly; got != want {
			t.Errorf("%q: %t", command, got)
		}
	}
}

// TestJudge_boundsAreKept: what is too long, too deep or no text is refused, in
// time and without a crash.
func TestJudge_boundsAreKept(t *testing.T) {
	for _, s := range []string{
		"", " ", "\n", "#", "# rm f", strings.Repeat("(", 100_000), strings.Repeat("$(", 100_000),
		strings.Repeat("`", 100_000), strings.Repeat("ls;", 50_000),
		strings.Repeat("ls | ", 40_000) + "ls", strings.Repeat("! ", 100_000) + "ls", strings.Repeat("if true; then ", 9_000),
		strings.Repeat("\"$(", 50_000),
		strings.Repeat("a[", 100_000), strings.Repeat("{", 100_000), "$((" + strings.Repeat("-", 100_000) + "1))",
		"[[ " + strings.Repeat("! ", 100_000) + "x ]]",
		strings.Repeat("x", 1<<20), "ls \x00", "ls \x1b[2J", "ls \xff", "ls\r\nrm", "ls '\r'", strings.Repeat("sh -c ", 1000),
		"awk '" + strings.Repeat("if (x) /", 200) + "'", "sed '" + strings.Repeat("{", 10_000) + "'",
		strings.Repeat("f() { ", 190) + "ls" + strings.Repeat("; }", 190),
	} {
		v := Judge(s, Options{})
		if v.ReadOnly != (v.Finding == nil) {
			t.Errorf("%.40q: %+v", s, v)
		}
		if v.Finding != nil && (len(v.Finding.Command)+len(v.Finding.Why)+len(v.Finding.Hint) > 400 ||
			strings.ContainsAny(v.Finding.Why+v.Finding.Command, "\n\x1b\x00")) {
			t.Errorf("%.40q: %+v", s, v.Finding)
		}
	}
	if !Judge("", Options{}).ReadOnly || !Judge("# rm f", Options{}).ReadOnly {
		t.Error("nothing does nothing")
	}
}

// TestFinding_allowNamesNoInterpreter: nobody is told to allow what would allow
// everything.
// What nobody sees, or what turns others around, is in no finding.
func TestFinding_BW5_showsWhatItRepeats(t *testing.T) {
	for _, hidden := range []string{"\u200b", "\u202e", "\u2066", "\u00ad", "\u200f", "\ufeff", "\U000e0041", "\u0085"} {
		v := Judge("touch a"+hidden+"b", Options{})
		if v.Finding == nil || strings.Contains(v.Finding.Command+v.Finding.Why+v.Finding.Allow, hidden) {
			t.Errorf("%+q: %+v", hidden, v.Finding)
		}
	}
}

func TestFinding_allowNamesNoInterpreter(t *testing.T) {
	for command, want := range map[string]string{
		"make -n all": "make -n", "npm run lint": "npm run lint", "frob x": "frob", "bash a.sh b": "bash a.sh",
		"git frob": "git frob", "go test ./...": "go test",
		"python3 a.py": "python3 a.py", "python3 -": "", "perl -e 1": "", "python3 -c 1": "", "sudo ls": "", "rm f": "",
		"ls > f": "", "git push": "", "echo x | sh": "",
	} {
		if got := Judge(command, Options{}).Finding.Allow; got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}
