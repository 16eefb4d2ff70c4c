package plugin

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The front matter that clients read, by the kind of file; what a project's agents may
// have beside that (hooks, permissionMode), a plugin's may not.
var known = map[string][]string{
	Skills: {"name", "description", "argument-hint", "allowed-tools", "disable-model-invocation"},
	Agents: {"name", "description", "tools", "model"},
}

func names(kind string) []string {
	var found []string
	for _, f := range InProject("1.0.0") {
		if f.Kind() == kind {
			found = append(found, f.Name())
		}
	}
	return found
}

func TestPlugin_BW37_BC1_BC5_BR7_hasWhatIsPromised(t *testing.T) {
	for kind, want := range map[string]string{
		Skills: "pause plan prd research review rules spec start status trigger",
		Agents: "architect context-gatherer coordinator developer documentation-keeper executive knowledge-keeper " +
			"researcher reviewer tester",
	} {
		if have := strings.Join(names(kind), " "); have != want {
			t.Errorf("%s: %s; want %s", kind, have, want)
		}
	}
}

// BW-38: the four protocols are parts of skills: how a task is made, begun and ended, and
// what is kept before a compaction.
func TestPlugin_BW38_protocols(t *testing.T) {
	for skill, wants := range map[string][]string{
		"spec":  {"## 1. The task", "git brew create"},
		"start": {"## When you begin", "git brew start", "## The end", "git brew finish"},
		"pause": {"compaction", "git brew doc set context -", "Believe these, not the summary"},
	} {
		i := slices.IndexFunc(InProject(""), func(f File) bool { return f.Kind() == Skills && f.Name() == skill })
		for _, want := range wants {
			if !strings.Contains(string(InProject("")[i].Data), want) {
				t.Errorf("%s says nothing of %q", skill, want)
			}
		}
	}
}

// What their own systems promise of these skills is said in ours, with its numbers.
func TestPlugin_BC3_BC4_BC5_BC7_BC12_BC14_BC25_isSaid(t *testing.T) {
	texts := map[string]string{}
	for _, f := range InProject("") {
		texts[f.Name()] = string(f.Data)
	}
	for id, said := range map[string][2]string{
		"BC-3 questions":      {"spec", "Three to five questions"},
		"BC-3 none":           {"spec", `one row that says "skipped"`},
		"BC-4 areas":          {"spec", "more than three areas that could be built apart, or more than twelve phases"},
		"BC-4 the rest":       {"spec", "git brew backlog add"},
		"BC-5 at once":        {"research", "all in ONE message"},
		"BC-5 areas":          {"research", "five to ten"},
		"BC-7 rounds":         {"spec", "After three rounds the user decides"},
		"BC-12 examples":      {"plan", "that show how this project does such a thing; the phases' plans name them"},
		"BC-14 the user":      {"plan", "Show the user the phases, a line each"},
		"BC-25 order":         {"research", "one of the user's or the project's own that fits the area goes first"},
		"BC-25 who declines":  {"research", "hand it on, twice at most"},
		"BC-25 which is kept": {"research", "git brew learn -t fact"},
	} {
		if !strings.Contains(texts[said[0]], said[1]) {
			t.Errorf("%s: skill %s does not say %q", id, said[0], said[1])
		}
	}
}

