package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// tables are the files that say, row by row, which tests show what. The ids of
// a table run from 1 to its last one.
var tables = []struct {
	file, prefix string
	last         int
}{
	{"parity.tsv", "BC", 84},
	{"parity.tsv", "BW", 52},
	{"parity.tsv", "BR", 40},
	{"parity.tsv", "SP", 23},
	{"guarantees.tsv", "S", 45},
}

// What is not there yet says in its note with which part of the work it comes.
const laterMark = "later: "

// laterParts are the parts of the work that are still to come.
var laterParts = []string{"kitchen"}

// TestDocs_tablesNameRealTests keeps parity.tsv and guarantees.tsv honest: every
// id has one row; a row names tests that are in the tree, or says when they
// come; of the tests of a row at least one knows the row's id.
func TestDocs_tablesNameRealTests(t *testing.T) {
	tests := testsOfTheTree(t)
	for _, table := range tables {
		rows := tableRows(t, table.file, table.prefix)
		for n := 1; n <= table.last; n++ {
			id := fmt.Sprintf("%s-%d", table.prefix, n)
			if len(rows[id]) != 1 {
				t.Errorf("%s: %s has %d rows, want 1", table.file, id, len(rows[id]))
			}
			for _, row := range rows[id] {
				for _, problem := range rowProblems(id, row, tests) {
					t.Errorf("%s: %s %s", table.file, id, problem)
				}
			}
			delete(rows, id)
		}
		for id := range rows {
			t.Errorf("%s: there is no %s", table.file, id)
		}
	}
}

// TestDocs_guaranteesAreOnTheirPage: people read the promises that are tested,
// and no others.
func TestDocs_guaranteesAreOnTheirPage(t *testing.T) {
	page := readDoc(t, "docs/reference/guarantees.md")
	promises, _, _ := strings.Cut(page, "## How they are tested")
	rows := tableRows(t, "guarantees.tsv", "S")
	for id, row := range rows {
		if len(row) != 1 || !strings.Contains(promises, "\n- "+row[0]["what"]+"\n") {
			t.Errorf("docs/reference/guarantees.md does not promise %s, %q", id, row)
		}
	}
	if n := strings.Count(promises, "\n- "); n != len(rows) {
		t.Errorf("docs/reference/guarantees.md makes %d promises, and %d are tested", n, len(rows))
	}
}

// rowProblems says what is wrong with a row.
func rowProblems(id string, row map[string]string, tests map[string]string) []string {
	if by, has := row["by"]; row["what"] == "" || has && by == "" {
		return []string{"has an empty cell"}
	}
	var problems []string
	named := strings.Fields(row["tests"])
	knows := false
	for _, name := range named {
		text, found := tests[name]
		if !found {
			problems = append(problems, "names "+name+", which is no test and no script")
		}
		knows = knows || mentions(text, id)
	}
	_, later, isLater := strings.Cut(row["note"], laterMark)
	switch {
	case isLater && !slices.Contains(laterParts, later):
		problems = append(problems, "comes with "+later+", which is no part of the work")
	case !isLater && len(named) == 0:
		problems = append(problems, "has no test and does not say when it comes")
	case len(named) > 0 && len(problems) == 0 && !knows:
		problems = append(problems, "is in none of its tests: name it there, in the name or in a comment")
	}
	return problems
}

// mentions reports whether a test's text has the id, written BC-55 or, in a
// name, BC55.
func mentions(text, id string) bool {
	prefix, number, _ := strings.Cut(id, "-")
	return regexp.MustCompile(`(^|[^A-Za-z0-9])` + prefix + `-?` + number + `($|[^0-9])`).MatchString(text)
}

