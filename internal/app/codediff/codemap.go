package codediff

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
)

// mapCommits is how many commits a map looks at for what changes most often, mapStale how
// many there may be since one was made.
const (
	mapCommits = 500
	mapStale   = 20
	mapRows    = 12 // of each table
	mapMark    = "Made at commit "
)

// languages are what files are written in, by their endings.
func languages() map[string]string {
	return map[string]string{
		".go": "Go", ".py": "Python", ".js": "JavaScript", ".jsx": "JavaScript", ".mjs": "JavaScript", ".ts": "TypeScript",
		".tsx": "TypeScript", ".java": "Java", ".kt": "Kotlin", ".rs": "Rust", ".rb": "Ruby", ".php": "PHP", ".c": "C",
		".h": "C", ".cc": "C++", ".cpp": "C++", ".hpp": "C++", ".cs": "C#", ".swift": "Swift", ".scala": "Scala",
		".ex": "Elixir", ".exs": "Elixir", ".sh": "Shell", ".sql": "SQL", ".html": "HTML", ".css": "CSS", ".scss": "CSS",
		".vue": "Vue", ".svelte": "Svelte", ".md": "Markdown", ".json": "JSON", ".yaml": "YAML", ".yml": "YAML",
		".tf": "Terraform",
	}
}

// entries are names of files where a reader, or a build, begins.
var entries = []string{
	"main.go", "main.py", "__main__.py", "manage.py", "index.js", "index.ts", "app.js", "app.ts", "app.py", "server.js",
	"server.ts", "Main.java", "Program.cs", "main.rs", "lib.rs", "main.c", "main.cpp", "go.mod", "package.json",
	"Cargo.toml", "pyproject.toml", "setup.py", "pom.xml", "build.gradle", "Gemfile", "composer.json", "Makefile",
	"Dockerfile",
}

type tally struct{ files, bytes int64 }

