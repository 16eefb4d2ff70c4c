package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/git-brew/git-brew"

// The rules of docs/inside/architecture.md. A rule that names something which is not
// there fails: it would guard nothing.

// importRow is what a package may import: paths, or trees where they end in a slash.
type importRow struct {
	pkg  string
	ours []string
	why  string
}

// mayImport says which of our packages each one may import. Nothing imports
// upward; what is missing here must not exist.
var mayImport = []importRow{
	{"internal/safego", nil, "goroutines of which a panic comes back as an error; nothing of ours"},
	{"internal/gitstore/gitfile", nil, "small files, as a program that starts often reads and writes them"},
	{"internal/gitstore/plumbing", nil, "ids, names and the forms of objects; nothing of ours"},
	{"internal/gitstore/gitcmd", []string{"internal/gitstore/plumbing"}, "one place describes a git process"},
	{"internal/gitstore/place", []string{
		"internal/gitstore/gitcmd", "internal/gitstore/gitfile", "internal/gitstore/plumbing",
	}, "where a repository is"},
	{"internal/gitstore/statcache", []string{
		"internal/gitstore/gitfile", "internal/gitstore/place",
	}, "answers, for as long as files stay what they were"},
	{"internal/gitstore/config", []string{
		"internal/gitstore/gitcmd", "internal/gitstore/gitfile", "internal/gitstore/place",
		"internal/gitstore/plumbing", "internal/gitstore/statcache",
	}, "settings, and no ref or object"},
	{"internal/gitstore/odb", []string{
		"internal/gitstore/config", "internal/gitstore/gitcmd", "internal/gitstore/gitfile",
		"internal/gitstore/place", "internal/gitstore/plumbing", "internal/safego",
	}, "objects, and no ref"},
	{"internal/gitstore/refs", []string{
		"internal/gitstore/config", "internal/gitstore/gitcmd", "internal/gitstore/gitfile",
		"internal/gitstore/odb", "internal/gitstore/place", "internal/gitstore/plumbing", "internal/safego",
	}, "refs, which lead to objects"},
	{"internal/gitstore/history", []string{
		"internal/gitstore/gitcmd", "internal/gitstore/gitfile", "internal/gitstore/odb",
		"internal/gitstore/place", "internal/gitstore/plumbing",
	}, "what commits make together"},
	{"internal/gitstore/branch", []string{
		"internal/gitstore/config", "internal/gitstore/gitfile", "internal/gitstore/place",
		"internal/gitstore/plumbing", "internal/gitstore/refs",
	}, "branches and their names"},
	{"internal/gitstore/worktree", []string{
		"internal/gitstore/config", "internal/gitstore/gitcmd", "internal/gitstore/gitfile",
		"internal/gitstore/place", "internal/gitstore/plumbing", "internal/gitstore/refs",
	}, "what is checked out"},
	{"internal/gitstore/remote", []string{
		"internal/gitstore/config", "internal/gitstore/gitcmd", "internal/gitstore/gitfile",
		"internal/gitstore/place", "internal/gitstore/plumbing",
	}, "git processes that talk to a remote"},
	{"internal/gitstore", []string{
		"internal/gitstore/branch", "internal/gitstore/config", "internal/gitstore/gitcmd",
		"internal/gitstore/history", "internal/gitstore/odb", "internal/gitstore/place",
		"internal/gitstore/plumbing", "internal/gitstore/refs", "internal/gitstore/remote",
		"internal/gitstore/statcache", "internal/gitstore/worktree", "internal/safego",
	}, "git, and nothing of ours"},
	{"internal/operation", nil, "the ground of the domain"},
	{"internal/invisible", nil, "a table of characters; all who show or keep a text ask this one"},
	{"internal/glob", nil, "patterns of paths, and no file"},
	{"internal/markdown", nil, "the marks of a line, and no document"},
	{"internal/knowledge", []string{
		"internal/glob", "internal/operation", "internal/invisible", "internal/markdown",
	}, "pure domain"},
	{"internal/task/linemerge", nil, "texts, and nothing of ours"},
	{"internal/task", []string{
		"internal/operation", "internal/knowledge", "internal/invisible",
	}, "pure domain"},
	{"internal/task/question", []string{
		"internal/markdown", "internal/task",
	}, "questions and constraints in a text, and no state"},
	{"internal/task/rules", []string{
		"internal/operation", "internal/knowledge", "internal/task", "internal/task/linemerge", "internal/task/question",
		"internal/invisible",
	}, "what may be done to a state, and what becomes of it"},
	{"internal/task/lease", []string{
		"internal/operation", "internal/task",
	}, "a task's lock, and no state of the task"},
	{"internal/task/route", []string{
		"internal/task", "internal/task/lease", "internal/task/rules",
	}, "what comes next: reads a state and changes none"},
	{"internal/task/report", []string{
		"internal/operation", "internal/knowledge", "internal/task", "internal/task/rules",
	}, "texts made from states"},
	{"internal/pipeline", []string{"internal/invisible"}, "the schema of a document, and nothing of ours"},
	{"internal/redact", nil, "what looks like a secret in a text"},
	{"internal/event", []string{
		"internal/gitstore/gitfile", "internal/redact", "internal/invisible",
	}, "journal and segments know no task and no git; a file and its lock are anybody's"},
	{"internal/stats", []string{"internal/event"}, "sums of events: no file, no git, no clock"},
	{"internal/transcript", []string{
		"internal/redact", "internal/invisible",
	}, "an agent's transcript, and nothing of ours"},
	{"internal/ledger/cache", []string{
		"internal/gitstore/", "internal/operation",
	}, "what was made of records; it knows none"},
	{"internal/ledger", []string{
		"internal/gitstore/", "internal/ledger/cache", "internal/operation",
	}, "names and chains of records, not what is in them"},
	{"internal/ledger/archive", []string{
		"internal/gitstore/", "internal/ledger", "internal/operation",
	}, "one ref for all tasks that ended; the ledger knows its name alone"},
	{"internal/ledger/notes", []string{"internal/gitstore/", "internal/ledger"}, "a view of the tasks, in git's format"},
	{"internal/refsync", []string{
		"internal/safego", "internal/gitstore/", "internal/ledger/", "internal/invisible",
	}, "refs to and from a remote; what is in records it asks"},
	{"internal/runner", nil, "other people's programs; knows nothing of ours"},
	{"internal/worker", []string{"internal/invisible", "internal/runner"}, "agents as programs; knows no task"},
	{"internal/mcpserver", []string{"internal/runner"}, "tools as command lines of git-brew's; knows no task"},
	{"internal/prd", []string{"internal/shellgate"}, "a file of Brigade's, and what its commands do; knows no task"},
	{"internal/importer", []string{
		"internal/document", "internal/invisible", "internal/knowledge", "internal/prd", "internal/redact", "internal/task",
	}, "other systems' files as tasks; changes none"},
	{"internal/shellgate", []string{
		"internal/invisible",
	}, "the syntax of a shell; what a finding repeats of a command it shows as all others do"},
	{"internal/document", []string{"internal/invisible", "internal/markdown"}, "the texts of a task, and no task"},
	{"internal/command", nil, "a table of commands; all who judge one ask this one"},
	{"internal/hooks/prompt", []string{"internal/app/session"}, "what a person typed, and no task"},
	{"internal/hooks/protocol", []string{"internal/invisible"}, "what any client says, and how it is answered"},
	{"internal/hooks/claude", []string{
		"internal/hooks/protocol", "internal/task", "internal/invisible",
	}, "one client's dialect; it decides nothing"},
	{"internal/hooks/dialect", []string{
		"internal/hooks/claude", "internal/hooks/protocol",
	}, "other clients' dialects; they decide nothing"},
	{
		"internal/hooks/place",
		[]string{"internal/hooks/protocol", "internal/app/", "internal/task"},
		"what is known; it decides nothing",
	},
	{"internal/hooks/gate", []string{
		"internal/hooks/claude", "internal/hooks/place", "internal/hooks/protocol",
		"internal/command", "internal/shellgate", "internal/app/", "internal/task", "internal/redact", "internal/invisible",
	}, "whether an agent may; it changes nothing"},
	{"internal/hooks", []string{
		"internal/hooks/", "internal/safego", "internal/shellgate", "internal/app/", "internal/task/",
		"internal/knowledge", "internal/operation", "internal/event", "internal/redact", "internal/invisible",
	}, "an agent's JSON; never streams, never git"},
	{"internal/hooks/settings", []string{
		"internal/command", "internal/hooks/claude", "internal/hooks/protocol",
	}, "the text of a settings file; never the file"},
	{"internal/plugin", nil, "texts for an agent's client, and whose a file is; nothing of ours"},
	{"internal/setup", []string{
		"internal/gitstore/", "internal/ledger/", "internal/hooks/", "internal/task/linemerge", "internal/plugin",
	}, "a person's files: git's configuration, the agent's settings, git's hooks"},
	{"internal/ui", []string{
		"internal/app/", "internal/refsync", "internal/task/", "internal/knowledge", "internal/operation",
		"internal/event", "internal/invisible",
	}, "views: types only, it loads nothing"},
	{"internal/view", []string{
		"internal/pipeline", "internal/document", "internal/stats", "internal/gitstore/", "internal/ledger/",
		"internal/refsync", "internal/setup", "internal/app/", "internal/ui", "internal/task/",
		"internal/knowledge", "internal/operation", "internal/event",
	}, "JSON documents: types and pure functions, it loads nothing"},
	{"internal/cli/build", []string{"internal/gitstore/gitfile"}, "which build this is: what is known of its file"},
	{"internal/cli/terminal", nil, "what is at the other end of a file; nothing of ours"},
	{
		"internal/cli", slices.Concat(commandGround, []string{"internal/command"}),
		"what all commands share, and no command",
	},
	{
		"internal/cli/taskview", slices.Concat(commandGround, []string{"internal/cli"}),
		"what several commands print of a task",
	},
	{
		"internal/cli/adapter", slices.Concat(commandGround, []string{"internal/cli"}),
		"the use cases, as hooks asks for them",
	},
	{"cmd/git-brew-mcp", []string{
		"internal/cli/build", "internal/mcpserver", "internal/runner",
	}, "a second roof, so that no hook pays for the protocol"},
	{"cmd/git-brew", slices.Concat(commandGround, []string{"internal/command", "internal/cli/"}), "the roof"},
}