// tableRows are the rows of a file in docs/reference whose id has this prefix,
// each as its cells by the names in the file's first line.
func tableRows(t *testing.T, file, prefix string) map[string][]map[string]string {
	t.Helper()
	rows := map[string][]map[string]string{}
	head, rest, _ := strings.Cut(readDoc(t, filepath.Join("docs", "reference", file)), "\n")
	names := strings.Split(head, "\t")
	for line := range strings.Lines(rest) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != len(names) {
			t.Fatalf("%s: %q has %d cells, want %d", file, line, len(cells), len(names))
		}
		row := map[string]string{}
		for i, cell := range cells {
			row[names[i]] = strings.TrimSpace(cell)
		}
		if strings.HasPrefix(row["id"], prefix+"-") {
			rows[row["id"]] = append(rows[row["id"]], row)
		}
	}
	return rows
}

// testsOfTheTree are the test functions and scripts, each with the text in
// which it may name what it is a test of.
func testsOfTheTree(t *testing.T) map[string]string {
	t.Helper()
	tests := map[string]string{}
	files := testFiles(t)
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") && !strings.HasPrefix(f.Name.Name, "Fuzz") {
				continue
			}
			begin := f.Pos()
			if f.Doc != nil {
				begin = f.Doc.Pos()
			}
			// Positions start at 1.
			tests[f.Name.Name] += strings.ReplaceAll(f.Name.Name, "_", " ") + "\n" + string(text[begin-1:f.End()-1])
		}
	}
	scripts, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(scripts) == 0 || len(files) == 0 {
		t.Fatalf("%d scripts, %d test files, %v", len(scripts), len(files), err)
	}
	for _, path := range scripts {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		tests[name] = strings.ReplaceAll(name, "_", " ")
		for line := range strings.Lines(string(archive.Comment)) {
			if strings.HasPrefix(line, "#") {
				tests[name] += "\n" + line
			}
		}
	}
	return tests
}

// testFiles are the files with tests, of the whole module.
func testFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, top := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(path string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, "_test.go") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestDocs_hookExamples: every example in docs/reference/hooks.md and docs/reference/gate.md is what
// a test gets. The comment above it names the golden file, or a script and the
// file in it.
func TestDocs_hookExamples(t *testing.T) {
	for _, page := range []string{"reference/hooks.md", "reference/gate.md"} {
		t.Run(page, func(t *testing.T) { compareExamples(t, page) })
	}
}

func compareExamples(t *testing.T, name string) {
	t.Helper()
	example := regexp.MustCompile("(?s)<!-- (golden|script): (\\S+)(?: (\\S+))? -->\n```(json|text)\n(.*?)```")
	page := readDoc(t, filepath.Join("docs", name))
	found := example.FindAllStringSubmatch(page, -1)
	if fences := strings.Count(page, "\n```json\n") + strings.Count(page, "\n```text\n"); len(found) != fences ||
		fences == 0 {
		t.Errorf("%d examples, of which %d say where they come from", fences, len(found))
	}
	for _, e := range found {
		kind, file, member, form, shown := e[1], e[2], e[3], e[4], e[5]
		var want []byte
		var err error
		if kind == "golden" {
			want, err = os.ReadFile(filepath.Join("..", "..", "internal", "hooks", "testdata", "golden", file))
		} else {
			var archive *txtar.Archive
			if archive, err = txtar.ParseFile(filepath.Join("testdata", "script", file)); err == nil {
				if i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == member }); i >= 0 {
					want = archive.Files[i].Data
				}
			}
		}
		if err != nil || len(want) == 0 {
			t.Errorf("%s %s: nothing is there: %v", file, member, err)
			continue
		}
		if form == "text" {
			if got := plainAnswer(want); strings.TrimSpace(shown) != strings.TrimSpace(got) {
				t.Errorf("%s: the page shows\n%s\nbut it is\n%s", file, shown, got)
			}
			continue
		}
		var a, b any
		if err := json.Unmarshal([]byte(shown), &a); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if err := json.Unmarshal(want, &b); err != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the page shows\n%s\nbut it is\n%s", file, shown, want)
		}
	}
}

