// Package plugin has the skills and agents that people install beside git brew: texts
// that say, for each kind of work, which commands are called and what counts as done. They
// are part of the program, and read only where somebody installs them. Each file that is
// written ends with a mark, by which it is known again: what nobody changed since is git
// brew's to replace and to remove, all else is its user's.
package plugin

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed skills agents
var texts embed.FS

// The directories of a client's in which skills and agents stand.
const (
	Skills = "skills"
	Agents = "agents"
)

// prefix begins each name, for the client knows no owners in a project's directory. In a
// plugin it does: what is /brew-spec in a project is /brew:spec there.
const prefix = "brew-"

// File is one file of the plugin, with its mark.
type File struct {
	// Path is relative to the client's directory, or to the plugin's, with slashes.
	Path string
	Data []byte
}

// Name is what a person types, or an agent is started by, without a client's form.
func (f File) Name() string {
	name := path.Base(f.Path)
	if name == skillFile {
		name = path.Base(path.Dir(f.Path))
	}
	return strings.TrimPrefix(strings.TrimSuffix(name, ".md"), prefix)
}

// Kind is Skills or Agents.
func (f File) Kind() string { return f.Path[:strings.IndexByte(f.Path, '/')] }

// About is the file's own sentence on what it is for.
func (f File) About() string {
	_, rest, _ := bytes.Cut(f.Data, []byte("\ndescription: "))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return string(line)
}

const skillFile = "SKILL.md"

// InProject are the files for a project's own directory of the client, as the version of
// git brew marks them: those of Skills first, each kind by its names.
func InProject(version string) []File {
	var files []File
	for _, dir := range []string{Skills, Agents} {
		_ = fs.WalkDir(texts, dir, func(at string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := texts.ReadFile(at)
			files = append(files, File{at, Mark(data, version)})
			return err
		}) // what is embedded can be read
	}
	return files
}

// InPlugin are the files for a directory that clients install as a plugin, which gives
// names an owner of its own.
func InPlugin(version string) []File {
	files := InProject(version)
	names := make([]string, 0, len(files))
	for _, f := range files {
		names = append(names, f.Name())
	}
	slices.Sort(names)
	slices.Reverse(names) // reviewer before review
	words := []string{"(" + prefix + "...)", "(brew:...)"}
	for _, name := range names {
		words = append(words, "\nname: "+prefix+name+"\n", "\nname: "+name+"\n", prefix+name, "brew:"+name)
	}
	owned := strings.NewReplacer(words...)
	for i, f := range files {
		body, _, _ := cutMark(f.Data)
		files[i] = File{strings.Replace(f.Path, prefix, "", 1), Mark([]byte(owned.Replace(string(body))), version)}
	}
	return files
}

// Owner says whose a file is.
type Owner int

const (
	// Theirs is a file that git brew did not write.
	Theirs Owner = iota
	// Ours is as git brew wrote it.
	Ours
	// Changed is one that git brew wrote, and somebody changed.
	Changed
)

// OwnerOf tells whose a file with these contents is.
func OwnerOf(data []byte) Owner {
	body, sum, marked := cutMark(data)
	switch {
	case marked && sum == sumOf(body):
		return Ours
	case marked || bytes.Contains(data, []byte("\n"+MarkBegin)) || bytes.Contains(data, []byte("\n"+scriptMark)):
		return Changed
	}
	return Theirs
}

// Same reports that two files say the same, whichever version wrote them.
func Same(a, b []byte) bool {
	textA, _, _ := cutMark(a)
	textB, _, _ := cutMark(b)
	return sumOf(textA) == sumOf(textB)
}

const (
	// MarkBegin begins the line that is the mark.
	MarkBegin = "<!-- git-brew "
	markEnd   = " -->"
	// scriptMark begins the mark of a script.
	scriptMark = "// git-brew "
)

// Mark puts the mark behind a text: the version that wrote it, and a hash of the text.
func Mark(text []byte, version string) []byte {
	return slices.Concat(text, []byte(MarkBegin+version+" "+sumOf(text)+markEnd+"\n"))
}

// MarkScript is Mark for a script.
func MarkScript(text, version string) []byte {
	return []byte(text + scriptMark + version + " " + sumOf([]byte(text)) + "\n")
}

// cutMark takes the mark off, where it is the last line.
func cutMark(data []byte) (text []byte, sum string, found bool) {
	lines := bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r"))
	at := bytes.LastIndexByte(lines, '\n') + 1
	inner, is := strings.CutPrefix(string(lines[at:]), scriptMark)
	if !is {
		inner, is = strings.CutPrefix(inner, MarkBegin)
		inner, _ = strings.CutSuffix(inner, markEnd) // where it is cut off, the hash is another one
	}
	_, sum, two := strings.Cut(inner, " ")
	if !is || !two {
		return data, "", false
	}
	return data[:at], sum, true
}

// sumOf is a text's hash. git may have given its lines other ends.
func sumOf(text []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(sum[:8])
}
