package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Bounds of a document: what people write is a hundredth of it.
const (
	MaxSize      = 64 << 10 // bytes
	maxDepth     = 12
	maxNodes     = 10_000
	maxPipelines = 50
	maxSteps     = 100 // of one pipeline
	maxName      = 64
	maxPath      = 512
	maxFindings  = 100
)

// node is a value of a JSON document with the place where it stands. Unlike
// encoding/json's own structs it tells two keys of one name, or of another case,
// apart: which of them counts is no question then.
type node struct {
	line  int
	place string
	// value is nil, a bool, a json.Number, a string, []node or []field.
	value any
}

// field is a key of an object with its value, in the order of the document.
type field struct {
	key string
	node
}

// reader makes nodes.
type reader struct {
	dec   *json.Decoder
	data  []byte
	at    int // bytes whose lines are counted
	line  int
	nodes int
}

// syntaxError says where a document is no JSON, or more than is read.
type syntaxError struct {
	line int
	text string
}

func (e *syntaxError) Error() string { return e.text }

// readNode reads a whole document.
func readNode(data []byte) (node, error) {
	switch {
	case len(data) > MaxSize:
		return node{}, &syntaxError{0, fmt.Sprintf("it has %d bytes, at most %d are read", len(data), MaxSize)}
	case !utf8.Valid(data):
		return node{}, &syntaxError{0, "it is not UTF-8"}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors put it there
	r := &reader{dec: json.NewDecoder(bytes.NewReader(data)), data: data, line: 1}
	r.dec.UseNumber()
	n, err := r.read("", 0)
	if err != nil {
		return node{}, err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return node{}, r.wrong("something follows behind the document")
	}
	return n, nil
}

// token is the next one; the line is where it ends.
func (r *reader) token() (json.Token, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, r.wrong("it is no JSON: " + jsonWords(err))
	}
	r.count(int(r.dec.InputOffset()))
	return t, nil
}

func (r *reader) count(to int) {
	to = min(to, len(r.data))
	if to > r.at {
		r.line += bytes.Count(r.data[r.at:to], []byte{'\n'})
		r.at = to
	}
}

func (r *reader) wrong(text string) error {
	r.count(int(r.dec.InputOffset()))
	return &syntaxError{r.line, text}
}

func jsonWords(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	return err.Error()
}

func (r *reader) read(place string, depth int) (node, error) {
	if depth > maxDepth {
		return node{}, r.wrong(fmt.Sprintf("it is nested deeper than %d levels", maxDepth))
	}
	if r.nodes++; r.nodes > maxNodes {
		return node{}, r.wrong(fmt.Sprintf("it has more than %d values", maxNodes))
	}
	t, err := r.token()
	if err != nil {
		return node{}, err
	}
	n := node{line: r.line, place: place, value: t}
	open, ok := t.(json.Delim)
	if !ok {
		return n, nil
	}
	if open == '[' {
		all := []node{}
		for r.dec.More() {
			v, err := r.read(place+"["+strconv.Itoa(len(all))+"]", depth+1)
			if err != nil {
				return node{}, err
			}
			all = append(all, v)
		}
		n.value = all
	} else {
		all := []field{}
		for r.dec.More() {
			t, err := r.token()
			if err != nil {
				return node{}, err
			}
			key, _ := t.(string) // the decoder takes nothing else there
			v, err := r.read(join(place, key), depth+1)
			if err != nil {
				return node{}, err
			}
			all = append(all, field{key, v})
		}
		n.value = all
	}
	_, err = r.token() // what closes it
	return n, err
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