// plainAnswer is what the model reads of an answer.
func plainAnswer(answer []byte) string {
	var a struct {
		Specific struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal(answer, &a) != nil {
		return string(answer)
	}
	return a.Specific.Context
}

// TestDocs_indexLeadsToEveryPage: who begins with the index finds each page.
func TestDocs_indexLeadsToEveryPage(t *testing.T) {
	index := readDoc(t, "docs/README.md")
	for _, page := range docPages(t) {
		if page = strings.TrimPrefix(page, "docs/"); page != "README.md" && !strings.Contains(index, "]("+page+") |") {
			t.Errorf("docs/README.md has no row for %s", page)
		}
	}
}

// TestDocs_pathsAreThere: a page that a page, a comment or a text of the program
// refers to is there.
func TestDocs_pathsAreThere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	named := regexp.MustCompile(`\bdocs/[a-z/-]+\.md\b`)
	isThere := func(where, path string) {
		if _, err := os.Stat(filepath.Join("..", "..", path)); err != nil {
			t.Errorf("%s refers to %s, which is not there", where, path)
		}
	}
	for _, page := range append(docPages(t), "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile") {
		text := readDoc(t, page)
		for _, l := range link.FindAllStringSubmatch(text, -1) {
			isThere(page, filepath.Join(filepath.Dir(page), l[1]))
		}
		for _, path := range named.FindAllString(text, -1) {
			isThere(page, path)
		}
	}
	for _, src := range readSources(t) {
		for _, group := range src.ast.Comments {
			for _, path := range named.FindAllString(group.Text(), -1) {
				isThere(src.path, path)
			}
		}
	}
}

// docPages are the pages below docs, as paths from the top of the module.
func docPages(t *testing.T) []string {
	t.Helper()
	top := filepath.Join("..", "..")
	var pages []string
	err := filepath.WalkDir(filepath.Join(top, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".md") {
			return err
		}
		page, err := filepath.Rel(top, path)
		pages = append(pages, filepath.ToSlash(page))
		return err
	})
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	return pages
}

// TestDocs_readmeRemovesEveryRef: README's very line works in a repository in real
// use, with symbolic refs, notes and tracking refs.
func TestDocs_readmeRemovesEveryRef(t *testing.T) {
	t.Parallel()
	line := regexp.MustCompile("`(git for-each-ref [^`]*)`").FindStringSubmatch(readDoc(t, "README.md"))
	if line == nil {
		t.Fatal("README.md has no such line")
	}
	f := gitstoretest.New(t)
	f.Git("init", "-q", "--bare", f.Root+"/origin.git")
	f.Git("remote", "add", "origin", f.Root+"/origin.git")
	for _, command := range []string{
		"create One --phase A", "start", "phase start", "create Two", "learn --project words", "sync",
		"config set --shared archive.after 20d", "mode implementation",
	} {
		e, _, errs := testEnv()
		e.Dir, e.Environ, e.Getenv = f.Dir, f.Env, f.Getenv
		e.User, e.Host = "mara", "laptop"
		if code := run(t.Context(), strings.Fields(command), e); code != cli.ExitDone {
			t.Fatalf("%s: exit %d, %s", command, code, errs)
		}
	}
	ours := func() string { return f.Git("for-each-ref", "--format=%(refname)", "refs/brew", "refs/notes") }
	for _, kind := range []string{
		"clones/", "config", "heads/", "keep/", "knowledge", "locks/", "notes",
		"remotes/origin/tasks/", "tasks/",
	} {
		if !strings.Contains(ours(), "refs/brew/"+kind) {
			t.Fatalf("no refs/brew/%s in %s", kind, ours())
		}
	}
	cmd := exec.Command("sh", "-c", line[1])
	cmd.Dir, cmd.Env = f.Dir, f.Env
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%s: %v, %s", line[1], err, out)
	}
	if left := ours(); left != "" {
		t.Errorf("left: %s", left)
	}
}

func readDoc(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
