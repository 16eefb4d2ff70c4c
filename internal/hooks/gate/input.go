package gate

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// input is what the input of a call holds, found by the names of its fields, at
// whatever depth.
type input struct {
	commands []string // for a shell
	orders   bool     // a field for commands holds something
	// beside: something else decides about the commands, too. more: there is something
	// that nobody looked at.
	beside, more bool
	// dirs are where the commands run.
	dirs []string
	// paths are what may be written, by fields that say so and by the heads of patches.
	paths []string
	// code is for something else than a shell to run; path and content are what a file on
	// the disk is written with.
	code, path, content bool
}

// Names of fields that decide, in small letters without marks.
const (
	commandFields = "command cmd commandline shellcommand bashcommand clicommand commands cmds commandlines"
	dirFields     = "workdir cwd dir directory dirpath workingdirectory workingdir"
	besideFields  = "args argv arguments env environment interpreter executable program input stdin shell"
	codeFields    = "code script sql statement expression snippet javascript python"
)

// Words in names of fields: of what is to be written, of where, and of addresses that
// are none on the disk for certain.
const (
	contentWords = "content contents edit edits diff patch replace replacement replacements new insert append"
	pathWords    = "from to output path paths file files filename filepath destination dest folder dir directory"
	addressWords = "target source uri url location"
)

// What is looked at: how deep, and how many paths.
const (
	maxInputDepth = 8
	maxPaths      = 64
)

func readInput(p protocol.Payload) input {
	var in input
	var v any
	_ = json.Unmarshal(p.ToolInput, &v)
	in.walk("", v, 0)
	return in
}

func (in *input) runs() bool { return in.more || len(in.commands) > 0 }

// walk looks at a value; name is the field that it stands in. A list in a field for
// commands is the words of one, or several.
func (in *input) walk(name string, v any, depth int) {
	if depth > maxInputDepth || len(in.paths) > maxPaths {
		in.more = true
		return
	}
	field, held := strings.Join(Words(name), ""), false
	runs := among(commandFields, field)
	switch v := v.(type) {
	case map[string]any:
		held = len(v) > 0
		in.more = in.more || held && runs
		from, behind := len(in.commands), ""
		for _, key := range slices.Sorted(maps.Keys(v)) {
			in.walk(key, v[key], depth+1)
			if list, ok := v[key].([]any); ok && among("args argv arguments", strings.ToLower(key)) {
				behind += " " + in.quoted(list)
			}
		}
		for i := range in.commands[from:] {
			in.commands[from+i] += behind
		}
	case []any:
		held = len(v) > 0
		if held && runs && !strings.HasSuffix(field, "s") {
			in.commands, name = append(in.commands, in.quoted(v)), ""
		}
		for _, one := range v {
			in.walk(name, one, depth+1)
		}
	case string:
		held = v != ""
		in.content = in.content || field == "filetext" || named(name, contentWords) // an empty text empties a file
		in.text(name, v, runs)
		if held && among(dirFields, field) {
			in.dirs = append(in.dirs, v)
			return
		}
	default:
		in.more = in.more || runs && v != nil
	}
	if held {
		in.orders = in.orders || runs
		in.content = in.content || named(name, contentWords)
		in.code = in.code || among(codeFields, field)
		in.beside = in.beside || among(besideFields+" "+dirFields, field)
	}
}

// quoted are the words of a list as a shell reads them.
func (in *input) quoted(list []any) string {
	words := make([]string, len(list))
	for i, one := range list {
		word, ok := one.(string)
		in.more = in.more || !ok
		words[i] = quote(word)
	}
	return strings.Join(words, " ")
}

// text looks at a text.
func (in *input) text(name, text string, runs bool) {
	patch := strings.HasPrefix(strings.TrimSpace(text), "*** Begin Patch")
	in.content = in.content || patch
	in.path = in.path || patch || text != "" && named(name, pathWords) && !named(name, contentWords)
	if text != "" && runs {
		in.commands = append(in.commands, text)
	}
	switch {
	case strings.Contains(text, "\n"), strings.HasPrefix(text, "***"):
		in.patch(text)
	case text != "" && (named(name, pathWords) || named(name, addressWords)):
		in.paths = append(in.paths, text)
	}
}

// patch takes the files that a patch names in its heads.
func (in *input) patch(text string) {
	for line := range strings.Lines(text) {
		for _, head := range []string{
			"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ", "+++ ", "--- ",
			"rename from ", "rename to ", "copy from ", "copy to ",
		} {
			path, ok := strings.CutPrefix(strings.TrimSpace(line), head)
			if in.more = in.more || ok && len(in.paths) >= maxPaths; ok && !in.more {
				path = strings.Trim(path, `"`)
				in.paths = append(in.paths, strings.TrimPrefix(strings.TrimPrefix(path, "a/"), "b/"))
			}
		}
	}
}

func named(name, words string) bool {
	return anyOf(Words(name), words)
}

func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