// groupsOfCommands are the packages of commands. None imports another.
var groupsOfCommands = []struct{ pkg, why string }{
	{"tasks", "a task as a whole"},
	{"work", "what is done for a task"},
	{"look", "what a task was and is, and what happened"},
	{"share", "this clone, and the others"},
	{"mind", "what is worth remembering, and what an agent may do"},
	{"agent", "what an agent's client calls"},
}

// commandGround is what everything below internal/cli may import.
var commandGround = []string{
	"internal/view", "internal/safego", "internal/runner", "internal/pipeline", "internal/gitstore/", "internal/ledger/",
	"internal/refsync", "internal/app/", "internal/hooks/", "internal/setup", "internal/ui", "internal/task/",
	"internal/knowledge", "internal/operation", "internal/event", "internal/stats", "internal/document",
	"internal/plugin", "internal/importer",
}

// useCases are the packages of internal/app, in order: each may import those before
// it, and what is in the ground of them all.
var useCases = []struct{ pkg, why string }{
	{"clone", "this clone as a caller sees it; all others begin with it"},
	{"config", "settings"},
	{"records", "reading; it changes nothing"},
	{"journal", "what happened, without secrets"},
	{"worktree", "which task a work tree is about"},
	{"codediff", "the commits of a task"},
	{"overlap", "what live branches make of each other"},
	{"lock", "who may act"},
	{"change", "the engine; it knows of its observers nothing but their interface"},
	{"steps", "an observer of changes"},
	{"trust", "what waits for the person's word"},
	{"archive", "tasks that ended long ago"},
	{"exchange", "records here and on a remote"},
	{"claim", "taking a lock, at the arbiter too"},
	{"doctor", "checks and mends what the others keep"},
	{"session", "what an agent's session is at"},
	{"next", "what comes next, and who is asked"},
	{"learn", "knowledge and backlog"},
	{"texts", "documents"},
	{"phase", "phases, planned and moved"},
	{"review", "verification, remarks, verdicts"},
	{"trees", "the linked work trees that workers are at work in"},
	{"flaws", "what is wrong with work, though its commands may pass"},
	{"run", "phases carried out by workers"},
	{"", "tasks, and the wiring of all"},
}

