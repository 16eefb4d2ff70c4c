package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// What was made here has to go again, and what stood there empty has to stay: behind
// the opening bracket of a container that was made here there is a blank; what goes into
// one that was found empty stands directly behind its bracket.

// line is what goes before something at this depth.
func line(depth int) string { return "\n" + strings.Repeat("  ", depth) }

// nested writes a part at a depth, in the containers on the path that are missing.
func nested(path []string, key, text string, depth int) string {
	switch {
	case len(path) == 0 && key == "":
		return text
	case len(path) == 0:
		return `"` + key + `": ` + text
	}
	open, end := "{", "}"
	if len(path) == 1 && key == "" {
		open, end = "[", "]"
	}
	inner := nested(path[1:], key, text, depth+1)
	return `"` + path[0] + `": ` + open + line(depth+1) + inner + line(depth) + end
}

// add puts a value behind the last part of the container at the path: the member of
// that key, or without one an element. The text is valid, or there is none yet.
func add(data []byte, path []string, key, text string) []byte {
	root, err := protocol.Parse(data)
	if err != nil {
		return []byte("{" + line(1) + nested(path, key, text, 1) + line(0) + "}\n")
	}
	at, depth := root, 1
	for len(path) > 0 {
		next, i := at.Member(path[0])
		if i < 0 {
			break
		}
		at, path, depth = next, path[1:], depth+1
	}
	text = nested(path, key, text, depth)
	n := len(at.Parts)
	if n == 0 {
		return slices.Insert(slices.Clone(data), at.Start+1, []byte(text)...)
	}
	between := string(data[at.Start+1 : at.Parts[0].Start]) // its own way of writing
	if between == "" {
		between = " "
	}
	return slices.Insert(slices.Clone(data), at.Parts[n-1].Value.End, []byte(","+between+text)...)
}

// without takes out what drop chooses, by the keys that lead to it ("" for elements),
// and what was made here around that. Of a file that was made here nothing is left. A file
// with comments is edited where none of them would go, too.
func (c Client) without(data []byte, drop func(path []string, v protocol.Value) bool) ([]byte, error) {
	for len(data) > 0 {
		plain := withoutComments(data)
		root, err := c.read(plain)
		if err != nil {
			return nil, err
		}
		from, to, whole := find(plain, root, nil, drop)
		if whole && !bytes.Equal(plain, data) { // somebody's comments stay
			from, to, whole = root.Start+1, root.End-1, false
		}
		switch {
		case !bytes.Equal(plain[from:to], data[from:to]):
			return nil, fmt.Errorf("%w of %s: a comment stands among git brew's lines", ErrSettings, c.Title)
		case whole:
			return nil, nil
		case to == 0:
			return data, nil
		}
		data = slices.Delete(slices.Clone(data), from, to)
	}
	return data, nil
}

// WithoutLocal takes out what is no hook for everybody: those of git brew that fail where it
// is not installed.
func (c Client) WithoutLocal(data []byte) ([]byte, error) {
	return c.without(data, func(path []string, v protocol.Value) bool {
		return c.hooksOnly(path, v, func(handler protocol.Value) bool {
			command, _ := handler.Member("command")
			text := strings.ReplaceAll(command.Text, localCommand+" --agent "+c.Name, localCommand)
			return ours(handler) && !guards(text)
		})
	})
}

// withoutComments is a text with blanks where it has comments, as JavaScript has them. All
// else stays where it is.
func withoutComments(data []byte) []byte {
	out := slices.Clone(data)
	for i := 0; i < len(out); i++ {
		end := i
		switch rest := out[i:]; {
		case rest[0] == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case bytes.HasPrefix(rest, []byte("//")):
			end += len(rest)
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				end = i + n
			}
		case bytes.HasPrefix(rest, []byte("/*")):
			if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
				end = i + n + 4
			}
		}
		if end > i {
			copy(out[i:end], bytes.Repeat([]byte(" "), end-i))
			i = end - 1
		}
	}
	return out
}

// find gives what has to go with the first value that drop chooses: its part with one
// comma, or the whole of in, where that was made here for this part. To is 0 where
// nothing goes.
func find(
	data []byte, in protocol.Value, path []string, drop func(path []string, v protocol.Value) bool,
) (from, to int, whole bool) {
	for i, p := range in.Parts {
		if _, last := in.Member(p.Key); in.Kind == '{' && last != i {
			continue // another one of that key counts
		}
		path := append(slices.Clip(path), p.Key)
		if whole = drop(path, p.Value); !whole {
			from, to, whole = find(data, p.Value, path, drop)
		}
		made := strings.IndexByte(" \t\r\n", data[in.Start+1]) >= 0
		switch {
		case !whole && to == 0:
		case !whole, len(in.Parts) == 1 && made:
			return from, to, whole
		case i > 0:
			return in.Parts[i-1].Value.End, p.Value.End, false
		case len(in.Parts) > 1:
			return p.Start, in.Parts[1].Start, false
		default:
			return p.Start, p.Value.End, false
		}
	}
	return 0, 0, false
}
