package flaws

import (
	"slices"
	"testing"
)

// BR-16: the files that commands run or go by are told from those that they look at.
func TestVerifiesOf_BR16(t *testing.T) {
	for command, want := range map[string][]string{
		"sh check.sh":                              {"check.sh"},
		"./check.sh":                               {"check.sh"},
		"env X=1 timeout 5 sh check.sh":            {"check.sh"},
		`bash -c 'true && sh "check.sh" | cat'`:    {"check.sh"},
		`bash -c 'cd sub && sh run.sh'`:            {"sub/run.sh"},
		"pytest tests/test_a.py":                   {"tests/test_a.py"},
		"node --require=tools/a.js b.js":           {"b.js", "tools/a.js"},
		"python3 -m tool --config=tools/a.js":      {"tools/a.js"},
		"tool spec=tools/a.js":                     {"tools/a.js"},
		"make test":                                {"Makefile", "sub/Makefile"},
		"just test":                                {"justfile"},
		"grep -q hello README.md":                  nil,
		"test -s README.md":                        nil,
		`bash -c 'grep -q a README.md && true'`:    nil,
		`bash -c 'if grep -q a README.md; then x'`: nil,
		"timeout 5 grep -q a README.md":            nil,
	} {
		v := verifiesOf([]string{command})
		var got []string
		for _, name := range []string{
			"Makefile", "README.md", "b.js", "check.sh", "justfile", "sub/Makefile", "sub/run.sh", "tests/test_a.py",
			"tools/a.js",
		} {
			if v.goBy(name) {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestLeadsOut(t *testing.T) {
	for to, want := range map[string]bool{
		"../a": false, "b": false, "./b/c": false, "../../x": true, "/etc": true, `C:\x`: true, "b/../../x": true,
		"b/..": true, "../.git/config": true, "..": false, "../..": true, "": true, `..\..\x`: true,
	} {
		if got := leadsOut("sub/link", to); got != want {
			t.Errorf("%q: %v", to, got)
		}
	}
}
