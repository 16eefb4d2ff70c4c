package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fieldsPage has the fields of all that git brew stores, as the types that hold them
// and their comments say: a field that is added is documented there, or not at all.
const fieldsPage = "docs/reference/fields.md"

// storedTypes are the roots: what stands in files of its own. Types of their fields
// follow them.
var storedTypes = []struct{ title, dir, name string }{
	{"An operation: `op.json`", "internal/operation", "Operation"},
	{"A task: `task.json`", "internal/task", "Task"},
	{"A lock: `lock.json`", "internal/task/lease", "Lock"},
	{"An entry of knowledge: a line of `knowledge.jsonl`", "internal/knowledge", "Entry"},
	{"An item of the backlog: a line of `backlog.jsonl`", "internal/knowledge", "Item"},
	{"A session: a file in a clone's record", "internal/app/clone", "Session"},
}

// payloadDirs have the payloads of operations, each of which says whose it is.
var payloadDirs = []string{"internal/task", "internal/knowledge", "internal/app/config"}

func TestDocs_fields(t *testing.T) {
	compareGenerated(t, fieldsPage, newFieldsDoc(t).text())
}

// A goStruct is a type as its source says it.
type goStruct struct {
	dir, name, doc string
	fields         []goField
}

type goField struct {
	name, json, typ, doc string
	embeds               string // it has that type's fields
	optional             bool
	refers               []string // types of the same package that it holds
}

// fieldsDoc makes the page.
type fieldsDoc struct {
	structs map[string]goStruct // by directory and name
	scalars map[string]string   // a named type that is no struct: what JSON it is
	values  map[string][]string // what texts a named type has
	kinds   map[string]string   // the text that a constant is: OpCreate, task.create
	b       strings.Builder
	told    map[string]bool
}

func newFieldsDoc(t *testing.T) *fieldsDoc {
	t.Helper()
	d := &fieldsDoc{
		structs: map[string]goStruct{}, scalars: map[string]string{}, kinds: map[string]string{},
		values: map[string][]string{}, told: map[string]bool{},
	}
	dirs := slices.Clone(payloadDirs)
	for _, s := range storedTypes {
		dirs = append(dirs, s.dir)
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		d.read(t, dir)
	}
	return d
}

func (d *fieldsDoc) read(t *testing.T, dir string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, data, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range gen.Specs {
					d.add(dir, gen, spec)
				}
			}
		}
	}
}

func (d *fieldsDoc) add(dir string, gen *ast.GenDecl, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		d.addConst(dir, s)
	case *ast.TypeSpec:
		st, ok := s.Type.(*ast.StructType)
		if !ok {
			d.scalars[dir+"."+s.Name.Name] = jsonOf(s.Type)
			return
		}
		made := goStruct{dir: dir, name: s.Name.Name, doc: gen.Doc.Text()}
		if s.Doc != nil {
			made.doc = s.Doc.Text()
		}
		for _, f := range st.Fields.List {
			made.fields = append(made.fields, fieldsOf(f)...)
		}
		d.structs[dir+"."+s.Name.Name] = made
	}
}

// addConst notes the text that a constant is, and that its type may be.
func (d *fieldsDoc) addConst(dir string, s *ast.ValueSpec) {
	if len(s.Names) != 1 || len(s.Values) != 1 {
		return
	}
	lit, ok := s.Values[0].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING || lit.Value == `""` || len(lit.Value) > 40 {
		return
	}
	value, _ := strconv.Unquote(lit.Value)
	d.kinds[s.Names[0].Name] = value
	if of, ok := s.Type.(*ast.Ident); ok && of.Name != "DocName" { // phases have documents too
		d.values[dir+"."+of.Name] = append(d.values[dir+"."+of.Name], "`"+value+"`")
	}
}

// fieldsOf are those that JSON has. A comment above several fields stands with the first.
func fieldsOf(f *ast.Field) []goField {
	if f.Tag == nil {
		if of, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 {
			return []goField{{embeds: of.Name}}
		}
		return nil
	}
	tag, _ := strconv.Unquote(f.Tag.Value)
	name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	if name == "-" || name == "" {
		return nil
	}
	field := goField{
		json: name, typ: jsonOf(f.Type), doc: f.Doc.Text() + f.Comment.Text(),
		optional: strings.Contains(options, "omit"),
	}
	if len(f.Names) > 0 {
		field.name = f.Names[0].Name
	}
	ast.Inspect(f.Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			field.refers = append(field.refers, id.Name)
		}
		return true
	})
	return []goField{field}
}

// jsonOf is what a Go type is in JSON.
func jsonOf(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.Ident:
		switch t.Name {
		case "string", "bool":
			return map[string]string{"string": "text", "bool": "true or false"}[t.Name]
		case "int", "int64", "uint64":
			return "number"
		}
		return t.Name
	case *ast.StarExpr:
		return jsonOf(t.X)
	case *ast.ArrayType:
		return "list of " + jsonOf(t.Elt)
	case *ast.MapType:
		return "object of " + jsonOf(t.Value)
	case *ast.SelectorExpr:
		if t.Sel.Name == "RawMessage" {
			return "object"
		}
		return t.Sel.Name
	}
	return "object"
}

