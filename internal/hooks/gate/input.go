package gate

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// toolInput is what the input of a call holds, found by the names of its fields,
// at whatever depth.
type toolInput struct {
	// commands are texts for a shell, each with the directory that it is to run in.
	commands []string
	// plain: each of them means the same to every shell.
	plain bool
	// untold: what runs is not told by these texts told.
	untold bool
	// code is for something else to run; path and content are what a file is
	// written with.
	code, path, content bool
}

// runs reports whether the input is for a shell.
func (in *toolInput) runs() bool { return in.untold || len(in.commands) > 0 }

type fieldKind int

const (
	plainField fieldKind = iota
	commandField
	commandsField // several of them
	wordsField    // the words behind a command
	placeField    // where a command runs
	besideField   // decides, too, what a command does
	codeField
)

// inputFields are fields that decide, by their names as fieldName writes them.
var inputFields = []struct {
	kind  fieldKind
	names string
}{
	{commandField, "command cmd commandline shellcommand bashcommand clicommand"},
	{commandsField, "commands cmds commandlines"},
	{wordsField, "args argv arguments"},
	{placeField, "workdir cwd dir directory dirpath workingdirectory workingdir"},
	{besideField, "env environment shell interpreter executable program input stdin"},
	{codeField, "code script sql statement expression snippet javascript python"},
}

// contentWords are words in the name of a field that holds what is to be written.
const contentWords = "content contents edit edits diff patch replace replacement replacements new insert append"

// commonShells are values of a field "shell" that change nothing.
const commonShells = "sh bash zsh /bin/sh /bin/bash /bin/zsh /usr/bin/sh /usr/bin/bash /usr/bin/zsh"

// maxInputDepth is how deep an input is looked into.
const maxInputDepth = 8

// readInput looks through the input of a call.
func readInput(p protocol.Payload) toolInput {
	in := toolInput{plain: true}
	var v any
	_ = json.Unmarshal(p.ToolInput, &v)
	in.walk("", v, p.Cwd, 0)
	return in
}

// walk looks at a value; name is the field that it stands in.
func (in *toolInput) walk(name string, v any, cwd string, depth int) {
	if depth > maxInputDepth {
		in.untold = true
		return
	}
	switch v := v.(type) {
	case map[string]any:
		in.object(v, cwd)
		for key, value := range v {
			in.walk(key, value, cwd, depth+1)
		}
	case []any:
		for _, value := range v {
			in.walk(name, value, cwd, depth+1)
		}
	}
	in.names(name, v)
}

// names notes what the name of a field and its value say by themselves.
func (in *toolInput) names(name string, v any) {
	text, isText := v.(string)
	if !isText && !holds(v) {
		return
	}
	words := Words(name)
	patch := strings.HasPrefix(strings.TrimSpace(text), "*** Begin Patch")
	content := patch || fieldName(name) == "filetext" ||
		slices.ContainsFunc(words, func(w string) bool { return among(contentWords, w) })
	in.content = in.content || content
	in.path = in.path || patch || text != "" && !content && slices.ContainsFunc(words, namesFile)
	in.code = in.code || holds(v) && fieldOf(name) == codeField
}

// namesFile tells what lies on the disk from addresses elsewhere.
func namesFile(word string) bool {
	return namesPath(word) && !among("target source uri url location", word)
}

// object takes the commands of one object, with what stands beside them.
func (in *toolInput) object(m map[string]any, cwd string) {
	var texts []string
	behind, place, told := "", "", true
	for _, key := range slices.Sorted(maps.Keys(m)) {
		v := m[key]
		if !holds(v) {
			continue
		}
		switch fieldOf(key) {
		case commandField:
			text, ok := commandText(v)
			_, object := v.(map[string]any) // is looked into by itself
			in.untold = in.untold || !ok && !object
			texts = append(texts, text)
		case commandsField:
			for _, one := range elements(v) {
				text, ok := commandText(one)
				in.untold = in.untold || !ok
				texts = append(texts, text)
			}
		case wordsField:
			words, ok := quotedWords(v)
			behind, told = behind+" "+words, told && ok
		case placeField:
			text, _ := v.(string)
			place += placed(text, cwd)
		case besideField:
			text, _ := v.(string)
			told = told && fieldName(key) == "shell" && among(commonShells, text)
		case plainField, codeField:
		}
	}
	for _, text := range texts {
		if text == "" {
			continue
		}
		in.plain = in.plain && everyShell(text) && strings.TrimSpace(behind) == ""
		in.untold = in.untold || !told
		in.commands = append(in.commands, place+text+behind)
	}
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

func elements(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// commandText is a command as a shell reads it: a text, or the words of one.
func commandText(v any) (string, bool) {
	if text, ok := v.(string); ok {
		return text, true
	}
	return quotedWords(v)
}

// quotedWords are words as a shell reads them; false: v is no list of words.
func quotedWords(v any) (string, bool) {
	list, _ := v.([]any)
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

// placed is the cd that a field for the directory stands for, in front of a command.
func placed(dir, cwd string) string {
	switch {
	case dir == "" || filepath.IsAbs(dir) && cwd != "" && filepath.Clean(dir) == filepath.Clean(cwd):
		return ""
	case dir == "~" || strings.HasPrefix(dir, "~/"): // which some clients expand
		return "cd -- ~" + quoteRest(dir[1:]) + "\n"
	case !filepath.IsAbs(dir):
		dir = "./" + dir
	}
	return "cd -- " + quote(dir) + "\n"
}

func quoteRest(path string) string {
	if path == "" {
		return ""
	}
	return "/" + quote(path[1:])
}

// fieldOf says what kind of field a name is of.
func fieldOf(name string) fieldKind {
	name = fieldName(name)
	for _, row := range inputFields {
		if among(row.names, name) {
			return row.kind
		}
	}
	return plainField
}

// fieldName writes a name as clients do not differ in: CommandLine, command_line.
func fieldName(name string) string { return strings.Join(Words(name), "") }