// useCaseGround is what every package of internal/app may import.
var useCaseGround = []string{
	"internal/glob", "internal/safego", "internal/runner", "internal/pipeline", "internal/gitstore/", "internal/ledger/",
	"internal/refsync", "internal/task/", "internal/knowledge", "internal/operation", "internal/event", "internal/redact",
	"internal/stats", "internal/transcript", "internal/document", "internal/invisible", "internal/worker", "internal/prd",
	"internal/importer",
}

// door says where a package from outside, or of the standard library, comes
// in. A path that ends in / means all below it.
var doors = []struct {
	path string
	pkgs []string
	why  string
}{
	{
		"github.com/go-git/",
		[]string{"internal/gitstore/odb", "internal/gitstore/plumbing"},
		"its refs and packs are not to be trusted; see docs/inside/decisions.md",
	},
	{"os/exec", []string{
		"internal/gitstore/config", "internal/gitstore/gitcmd", "internal/gitstore/odb",
		"internal/gitstore/remote", "internal/runner",
	}, "one place runs git, and one runs other people's programs"},
	{"golang.org/x/sys/", []string{
		"internal/gitstore/gitcmd", "internal/gitstore/gitfile", "internal/gitstore/place",
		"internal/gitstore/refs", "internal/runner", "internal/cli/build", "internal/cli/terminal",
		"cmd/git-brew",
	}, "locks, jobs and the terminal"},
	{
		"mvdan.cc/sh/",
		[]string{"internal/shellgate"},
		"what a shell command may do; what runs without a shell needs no grammar",
	},
	{"github.com/modelcontextprotocol/", []string{"cmd/git-brew-mcp", "internal/mcpserver"}, "2 ms at every start"},
	{"github.com/spf13/", []string{"cmd/git-brew", "internal/cli/"}, "the faces must work without a command line"},
	{"golang.org/x/text/width", []string{"internal/ui"}, "how wide a character is; it adds no initialiser"},
	{"github.com/sergi/go-diff/", []string{"internal/task/linemerge"}, "one way to merge texts"},
	{"github.com/rogpeppe/go-internal/diff", []string{"internal/task/linemerge"}, "one way to show changed lines"},
	{"github.com/Masterminds/semver/v3", []string{
		"internal/operation", "internal/pipeline", "internal/app/config",
		"internal/cli/share",
	}, "one way to read versions and ranges; it costs 0.2 ms at a start"},
}

