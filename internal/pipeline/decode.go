package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Bounds of a document and of a name in it, in bytes: what people write is a hundredth.
const (
	MaxSize = 64 << 10
	maxName = 64
)

type document struct {
	Schema    *string           `json:"schema_version"`
	Pipelines map[string][]Step `json:"pipelines"`
	Hooks     struct {
		Pre  *Hook `json:"pre-step"`
		Post *Hook `json:"post-step"`
	} `json:"hooks"`
}

// Parse reads a document and checks it. With a finding of LevelError there is
// nothing to go by: the Config is empty then.
func Parse(data []byte) (Config, []Finding) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors put it there
	p := parser{data: data, lines: map[string]int{}}
	var d document
	if p.decode(&d) {
		p.read(json.NewDecoder(bytes.NewReader(data)), "", theDocument())
		if c := p.config(d); len(Errors(p.found)) == 0 {
			return c, p.found
		}
	}
	return Config{}, p.found
}

type parser struct {
	data  []byte
	found []Finding
	lines map[string]int // where the values begin, by their places
	names []string       // of the pipelines, in the order of the document
}

func (p *parser) add(level Level, place, format string, args ...any) {
	p.found = append(p.found, Finding{level, p.lines[place], place, fmt.Sprintf(format, args...)})
}

// decode reads the whole document, or says why it can't.
func (p *parser) decode(d *document) bool {
	switch {
	case len(p.data) > MaxSize:
		p.add(LevelError, "", "it has %d bytes, at most %d are read", len(p.data), MaxSize)
		return false
	case !utf8.Valid(p.data):
		p.add(LevelError, "", "it is not UTF-8")
		return false
	}
	err := json.Unmarshal(p.data, d)
	if err == nil {
		return true
	}
	place, text, at := "", "it is no JSON: "+err.Error(), int64(len(p.data))
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = syntax.Offset
	}
	if other, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		place, at = other.Field, other.Offset
		text = "it can't be a JSON " + other.Value
	}
	p.lines[place] = p.line(at)
	p.add(LevelError, place, "%s", text)
	return false
}

func (p *parser) line(offset int64) int {
	return 1 + bytes.Count(p.data[:min(offset, int64(len(p.data)))], []byte{'\n'})
}

// shape says what is read of an object: the values of these keys; "" stands for each key,
// and for each value of a list.
type shape map[string]shape

// theDocument is the shape of a document; of a value that has none nothing is looked into.
func theDocument() shape {
	hook := shape{"workflow": nil, "mode": nil, "optional": nil}
	step := shape{
		"name": nil, "workflow": nil, "pipeline": nil, "pause": nil, "hooks": {"pre": hook, "post": hook},
	}
	return shape{
		"schema_version": nil, "pipelines": {"": {"": step}}, "hooks": {"pre-step": hook, "post-step": hook},
	}
}

// read notes where the values of a document stand that was decoded before. A key that is
// there twice is an error, for readers differ in which of them counts, and so is one in
// other letters; an unknown one is remarked.
func (p *parser) read(dec *json.Decoder, place string, of shape) {
	if of == nil {
		var passed json.RawMessage
		_ = dec.Decode(&passed)
		p.lines[place] = p.line(dec.InputOffset())
		return
	}
	begin, _ := dec.Token()
	p.lines[place] = p.line(dec.InputOffset())
	if begin != json.Delim('{') && begin != json.Delim('[') {
		return
	}
	for i := 0; dec.More(); i++ {
		if begin == json.Delim('[') {
			p.read(dec, place+"["+strconv.Itoa(i)+"]", of[""])
			continue
		}
		token, _ := dec.Token()
		key, _ := token.(string)
		at := join(place, key)
		_, twice := p.lines[at]
		below, known := of[key]
		if each, all := of[""]; all {
			below, known = each, true
			p.names = append(p.names, key)
		}
		p.read(dec, at, below)
		if twice {
			p.add(LevelError, at, "it is there twice")
		}
		if !known {
			level, names := LevelWarning, slices.Sorted(maps.Keys(of))
			if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, key) }) {
				level = LevelError
			}
			p.add(level, at, "it is unknown here, and not read; known are %s", strings.Join(names, ", "))
		}
	}
	_, _ = dec.Token() // what closes it
}

// join is the place of a key; one that is no plain word is quoted, and cut.
func join(place, key string) string {
	if !validName(key) && key != "schema_version" {
		key = strconv.QuoteToASCII(invisible.Cut(key, maxName))
	}
	if place == "" {
		return key
	}
	return place + "." + key
}

// Level says how bad a finding is.
type Level string

// The levels. With an error the document can't be used; a warning says that
// something is probably not what was meant; a note, that something is unusual.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
	LevelNote    Level = "note"
)

// Finding is one thing that was found in a document.
type Finding struct {
	Level Level `json:"level"`
	// Line counts from 1; 0: it is about the document as a whole.
	Line int `json:"line,omitempty"`
	// Place is the way to it, as pipelines.main[2].workflow; "": the whole.
	Place string `json:"place,omitempty"`
	Text  string `json:"text"`
}

// String is the finding in one line, without its level.
func (f Finding) String() string {
	where := f.Place
	if f.Line > 0 {
		where = strings.TrimSuffix(fmt.Sprintf("line %d, %s", f.Line, f.Place), ", ")
	}
	if where == "" {
		return f.Text
	}
	return where + ": " + f.Text
}

// Errors are the findings with which a document can't be used.
func Errors(all []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool { return f.Level != LevelError })
}
