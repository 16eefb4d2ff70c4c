package gate

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// input is what the input of a call holds, found by the names of its fields, at
// whatever depth.
type input struct {
	commands []shellText
	here     surroundings
	// beside: something else decides about the commands, too. more: there is something
	// that nobody looked at.
	beside, more bool
	// paths are what may be written, by fields that say so and by the heads of patches.
	paths []string
	// code is for something else than a shell to run; path and content are what a file on
	// the disk is written with.
	code, path, content bool
}

// shellText is a text for a shell, with the cd that stands before it.
type shellText struct{ place, text string }

// surroundings are what the object that is looked at says of its commands: the cd before
// them, and the words behind them. above: an object around it has such words.
type surroundings struct {
	place, behind string
	above         bool
}

// Names of fields that decide, in small letters without marks.
const (
	commandFields  = "command cmd commandline shellcommand bashcommand clicommand"
	commandsFields = "commands cmds commandlines" // several of them
	placeFields    = "workdir cwd dir directory dirpath workingdirectory workingdir"
	wordsFields    = "args argv arguments" // behind a command
	besideFields   = "env environment interpreter executable program input stdin"
	codeFields     = "code script sql statement expression snippet javascript python"
)

// Words in names of fields: of what is to be written, of where, and of addresses that
// are none on the disk for certain.
const (
	contentWords = "content contents edit edits diff patch replace replacement replacements new insert append"
	pathWords    = "from to output path paths file files filename filepath destination dest folder dir directory"
	addressWords = "target source uri url location"
)

// commonShells are values of a field "shell" that change nothing.
const commonShells = "sh bash zsh /bin/sh /bin/bash /bin/zsh /usr/bin/sh /usr/bin/bash /usr/bin/zsh"

// What is looked at: how deep, and how many paths.
const (
	maxInputDepth = 8
	maxPaths      = 64
)

// readInput looks through the input of a call.
func readInput(p protocol.Payload) input {
	var in input
	var v any
	_ = json.Unmarshal(p.ToolInput, &v)
	in.walk("", v, p.Cwd, 0)
	return in
}

// runs reports whether the input is for a shell.
func (in *input) runs() bool { return in.more || len(in.commands) > 0 }

// walk looks at a value; name is the field that it stands in.
func (in *input) walk(name string, v any, cwd string, depth int) {
	if depth > maxInputDepth || len(in.paths) > maxPaths {
		in.more = true
		return
	}
	field := strings.Join(Words(name), "")
	switch v := v.(type) {
	case map[string]any:
		in.more = in.more || len(v) > 0 && among(commandsFields, field)
		outer := in.here
		in.here = in.surround(v, cwd)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			in.walk(key, v[key], cwd, depth+1)
		}
		in.here = outer
	case []any:
		if among(commandFields, field) { // the words of one
			text, ok := quotedWords(v)
			in.add(text)
			in.more, name = in.more || !ok, ""
		} else if among(wordsFields, field) {
			_, ok := quotedWords(v)
			in.more, name = in.more || !ok && len(v) > 0, ""
		} else if among(commandsFields, field) {
			name = "command"
			in.more = in.more || slices.ContainsFunc(v, notCommand)
		}
		for _, one := range v {
			in.walk(name, one, cwd, depth+1)
		}
	case string:
		in.text(name, field, v)
	}
	text, isText := v.(string)
	if isText || holds(v) { // an empty text empties a file
		in.content = in.content || field == "filetext" || named(name, contentWords)
	}
	if holds(v) {
		_, isList := v.([]any)
		in.code = in.code || among(codeFields, field)
		in.beside = in.beside || among(besideFields, field) || among(wordsFields, field) && !isList ||
			field == "shell" && !among(commonShells, text)
	}
}

// surround reads what an object says of its commands. Where it names no directory, or one
// that begins in another, that of the object around it counts.
func (in *input) surround(v map[string]any, cwd string) surroundings {
	outer, own := in.here.place, ""
	here := surroundings{above: in.here.above || in.here.behind != ""}
	for _, key := range slices.Sorted(maps.Keys(v)) {
		field := strings.Join(Words(key), "")
		list, isList := v[key].([]any)
		if !isList {
			list = []any{v[key]}
		}
		switch {
		case isList && len(list) > 0 && among(wordsFields, field):
			text, _ := quotedWords(list)
			here.behind += " " + text
		case among(placeFields, field):
			for _, one := range list {
				if dir, _ := one.(string); dir != "" {
					own += placed(dir, cwd)
					if filepath.IsAbs(dir) {
						outer = ""
					}
				}
			}
		}
	}
	here.place = outer + own
	return here
}

// add notes a text for a shell. Whether words that stand outside its object belong to it
// nobody can tell.
func (in *input) add(text string) {
	in.commands = append(in.commands, shellText{in.here.place, text + in.here.behind})
	in.beside = in.beside || in.here.above
}

// notCommand reports what is neither a text nor the words of one.
func notCommand(v any) bool {
	_, isText := v.(string)
	_, isList := v.([]any)
	return !isText && !isList
}

// text looks at a text.
func (in *input) text(name, field, text string) {
	patch := strings.HasPrefix(strings.TrimSpace(text), "*** Begin Patch")
	in.content = in.content || patch
	in.path = in.path || patch || text != "" && named(name, pathWords) && !named(name, contentWords)
	if text != "" && (among(commandFields, field) || among(commandsFields, field)) {
		in.add(text)
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

// named reports whether a name has one of the words in it.
func named(name, words string) bool {
	return anyOf(Words(name), words)
}

// holds reports whether a value is a text, a list or an object that is not empty.
func holds(v any) bool {
	switch v := v.(type) {
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return false
}

// quotedWords are words as a shell reads them; false: one is no text.
func quotedWords(list []any) (string, bool) {
	words := make([]string, len(list))
	for i, one := range list {
		word, ok := one.(string)
		if !ok {
			return "", false
		}
		words[i] = quote(word)
	}
	return strings.Join(words, " "), len(words) > 0
}

func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// placed is the cd that a field for the directory stands for.
func placed(dir, cwd string) string {
	rest, home := strings.CutPrefix(dir+"/", "~/") // which some clients expand
	switch {
	case filepath.IsAbs(dir) && cwd != "" && filepath.Clean(dir) == filepath.Clean(cwd):
		return ""
	case home:
		return "cd -- ~/" + quote(strings.TrimSuffix(rest, "/")) + "\n"
	case !filepath.IsAbs(dir):
		dir = "./" + dir
	}
	return "cd -- " + quote(dir) + "\n"
}
