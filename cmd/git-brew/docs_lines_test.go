package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// The architecture leads through the code by file and line: each line has the function
// that is named beside it. -update writes the lines anew.
func TestDocs_architectureNamesLines(t *testing.T) {
	const page = "../../docs/inside/architecture.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([\\w/.-]+\\.go):(\\d+)` `(\\w+)`")
	steps := 0
	now := named.ReplaceAllFunc(text, func(step []byte) []byte {
		steps++
		m := named.FindSubmatch(step)
		line := lineOfFunc(t, filepath.Join("../..", string(m[1])), string(m[3]))
		return []byte("`" + string(m[1]) + ":" + strconv.Itoa(line) + "` `" + string(m[3]) + "`")
	})
	if steps == 0 {
		t.Fatal("it names none")
	}
	if bytes.Equal(now, text) {
		return
	}
	if !*update {
		t.Fatalf("%s names lines that have moved; -update mends them", page)
	}
	if err := os.WriteFile(page, now, 0o644); err != nil {
		t.Fatal(err)
	}
}

// lineOfFunc is where a file declares a function or a method; it fails the test where it
// has none of the name.
func lineOfFunc(t *testing.T, path, name string) int {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			return set.Position(f.Pos()).Line
		}
	}
	t.Errorf("%s has no function %s", path, name)
	return 0
}
