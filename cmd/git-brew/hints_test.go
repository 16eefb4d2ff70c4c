package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// destructive are commands that lose something when an agent follows a hint
// word by word.
var destructive = regexp.MustCompile(`(?i)\brm -|git (reset --hard|clean|gc|prune|branch -[dD]|update-ref -d|push (-f|--force)|checkout -f|stash (drop|clear)|reflog (expire|delete)|worktree remove)|--force([^-\w]|$)|git brew (delete|purge)\b`)

// TestHints_S44_proposeNothingDestructive: no text that the program can print
// tells anybody to run what can't be taken back.
func TestHints_S44_proposeNothingDestructive(t *testing.T) {
	seen, names := 0, map[ast.Node]bool{}
	for _, src := range readSources(t) {
		ast.Inspect(src.ast, func(n ast.Node) bool {
			if namesJudged(n) || names[n] {
				return false
			}
			if row, ok := n.(*ast.CompositeLit); ok && row.Type == nil && len(row.Elts) > 0 &&
				strings.HasPrefix(src.path, "internal/shellgate/") {
				names[row.Elts[0]] = true
			}
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				return true
			}
			seen++
			if found := destructive.FindString(text); found != "" {
				t.Errorf("%s: %q proposes %q", src.at(lit), text, found)
			}
			return true
		})
	}
	if seen < 1000 {
		t.Errorf("only %d texts seen: the search finds too little", seen)
	}
	for _, bad := range []string{"'git brew delete x'", "git push --force", "rm -rf .git/brew", "git branch -D x"} {
		if !destructive.MatchString(bad) {
			t.Errorf("%q is not found", bad)
		}
	}
}

// namesJudged tells what names a command that the gate judges: a row's list of
// commands, or of their options, and what it says is a person's. Nobody is told
// to run it.
func namesJudged(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		key, ok := n.Key.(*ast.Ident)
		return ok && (key.Name == "names" || key.Name == "flags")
	case *ast.CallExpr:
		does, ok := n.Fun.(*ast.SelectorExpr)
		return ok && does.Sel.Name == "personal"
	}
	return false
}