// pure lists what the domain must not import: a fold that looks at the world
// gives two machines two states.
var (
	pure = []string{
		"internal/operation", "internal/knowledge", "internal/task", "internal/task/lease",
		"internal/task/linemerge", "internal/task/question", "internal/task/report", "internal/task/route",
		"internal/task/rules", "internal/shellgate", "internal/pipeline", "internal/document", "internal/invisible",
		"internal/markdown",
	}
	impure = []string{
		"os", "os/", "net", "net/", "log", "log/", "syscall", "path/filepath", "runtime", "math/rand",
		"math/rand/", "context",
	}
	onlyInRoof = []struct {
		name string // package.Name
		also []string
		why  string
	}{
		{"os.Exit", nil, "errors are returned; main.go exits"},
		{"os.Getenv", nil, "the environment is passed in"},
		{"os.LookupEnv", nil, "the environment is passed in"},
		{"os.Environ", []string{"internal/gitstore"}, "the environment is passed in; gitstore defaults to it"},
		{"os.Stdin", nil, "streams are passed in"},
		{"os.Stdout", nil, "streams are passed in"},
		{"os.Stderr", nil, "streams are passed in"},
		{"os.Args", nil, "arguments are passed in"},
		{"os.Getwd", []string{"internal/gitstore"}, "the directory is passed in; gitstore defaults to it"},
		{"os.Chdir", nil, "two work trees are used at once"},
		{
			"unicode.Cf",
			[]string{"internal/gitstore/plumbing", "internal/ui"},
			"what nobody sees is one table, internal/invisible; git's own rule of names, and widths, are others",
		},
		{
			"sync.WaitGroup",
			[]string{"internal/safego"},
			"a panic in what it starts is exit 2, by which a hook blocks; safego.Group recovers",
		},
		{"time.Now", []string{"internal/gitstore"}, "the clock is passed in; gitstore defaults to it"},
		{"time.Since", nil, "the clock is passed in"},
		{"fmt.Print", nil, "streams are passed in"},
		{"fmt.Println", nil, "streams are passed in"},
		{"fmt.Printf", nil, "streams are passed in"},
	}
)

// roof are the files that may touch the process itself.
var roof = []string{"cmd/git-brew/main.go", "cmd/git-brew/env.go", "cmd/git-brew-mcp/main.go"}

