package main

import (
	"go/ast"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// The sizes that a package may have: beyond them a reader finds nothing any more.
const (
	maxLines   = 5000
	maxFiles   = 35
	maxMethods = 40
	maxPrefix  = 5 // files of a package that begin with one word and an underscore
)

// tooLarge are those that are larger yet, and by how much they may be: each may only
// shrink, and leaves the list when it has.
var tooLarge = map[string]int{}

func TestPackages_haveASize(t *testing.T) {
	lines, files, methods, prefixes := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, src := range readSources(t) {
		text, err := os.ReadFile("../../" + src.path)
		if err != nil {
			t.Fatal(err)
		}
		lines[src.pkg] += strings.Count(string(text), "\n")
		files[src.pkg]++
		name := src.path[strings.LastIndexByte(src.path, '/')+1:]
		if word, _, several := strings.Cut(strings.TrimSuffix(name, ".go"), "_"); several {
			prefixes[src.pkg+"/"+word+"_"]++
		}
		for _, d := range src.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[src.pkg+"."+receiver(f.Recv.List[0].Type)]++
			}
		}
	}
	seen := map[string]bool{}
	check := func(what string, sizes map[string]int, most int) {
		for _, of := range slices.Sorted(maps.Keys(sizes)) {
			size, key := sizes[of], of+" "+what
			allowed, listed := tooLarge[key]
			seen[key] = true
			switch {
			case size > most && size > max(allowed, most):
				t.Errorf("%s has %d %s; at most %d", of, size, what, max(allowed, most))
			case listed && size <= most:
				t.Errorf("%s has %d %s: take it out of tooLarge", of, size, what)
			case listed && size < allowed:
				t.Errorf("%s has %d %s: tooLarge says %d", of, size, what, allowed)
			}
		}
	}
	check("lines", lines, maxLines)
	check("files", files, maxFiles)
	check("methods", methods, maxMethods)
	check("prefix", prefixes, maxPrefix)
	for key := range tooLarge {
		if !seen[key] {
			t.Errorf("tooLarge names %q, which is not there", key)
		}
	}
}

// receiver is the name of a method's type.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}