// The layout is what clients document: names, front matter of one line each that any
// reader of YAML takes for a text, short bodies that say what counts as done.
func TestPlugin_layout(t *testing.T) {
	plain := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for form, files := range map[string][]File{"brew-": InProject("1.0.0"), "": InPlugin("1.0.0")} {
		for _, f := range files {
			front, body, found := strings.Cut(strings.TrimPrefix(string(f.Data), "---\n"), "\n---\n")
			if !found || !utf8.Valid(f.Data) {
				t.Fatalf("%s has no front matter", f.Path)
			}
			fields := map[string]string{}
			for line := range strings.Lines(front) {
				key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
				text := regexp.MustCompile(`^("[^"\\]+"|[A-Za-z][^#]*)$`).MatchString(value) && !strings.Contains(value, ": ")
				if !slices.Contains(known[f.Kind()], key) || fields[key] != "" || !text {
					t.Errorf("%s: front matter %q", f.Path, line)
				}
				fields[key] = value
			}
			if fields["name"] != form+f.Name() || !plain.MatchString(fields["name"]) || len(fields["name"]) > 64 ||
				fields["description"] != f.About() || len(f.About()) > 300 {
				t.Errorf("%s: name %q, description %q", f.Path, fields["name"], fields["description"])
			}
			limit := map[string]int{Skills: 60, Agents: 30}[f.Kind()]
			ends := strings.Contains(body, "Done") || f.Name() == "trigger" // which explains, and does nothing
			if strings.Contains(body, "$") {
				t.Errorf("%s has what only one client fills in", f.Path)
			}
			if n := strings.Count(body, "\n"); n > limit || !ends {
				t.Errorf("%s: %d lines, or it does not say what counts as done", f.Path, n)
			}
		}
	}
}

// What a text names of the others is there, in the form that the place has.
func TestPlugin_namesEachOther(t *testing.T) {
	all := map[string][]string{Skills: names(Skills), Agents: names(Agents)}
	for at, files := range map[string][]File{"brew-": InProject("1.0.0"), "brew:": InPlugin("1.0.0")} {
		word := regexp.MustCompile(`(/?)\b(brew[-:])([a-z-]+[a-z])`)
		for _, f := range files {
			if at == "brew:" && bytes.Contains(f.Data, []byte("(brew-")) {
				t.Errorf("%s names them all as in a project", f.Path)
			}
			for _, m := range word.FindAllStringSubmatch(strings.ReplaceAll(string(f.Data), "git-brew", ""), -1) {
				kind := map[string]string{"/": Skills, "": Agents}[m[1]]
				own := m[3] == f.Name() && at == "brew-"
				if m[2] != at || !slices.Contains(all[kind], m[3]) && !own {
					t.Errorf("%s names %s", f.Path, m[0])
				}
			}
		}
	}
}

// A file is ours as long as nobody changed a byte that counts, and then it is never again.
func TestOwnerOf(t *testing.T) {
	text := []byte("---\nname: x\n---\n# X\n\nIt is so.\n")
	ours, script := Mark(text, "1.2.3"), MarkScript("// a\n", "1.2.3")
	for name, c := range map[string]struct {
		data []byte
		want Owner
	}{
		"as written":          {ours, Ours},
		"by another version":  {Mark(text, "2.0.0"), Ours},
		"a script":            {script, Ours},
		"a script, changed":   {append([]byte("x\n"), script...), Changed},
		"with git's own ends": {bytes.ReplaceAll(ours, []byte("\n"), []byte("\r\n")), Ours},
		"a line behind":       {append(slices.Clone(ours), "more\n"...), Changed},
		"a line in front":     {append([]byte("more\n"), ours...), Changed},
		"no mark":             {text, Theirs},
		"empty":               {nil, Theirs},
		"a mark in a sentence": {
			[]byte("ends with <!-- git-brew 1 2 -->, as ours do\n"), Theirs,
		},
		"the mark alone":           {[]byte("<!-- git-brew 1.0.0 0000000000000000 -->\n"), Changed},
		"another text of the mark": {[]byte("# Mine\n<!-- git-brew is good -->\n"), Changed},
	} {
		if got := OwnerOf(c.data); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	for i := range ours {
		changed := slices.Clone(ours)
		changed[i] ^= 1
		if OwnerOf(changed) == Ours && !Same(changed, ours) {
			t.Fatalf("byte %d was changed, and it is ours", i)
		}
	}
	if !Same(ours, Mark(text, "9")) || Same(ours, Mark([]byte("other\n"), "1.2.3")) {
		t.Error("files are not compared by what they say")
	}
}

func TestInProject_marksEachFile(t *testing.T) {
	for _, f := range append(InProject("1.2.3"), InPlugin("1.2.3")...) {
		if OwnerOf(f.Data) != Ours || !strings.Contains(string(f.Data), fmt.Sprintf("\n%s1.2.3 ", MarkBegin)) {
			t.Errorf("%s has no mark", f.Path)
		}
	}
}