// notLinked must not be in the program at all, not even through others: its
// start-up is paid by every hook (GODEBUG=inittrace=1 shows the price).
var notLinked = []struct{ path, why string }{
	{"github.com/go-git/go-git/v5", "0.4 ms at every start"},
	{"net/http", "0.5 ms at every start; git does the network"},
	{"crypto/tls", "comes with net/http"},
	{"github.com/charmbracelet/lipgloss", "0.3 ms at every start; see docs/inside/decisions.md"},
	{"github.com/yuin/goldmark/util", "0.5 ms at every start, and its parser 0.25 more; see docs/inside/decisions.md"},
	{"github.com/mattn/go-runewidth", "0.1 ms at every start; see docs/inside/decisions.md"},
}

// source is one Go file of the program, tests left out.
type source struct {
	pkg, path string // relative to the module
	ast       *ast.File
	set       *token.FileSet
}

// matrix is mayImport with a row for each package of internal/app, and each group of commands.
func matrix() []importRow {
	all := slices.Clone(mayImport)
	ours := slices.Clone(useCaseGround)
	for _, row := range useCases {
		pkg := strings.TrimSuffix("internal/app/"+row.pkg, "/")
		all = append(all, importRow{pkg, slices.Clone(ours), row.why})
		ours = append(ours, pkg)
	}
	shared := []string{
		"internal/cli", "internal/cli/taskview", "internal/cli/adapter", "internal/cli/build",
		"internal/cli/terminal",
	}
	for _, row := range groupsOfCommands {
		all = append(all, importRow{"internal/cli/" + row.pkg, slices.Concat(commandGround, shared), row.why})
	}
	return all
}

// inTree reports whether a path is a pattern's: the path itself, or below it where the
// pattern ends in a slash.
func inTree(path, pattern string) bool {
	top, tree := strings.CutSuffix(pattern, "/")
	return path == top || tree && strings.HasPrefix(path, pattern)
}

func TestImports_onlyDownward(t *testing.T) {
	sources, mayImport := readSources(t), matrix()
	seen := map[string]bool{}
	for _, src := range sources {
		seen[src.pkg] = true
	}
	for _, row := range mayImport {
		if !seen[row.pkg] {
			t.Errorf("mayImport names %s, which is not there", row.pkg)
		}
		delete(seen, row.pkg)
	}
	for pkg := range seen {
		t.Errorf("%s is not in mayImport: say what it may import, and why", pkg)
	}
	for _, src := range sources {
		for _, path := range src.imports() {
			inner, ours := strings.CutPrefix(path, modulePath+"/")
			if !ours {
				continue
			}
			for _, row := range mayImport {
				if row.pkg == src.pkg && !slices.ContainsFunc(row.ours, func(p string) bool { return inTree(inner, p) }) {
					t.Errorf("%s imports %s; %s is %s", src.path, inner, row.pkg, row.why)
				}
			}
		}
	}
}

func TestImports_librariesEnterAtOneDoor(t *testing.T) {
	for _, door := range doors {
		used := false
		for _, src := range readSources(t) {
			for _, path := range src.imports() {
				if !under(path, door.path) {
					continue
				}
				used = true
				if !slices.ContainsFunc(door.pkgs, func(p string) bool { return inTree(src.pkg, p) }) {
					t.Errorf("%s imports %s, which only %v may: %s", src.path, path, door.pkgs, door.why)
				}
			}
		}
		if !used {
			t.Errorf("nothing imports %s any more: drop its door", door.path)
		}
	}
}

func TestImports_domainIsPure(t *testing.T) {
	for _, src := range readSources(t) {
		if !slices.Contains(pure, src.pkg) {
			continue
		}
		for _, path := range src.imports() {
			if slices.ContainsFunc(impure, func(ban string) bool { return under(path, ban) }) {
				t.Errorf("%s imports %s: a fold must not look at the world", src.path, path)
			}
		}
	}
}

func TestSources_worldIsPassedIn(t *testing.T) {
	for _, src := range readSources(t) {
		if slices.Contains(roof, src.path) {
			continue
		}
		for name, line := range src.selectors() {
			for _, rule := range onlyInRoof {
				if rule.name == name && !slices.Contains(rule.also, src.pkg) {
					t.Errorf("%s:%d uses %s: %s", src.path, line, name, rule.why)
				}
			}
		}
	}
}

