package app

import (
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/app/records"
)

// BW-21: what a task's file says of its task.
func TestReadTaskFile_BW21(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want records.TaskFile
	}{
		"brainworm's": {
			"---\ntask: fix-login\nbranch: fix/login # ours\nsubmodule: none\nstatus: in-progress\ncreated: 2026-01-05\n" +
				"modules: [api, \"web\", 'its']\nsession_id: ab12\ncorrelation_id: null\ngithub_issue: 12\n" +
				"github_repo: acme/app\n---\n# Fix login\n",
			records.TaskFile{
				Task: "fix-login", Branch: "fix/login", Status: "in-progress",
				Modules: []string{"api", "web", "its"}, Issue: "acme/app#12",
			},
		},
		"lists in lines": {
			"---\r\ntask: \"a: b\"\r\nservices:\r\n  - services/api\r\n  # not this\r\n  - web\r\nmodules:\r\n- x\r\n---\r\n",
			records.TaskFile{Task: "a: b", Services: []string{"services/api", "web"}, Modules: []string{"x"}},
		},
		"quoted issue, other fields passed over": {
			"---\nmeta: {a: &x [1, 2], b: *x}\nlong: |\n  task: not this\nTask: t\nGitHub-Issue: '#7'\nsubmodule: api\n" +
				"services: [api, web]\n...\n",
			records.TaskFile{Task: "t", Issue: "#7", Services: []string{"api", "web"}},
		},
	} {
		got, ok, err := records.ReadTaskFile([]byte(c.text))
		if !ok || err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v, %v; want %+v", name, got, ok, err, c.want)
		}
	}
	for name, text := range map[string]string{
		"none": "# Title\n", "a rule": "---\n\nText\n\n---\n", "another's": "---\ntitle: x\ntags: [a]\n---\n",
		"open": "---\ntask: x\n", "empty": "",
		"says nothing": "---\ntask:\n---\n", "too long": "---\ntask: x\n" + strings.Repeat("a: b\n", 4000) + "---\n",
		"late": "\n---\ntask: x\n---\n",
	} {
		if f, ok, err := records.ReadTaskFile([]byte(text)); ok || err != nil {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	for name, text := range map[string]string{
		"an alias": "task: *x", "an anchor": "task: &x y", "a tag": "task: !!python/object x", "a map": "task: {a: b}",
		"a block":      "task: |\n  x",
		"a nested map": "task:\n  a: b", "twice": "task: a\ntask: b", "two": "task: [a, b]", "controls": "task: a\x1b[2Jb",
		"a long one": "task: " + strings.Repeat("a", 600),
		"an escape":  `task: "a\u202eb"`, "open quotes": `task: "a`, "open list": "task: t\nmodules: [a",
		"no issue":     "task: t\ngithub_issue: soon",
		"nested lists": "task: t\nservices: [[a]]",
	} {
		if f, ok, err := records.ReadTaskFile([]byte("---\n" + text + "\n---\n")); err == nil {
			t.Errorf("%s: %+v, %v", name, f, ok)
		}
	}
}

// Whatever stands there, what is taken from it can stand in a line of a terminal.
func FuzzReadTaskFile(f *testing.F) {
	f.Add([]byte("---\ntask: a\nmodules: [b, 'c']\nservices:\n - d\ngithub_issue: 1\n---\n"))
	f.Add([]byte("---\ntask: &a [*a, *a]\n...\n"))
	f.Add([]byte("---\n- \n-\ntask:\n-\n---"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok, err := records.ReadTaskFile(text)
		if !ok || err != nil {
			return
		}
		for _, s := range append(append([]string{got.Task, got.Branch, got.Status, got.Issue}, got.Services...),
			got.Modules...) {
			if len(s) > 512 || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
				t.Errorf("%q", s)
			}
		}
	})
}