// Map tells in Markdown what the code base is made of at HEAD: languages, packages, entry
// points, tests, the largest files, and those that change most often. It is the same for the
// same commit.
func (s *Code) Map(ctx context.Context) (string, error) {
	head, err := s.Clone.Head(ctx)
	if err != nil {
		return "", err
	}
	if head == "" {
		return "", clone.Refuse("make a commit first", "there is no commit yet")
	}
	listed, err := s.Clone.Repo.Git.Run(ctx, "ls-tree", "-r", "-l", "-z", head)
	if err != nil {
		return "", err
	}
	log, err := s.Clone.Repo.Git.Run(ctx, "log", "-n", strconv.Itoa(mapCommits), "--no-merges", "--no-renames",
		"--name-only", "--format=", "-z", head, "--")
	if err != nil {
		return "", err
	}
	files, sizes := filesOf(string(listed))
	known := languages()
	byLanguage, byPackage, tests := map[string]tally{}, map[string]tally{}, map[string]tally{}
	var begins []string
	for _, name := range files {
		add(byLanguage, cmp.Or(known[path.Ext(name)], "other"), sizes[name])
		add(byPackage, path.Dir(name), sizes[name])
		if IsTest(name) {
			add(tests, path.Dir(name), sizes[name])
		}
		if slices.Contains(entries, path.Base(name)) && !IsTest(name) {
			begins = append(begins, name)
		}
	}
	slices.SortStableFunc(begins, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	changes := map[string]tally{}
	for name := range strings.SplitSeq(string(log), "\x00") {
		if _, there := sizes[name]; there {
			add(changes, name, 0)
		}
	}
	largest := map[string]tally{}
	for name, size := range sizes {
		largest[name] = tally{1, size}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Map of the code: %s\n", clone.Counted(len(files), "file", "files"))
	table(&b, "Languages", "language", byLanguage, byBytes, "")
	table(&b, "Packages", "directory", byPackage, byBytes, "")
	if len(begins) > 0 {
		b.WriteString("\n## Where it begins\n\n")
	}
	for _, name := range begins[:min(len(begins), mapRows)] {
		b.WriteString("- " + shownPath(name) + "\n")
	}
	table(&b, "Tests", "directory", tests, byFiles, "")
	table(&b, "Largest files", "file", largest, byBytes, "bytes")
	table(&b, fmt.Sprintf("Changed most often in the last %d commits", mapCommits), "file", changes, byFiles, "changes")
	fmt.Fprintf(&b, "\n%s%s\n", mapMark, head)
	return b.String(), nil
}

// MapAge says how many commits there are since a map was made, and refuses one that is
// stale, or none.
func (s *Code) MapAge(ctx context.Context, text string) (int, error) {
	text = strings.TrimSpace(text)
	commit, found := strings.CutPrefix(text[strings.LastIndex(text, "\n")+1:], mapMark)
	if _, err := gitstore.ParseOID(commit); !found || err != nil {
		return 0, clone.Invalid("'git brew map' makes one", "this is no map: its last line names no commit")
	}
	n, err := clone.CountIn(ctx, s.Clone.Repo, "HEAD", "^"+commit)
	switch {
	case err != nil:
		return 0, clone.Refuse("'git brew map' makes one of now", "the map is of commit %s, which is not here", commit)
	case n > mapStale:
		return n, clone.Refuse("'git brew map' makes one of now", "the map is stale: there are %d commits since", n)
	}
	return n, nil
}

// filesOf reads git ls-tree -r -l -z.
func filesOf(listed string) (names []string, sizes map[string]int64) {
	sizes = map[string]int64{}
	for entry := range strings.SplitSeq(listed, "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 4 || fields[1] != "blob" {
			continue // a submodule
		}
		size, err := strconv.ParseInt(fields[3], 10, 64)
		if err == nil {
			names, sizes[name] = append(names, name), size
		}
	}
	return names, sizes
}

func add(to map[string]tally, key string, bytes int64) {
	t := to[key]
	to[key] = tally{t.files + 1, t.bytes + bytes}
}

// IsTest reports a file of tests, by its name.
func IsTest(name string) bool {
	base := strings.ToLower(path.Base(name))
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, mark := range []string{"test", "spec"} {
		if strings.HasSuffix(stem, "_"+mark) || strings.HasSuffix(stem, "."+mark) || strings.HasSuffix(stem, "-"+mark) ||
			strings.HasPrefix(stem, mark+"_") || strings.HasPrefix(stem, mark+"-") {
			return true
		}
	}
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool {
		return dir == "test" || dir == "tests" || dir == "__tests__" || dir == "spec"
	})
}

func byBytes(t tally) int64 { return t.bytes }
func byFiles(t tally) int64 { return t.files }

// table writes the rows that count most: files and bytes, or the one of the two that they are
// sorted by, under a word for that.
func table(b *strings.Builder, heading, of string, rows map[string]tally, by func(tally) int64, one string) {
	if len(rows) == 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(rows), func(x, y string) int {
		return cmp.Or(cmp.Compare(by(rows[y]), by(rows[x])), cmp.Compare(x, y))
	})
	head, line := one+" |", "--: |"
	if one == "" {
		head, line = "files | bytes |", "--: | --: |"
	}
	fmt.Fprintf(b, "\n## %s\n\n| %s | %s\n| --- | %s\n", heading, of, head, line)
	for _, key := range keys[:min(len(keys), mapRows)] {
		name := key
		if of != "language" {
			name = strings.ReplaceAll(shownPath(key), "|", "\\|")
		}
		if one == "" {
			fmt.Fprintf(b, "| %s | %d | %d |\n", name, rows[key].files, rows[key].bytes)
		} else {
			fmt.Fprintf(b, "| %s | %d |\n", name, by(rows[key]))
		}
	}
}

// shownPath is a path as Markdown shows it, whatever is in it.
func shownPath(name string) string {
	if strings.Contains(name, "`") || invisible.Line(name) != name {
		name = strings.ReplaceAll(strconv.Quote(name), "`", `\x60`)
	}
	return "`" + name + "`"
}
