package runner_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/runner"
)

func TestReadSimple(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text      string
		env, args []string
	}{
		{"go test ./...", nil, []string{"go", "test", "./..."}},
		{`  grep -q 'a b'  "it's"	x\ y "" # all of it`, nil, []string{"grep", "-q", "a b", "it's", "x y", ""}},
		{
			`CGO_ENABLED=0 GOFLAGS='-a b' EMPTY= go vet`,
			[]string{"CGO_ENABLED=0", "GOFLAGS=-a b", "EMPTY="},
			[]string{"go", "vet"},
		},
		{`test "a\"b\$c\\d\e" = 'x\y'`, nil, []string{"test", `a"b$c\d\e`, "=", `x\y`}},
		{"[ -f go.mod ]", nil, []string{"[", "-f", "go.mod", "]"}},
		{`sh -c 'a | b && c > $HOME/x; ls *'`, nil, []string{"sh", "-c", "a | b && c > $HOME/x; ls *"}},
		{`npm test -- --grep 'a|b' \*.js a=b`, nil, []string{"npm", "test", "--", "--grep", "a|b", "*.js", "a=b"}},
		{"make \\\n test", nil, []string{"make", "test"}},
	} {
		got, err := runner.ReadSimple(test.text)
		if err != nil || !slices.Equal(got.Env, test.env) || !slices.Equal(got.Args, test.args) {
			t.Errorf("%s: %q %v", test.text, got, err)
		}
	}
}

func TestReadSimple_whatNeedsAShell(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"":                                 "runs nothing",
		"# nothing":                        "runs nothing",
		"a; b":                             "more than a program",
		"a\nb":                             "more than a program",
		"a | b":                            "more than a program",
		"a && b":                           "more than a program",
		"! a":                              "more than a program",
		"a &":                              "more than a program",
		"(a)":                              "more than a program",
		"if a; then b; fi":                 "more than a program",
		"a > out":                          "more than a program",
		"X=1":                              "runs nothing",
		"a $HOME":                          "more than a program",
		`a "$(b)"`:                         "more than a program",
		"a `b`":                            "more than a program",
		"X=$Y a":                           "more than a program",
		"ls *.go":                          "more than a program",
		"ls a?":                            "more than a program",
		"ls a[bc]":                         "more than a program",
		"ls {a,b}":                         "more than a program",
		"ls ~/x":                           "more than a program",
		"ls ~jo":                           "more than a program",
		"a 'b":                             "quotes do not end",
		"a )":                              "more than a program",
		strings.Repeat("x", 300_000):       "too long",
		strings.Repeat("$(", 10_000):       "more than a program",
		"a" + string(rune(0)) + "b '\x01'": "",
	} {
		got, err := runner.ReadSimple(text)
		if why == "" {
			continue // anything but a panic
		}
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.40s: %q, %v; want %q", text, got, err, why)
		}
	}
}

// Words that are quoted for a shell come back as they were.
func TestReadSimple_quotesComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[ -~]{0,12}`), 1, 5).Draw(t, "words")
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		got, err := runner.ReadSimple(strings.Join(quoted, " "))
		if err != nil || !slices.Equal(got.Args, words) {
			t.Fatalf("%q: %q, %v", quoted, got.Args, err)
		}
	})
}

// Where it reads a command, it reads the words that a shell does.
func TestReadSimple_asTheShell(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"a", "b c", "-x", " ", "\t", "'", `"`, `\`, "\\\n", "=", "#", "[", "]", "{}", "~", "!", "%s", ",", ".", "/", "^", ":", "1",
		"'a b'", `"x y"`, `\"`, "é", "X=1", "$", "*", ";", "|", "\n",
	}
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 8).Draw(t, "pieces"), "")
		got, err := runner.ReadSimple(text)
		if err != nil || got.Env != nil {
			return
		}
		read++
		// An assignment stands in front alone, and a function is no reserved word.
		out, err := exec.Command("sh", "-c", "words() { printf '<%s>' \"$@\"; }\nwords "+strings.TrimSpace(text)).Output()
		if want := "<" + strings.Join(got.Args, "><") + ">"; err != nil || string(out) != want {
			t.Fatalf("%q: %s, a shell reads %s (%v)", text, want, out, err)
		}
	})
	if read == 0 {
		t.Error("nothing is read")
	}
}

// Whatever it is given, it ends, and gives at least a program.
func TestReadSimple_total(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		if got, err := runner.ReadSimple(rapid.String().Draw(t, "text")); err == nil && len(got.Args) == 0 {
			t.Fatal("no program")
		}
	})
}
