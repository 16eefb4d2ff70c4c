package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// kindsOfOperations are the kinds that the program knows, as their constants
// spell them.
func kindsOfOperations(t *testing.T) []string {
	t.Helper()
	var kinds []string
	for _, src := range readSources(t) {
		ast.Inspect(src.ast, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			of, ok := spec.Type.(*ast.SelectorExpr)
			if !ok || of.Sel.Name != "Kind" || len(spec.Values) != 1 {
				return true
			}
			if pkg, ok := of.X.(*ast.Ident); !ok || pkg.Name != "operation" {
				return true
			}
			if value, ok := spec.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING {
				if kind, err := strconv.Unquote(value.Value); err == nil {
					kinds = append(kinds, kind)
				}
			}
			return true
		})
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// TestDocs_mergeNamesEveryKind: what becomes of two operations made apart is
// said of each kind, in a row of docs/inside/merging.md, and of none that there is not.
func TestDocs_mergeNamesEveryKind(t *testing.T) {
	kinds := kindsOfOperations(t)
	if len(kinds) < 25 {
		t.Fatalf("found only %q", kinds)
	}
	var rows []string
	kind := regexp.MustCompile("(?m)^\\| `([a-z.]+)` \\|")
	for _, row := range kind.FindAllStringSubmatch(readDoc(t, "docs/inside/merging.md"), -1) {
		rows = append(rows, row[1])
	}
	for _, k := range kinds {
		if !slices.Contains(rows, k) {
			t.Errorf("docs/inside/merging.md has no row of %s", k)
		}
	}
	for _, k := range rows {
		if !slices.Contains(kinds, k) {
			t.Errorf("docs/inside/merging.md has a row of %s, which is no kind", k)
		}
	}
}
