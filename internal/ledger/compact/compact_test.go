package compact

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type word string

type inner struct {
	Word  word     `json:"word"`
	Count int      `json:"count"`
	Big   uint64   `json:"big"`
	Share float64  `json:"share"`
	On    bool     `json:"on"`
	Words []string `json:"words"`
	Left  string   `json:"-"`
	_     int
}

type outer struct {
	First  inner            `json:"first"`
	Next   *inner           `json:"next"`
	Many   []inner          `json:"many"`
	ByWord map[word]inner   `json:"by_word"`
	Lists  map[string][]int `json:"lists"`
}

func anyInner() *rapid.Generator[inner] {
	return rapid.Custom(func(t *rapid.T) inner {
		return inner{
			Word: word(rapid.String().Draw(t, "word")), Count: rapid.Int().Draw(t, "count"), Big: rapid.Uint64().Draw(t, "big"),
			Share: rapid.Float64().Draw(t, "share"), On: rapid.Bool().Draw(t, "on"),
			Words: rapid.OneOf(rapid.Just[[]string](nil), rapid.SliceOfN(rapid.String(), 0, 3)).Draw(t, "words"),
		}
	})
}

func anyOuter() *rapid.Generator[outer] {
	return rapid.Custom(func(t *rapid.T) outer {
		o := outer{First: anyInner().Draw(t, "first"), Many: rapid.SliceOfN(anyInner(), 0, 3).Draw(t, "many")}
		if rapid.Bool().Draw(t, "has next") {
			next := anyInner().Draw(t, "next")
			o.Next = &next
		}
		if rapid.Bool().Draw(t, "has maps") {
			o.ByWord = rapid.MapOfN(rapid.Custom(func(t *rapid.T) word {
				return word(rapid.String().Draw(t, "key"))
			}), anyInner(), 0, 3).Draw(t, "by word")
			o.Lists = rapid.MapOfN(rapid.String(), rapid.SliceOfN(rapid.Int(), 0, 3), 0, 3).Draw(t, "lists")
		}
		return o
	})
}

// What is written is read again, the same bytes for the same value, and no
// part of it is taken for the whole.
func TestCompact_readsWhatItWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wrote := anyOuter().Draw(t, "value")
		data, err := Append(nil, wrote)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Append(nil, wrote)
		if err != nil || string(again) != string(data) {
			t.Fatalf("other bytes for the same value: %v", err)
		}
		var read outer
		if err := Read(string(data), &read); err != nil || !reflect.DeepEqual(wrote, read) {
			t.Fatalf("wrote %#v, read %#v, %v", wrote, read, err)
		}
		cut := rapid.IntRange(0, len(data)-1).Draw(t, "cut")
		if Read(string(data[:cut]), &read) == nil {
			t.Fatalf("the first %d of %d bytes were read as a whole", cut, len(data))
		}
		if Read(string(data)+"x", &read) == nil {
			t.Fatal("a byte too many was not noticed")
		}
	})
}

func FuzzReadCompact(f *testing.F) {
	data, err := Append(nil, outer{Next: &inner{Words: []string{"a"}}, ByWord: map[word]inner{"b": {}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add(strings.Repeat("\xff", 20))
	f.Fuzz(func(_ *testing.T, text string) {
		var read outer
		_ = Read(text, &read) // must not panic, or take much memory
	})
}

// A kind that can't be written makes no snapshot, and no half one.
func TestCompact_refusesOtherKinds(t *testing.T) {
	for _, v := range []any{make(chan int), func() {}, map[int]string{1: "x"}, struct{ F any }{1}} {
		if _, err := Append(nil, v); err == nil {
			t.Errorf("a %T was written", v)
		}
	}
}

// Nothing is the same as an empty list; all else that differs does.
func TestSame(t *testing.T) {
	a := outer{First: inner{Left: "left out"}, Many: []inner{}, Lists: map[string][]int{"x": nil}}
	if b := (outer{Lists: map[string][]int{"x": {}}}); !Same(a, b) {
		t.Errorf("%+v and %+v", a, b)
	}
	for _, b := range []any{
		outer{},
		inner{},
		outer{Next: &inner{}, Lists: map[string][]int{"x": nil}},
		outer{Lists: map[string][]int{"x": {0}}},
	} {
		if Same(a, b) {
			t.Errorf("%+v and %+v", a, b)
		}
	}
}