func TestSources_manners(t *testing.T) {
	names := 0
	for _, src := range readSources(t) {
		ast.Inspect(src.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s has an init: start-up is paid by every hook", src.at(n))
				}
			case *ast.CallExpr:
				if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "panic" {
					t.Errorf("%s panics: return an error", src.at(n))
				}
			case *ast.GoStmt:
				if !recovers(n.Call.Fun) {
					t.Errorf("%s starts a goroutine that does not begin with 'defer func() { … recover() … }()': a panic there "+
						"is exit 2, by which a hook blocks", src.at(n))
				}
			case *ast.BasicLit:
				if n.Kind != token.STRING || !strings.Contains(n.Value, "refs/brew") {
					return true
				}
				if src.path == "internal/ledger/layout.go" {
					names++
				} else if src.pkg != "cmd/git-brew" && !inTree(src.pkg, "internal/cli/") &&
					src.path != "internal/shellgate/keeps.go" {
					// Help texts may name them, and the gate knows them in a shell
					// command (TestGate_BW48_knowsOurRefs).
					t.Errorf("%s spells a ref's name: only ledger's layout.go does", src.at(n))
				}
			}
			return true
		})
		for _, decl := range src.ast.Decls {
			for _, call := range packageLevelCalls(decl) {
				if strings.HasPrefix(call, "regexp.") {
					t.Errorf("%s calls %s at start-up, which every hook pays for", src.path, call)
				}
			}
		}
	}
	if names == 0 {
		t.Error("internal/ledger/layout.go spells no refs/brew name: the rule guards nothing")
	}
}

// recovers reports whether a function is written out, and begins with the defer of one
// that recovers.
func recovers(fun ast.Expr) bool {
	lit, ok := fun.(*ast.FuncLit)
	if !ok || len(lit.Body.List) == 0 {
		return false
	}
	first, ok := lit.Body.List[0].(*ast.DeferStmt)
	if !ok {
		return false
	}
	found := false
	ast.Inspect(first, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		found = found || ok && name.Name == "recover"
		return true
	})
	return found
}

// BW-43: what every hook pays before it begins stays next to nothing.
func TestLinked_startUpStaysCheap(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", modulePath+"/cmd/git-brew").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	linked := strings.Fields(string(out))
	for _, ban := range notLinked {
		if slices.Contains(linked, ban.path) {
			t.Errorf("the program links %s: %s", ban.path, ban.why)
		}
	}
}

// readSources parses every Go file of the program.
func readSources(t *testing.T) []source {
	t.Helper()
	root := filepath.Join("..", "..")
	var sources []source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || strings.HasSuffix(name, "test") ||
				name != ".." && strings.HasPrefix(name, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		sources = append(sources, source{pkg: rel[:max(0, strings.LastIndex(rel, "/"))], path: rel, ast: file, set: set})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(sources) == 0 {
		t.Fatal("no Go files found")
	}
	return sources
}

func (s source) imports() []string {
	var paths []string
	for _, spec := range s.ast.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

func (s source) line(n ast.Node) int { return s.set.Position(n.Pos()).Line }

func (s source) at(n ast.Node) string { return s.path + ":" + strconv.Itoa(s.line(n)) }

// selectors are the names of other packages that the file uses.
func (s source) selectors() map[string]int {
	used := map[string]int{}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := sel.X.(*ast.Ident); ok {
				used[pkg.Name+"."+sel.Sel.Name] = s.line(sel)
			}
		}
		return true
	})
	return used
}

// packageLevelCalls are the functions that a declaration calls at start-up.
func packageLevelCalls(decl ast.Decl) []string {
	general, ok := decl.(*ast.GenDecl)
	if !ok || general.Tok != token.VAR {
		return nil
	}
	calls := map[string]bool{}
	ast.Inspect(general, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				if pkg, ok := sel.X.(*ast.Ident); ok {
					calls[pkg.Name+"."+sel.Sel.Name] = true
				}
			}
		}
		return true
	})
	return slices.SortedFunc(maps.Keys(calls), cmp.Compare[string])
}

// under says that a rule about ban covers path.
func under(path, ban string) bool {
	if strings.HasSuffix(ban, "/") {
		return strings.HasPrefix(path, ban)
	}
	return path == ban
}
