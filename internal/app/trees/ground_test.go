package trees

import (
	"os"
	"path/filepath"
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
			was := ReadGround(dir, nil)
			if c.want != "" {
				c.want = filepath.Join(dir, filepath.FromSlash(c.want))
			}
			put(c.is)
			if got := ReadGround(dir, nil).ChangedSince(was); got != c.want {
				t.Errorf("%q changed, want %q", got, c.want)
			}
			if got := was.ChangedSince(ReadGround(dir, nil)); got != c.want {
				t.Errorf("back again: %q changed, want %q", got, c.want)
			}
		})
	}
}