func (d *fieldsDoc) text() string {
	d.b.WriteString("# Fields\n\n" +
		"This page is made of the program's types and their comments by\n" +
		"`go test ./cmd/git-brew -run TestDocs -update`; do not edit it.\n" +
		"[format.md](format.md) says where these stand, and what becomes of them.\n\n" +
		"A field that is marked ? is left away where it says nothing.\n")
	for _, s := range storedTypes {
		if _, known := d.structs[s.dir+"."+s.name]; !known {
			return "there is no " + s.name + " in " + s.dir + "\n"
		}
		fmt.Fprintf(&d.b, "\n## %s\n", s.title)
		d.tell(d.structs[s.dir+"."+s.name], "")
	}
	d.b.WriteString("\n## What operations carry: `payload`\n")
	payloads := map[string]goStruct{}
	for _, key := range slices.Sorted(maps.Keys(d.structs)) { // the task's counts, where the project has it too
		if kinds := d.kindsOf(d.structs[key]); len(kinds) > 0 {
			payloads[strings.Join(kinds, ", ")] = d.structs[key]
		}
	}
	for _, kinds := range slices.Sorted(maps.Keys(payloads)) {
		of := payloads[kinds]
		d.told[of.dir+"."+of.name] = true
		fmt.Fprintf(&d.b, "\n### %s\n", kinds)
		if why := strings.TrimLeft(carriedBy.ReplaceAllString(of.doc, ""), ":.; \n"); why != "" {
			why = d.said(of, goField{doc: why})
			fmt.Fprintf(&d.b, "\n%s\n", strings.ToUpper(why[:1])+why[1:])
		}
		d.tell(of, "")
	}
	return d.b.String()
}

var carriedBy = regexp.MustCompile(`(?s)^\w+ is what (.*?) carr(?:y|ies)`)

// kindsOf are the kinds of operations that a payload is of, as its comment says.
func (d *fieldsDoc) kindsOf(s goStruct) []string {
	m := carriedBy.FindStringSubmatch(s.doc)
	if m == nil || !slices.Contains(payloadDirs, s.dir) {
		return nil
	}
	var kinds []string
	for word := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return r == ' ' || r == ',' || r == '\n' }) {
		if kind, ok := d.kinds[word]; ok {
			kinds = append(kinds, "`"+kind+"`")
		}
	}
	return kinds
}

// tell writes a type's table, and the types that it holds behind it.
func (d *fieldsDoc) tell(s goStruct, head string) {
	d.b.WriteString(head)
	if len(s.fields) == 0 {
		d.b.WriteString("\nNothing.\n")
		return
	}
	d.b.WriteString("\n| field | is | holds |\n|---|---|---|\n")
	var later []goStruct
	for _, f := range d.flat(s) {
		mark := ""
		if f.optional {
			mark = " ?"
		}
		fmt.Fprintf(&d.b, "| `%s`%s | %s | %s |\n", f.json, mark, d.shown(s.dir, f), d.said(s, f))
		for _, name := range f.refers {
			key := s.dir + "." + name
			if _, is := d.structs[key]; !is && s.dir != "internal/task" {
				key = "internal/task." + name
			}
			if of, ok := d.structs[key]; ok && !d.told[key] {
				d.told[key] = true
				later = append(later, of)
			}
		}
	}
	for _, of := range later {
		d.tell(of, "\n#### "+of.name+"\n")
	}
}

// flat are a type's fields, with those of the types that it embeds.
func (d *fieldsDoc) flat(s goStruct) []goField {
	var all []goField
	for _, f := range s.fields {
		if f.embeds == "" {
			all = append(all, f)
			continue
		}
		all = append(all, d.flat(d.structs[s.dir+"."+f.embeds])...)
	}
	return all
}

// shown is a field's type, in JSON's words where it is no object.
func (d *fieldsDoc) shown(dir string, f goField) string {
	words := strings.Split(f.typ, " ")
	last := words[len(words)-1]
	if scalar, ok := d.scalars[dir+"."+last]; ok {
		if _, again := d.scalars[dir+"."+scalar]; again {
			scalar = "text"
		}
		words[len(words)-1] = scalar
	} else if _, is := d.structs[dir+"."+last]; !is && last != strings.ToLower(last) {
		words[len(words)-1] = "text"
	}
	return strings.Join(words, " ")
}

// seeAlso leads a reader of the code to a function of it.
var seeAlso = regexp.MustCompile(`[:;] see (?:(?:[A-Z]\w+\.)?[A-Z]\w+|\w+Of)(?: and \w+)?\b`)

var identifier = regexp.MustCompile(`\b(?:[A-Z]\w*\.)?[A-Z]\w+\b`)

// said is a field's comment on one line, in which fields have the names that JSON gives
// them.
func (d *fieldsDoc) said(s goStruct, f goField) string {
	text := seeAlso.ReplaceAllString(strings.Join(strings.Fields(f.doc), " "), "")
	text = identifier.ReplaceAllStringFunc(text, func(word string) string {
		of, name, qualified := strings.Cut(word, ".")
		fields := s.fields
		if qualified {
			fields = d.structs[s.dir+"."+of].fields
		} else {
			name = of
		}
		for _, other := range fields {
			if other.name == name {
				return "`" + other.json + "`"
			}
		}
		if kind, ok := d.kinds[word]; ok {
			return "`" + kind + "`"
		}
		if kinds := d.kindsOf(d.structs[s.dir+"."+word]); len(kinds) > 0 {
			return strings.Join(kinds, ", ")
		}
		return word
	})
	if values := d.values[s.dir+"."+f.typ]; len(values) > 0 {
		if text != "" {
			text = strings.TrimSuffix(text, ".") + ". "
		}
		text += "One of " + strings.Join(values, ", ") + "."
	}
	return strings.ReplaceAll(text, "|", "\\|")
}
