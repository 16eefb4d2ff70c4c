package run

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// BR-16: what decides how git reads a repository is noticed; its settings of git brew's own, and
// of branches, are not.
func TestReadGround_BR16(t *testing.T) {
	for name, c := range map[string]struct{ file, was, is, want string }{
		"settings of git brew":      {"config", "[core]\n\tx = 1\n", "[core]\n\tx = 1\n[brew \"run\"]\n\treview = off\n", ""},
		"branches":                  {"config", "[core]\n", "[core]\n[branch \"x\"]\n\ta = b\n[Brew]\n\tx = 1\n", ""},
		"a filter":                  {"config", "", "[filter \"x\"]\n\tsmudge = evil\n", "config"},
		"behind a section":          {"config", "", "[brew] [core]\n\tattributesFile = x\n", "config"},
		"behind a name":             {"config", "", "[brew \"x\"] [core] attributesFile = x\n", "config"},
		"behind settings":           {"config", "[brew]\n\tx = 1\n", "[brew]\n\tx = 1\n [core]\n\ty = x\n", "config"},
		"another one's name":        {"config", "", "[brewed]\n\tx = 1\n", "config"},
		"attributes":                {"info/attributes", "", "* filter=x\n", "info/attributes"},
		"attributes of one length":  {"info/attributes", "* -text\n", "* +text\n", "info/attributes"},
		"a hook":                    {"hooks/post-merge", "", "true\n", "hooks/post-merge"},
		"other objects":             {"objects/info/alternates", "", "/x\n", "objects/info/alternates"},
		"settings of the work tree": {"config.worktree", "", "[core]\n", "config.worktree"},
		"what is no part of it":     {"description", "", "x\n", ""},
		"a directory":               {"info/attributes", "", "/", "info/attributes"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, filepath.FromSlash(c.file))
			put := func(text string) {
				err := os.MkdirAll(filepath.Dir(path), 0o777)
				if err == nil && text == "/" {
					err = os.Mkdir(path, 0o777)
				} else if err == nil && text != "" {
					err = os.WriteFile(path, []byte(text), 0o666)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			put(c.was)
			was := readGround(dir)
			put(c.is)
			if got := readGround(dir).changedSince(was); got != c.want {
				t.Errorf("%q changed, want %q", got, c.want)
			}
			if got := was.changedSince(readGround(dir)); got != c.want {
				t.Errorf("back again: %q changed, want %q", got, c.want)
			}
		})
	}
}

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
