package cache

import (
	"encoding/hex"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"pgregory.net/rapid"
)

func readValue(text string, into any) error {
	var r reader
	return r.read(text, into)
}

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
func TestCodec_readsWhatItWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wrote := anyOuter().Draw(t, "value")
		data, err := appendValue(nil, wrote)
		if err != nil {
			t.Fatal(err)
		}
		again, err := appendValue(nil, wrote)
		if err != nil || string(again) != string(data) {
			t.Fatalf("other bytes for the same value: %v", err)
		}
		var read outer
		if err := readValue(string(data), &read); err != nil || !reflect.DeepEqual(wrote, read) {
			t.Fatalf("wrote %#v, read %#v, %v", wrote, read, err)
		}
		cut := rapid.IntRange(0, len(data)-1).Draw(t, "cut")
		if readValue(string(data[:cut]), &read) == nil {
			t.Fatalf("the first %d of %d bytes were read as a whole", cut, len(data))
		}
		if readValue(string(data)+"x", &read) == nil {
			t.Fatal("a byte too many was not noticed")
		}
	})
}

func FuzzRead(f *testing.F) {
	data, err := appendValue(nil, outer{Next: &inner{Words: []string{"a"}}, ByWord: map[word]inner{"b": {}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add(strings.Repeat("\xff", 20))
	f.Fuzz(func(_ *testing.T, text string) {
		var read outer
		_ = readValue(text, &read) // must not panic, or take much memory
	})
}

// A kind that can't be written makes no snapshot, and no half one.
func TestCodec_refusesOtherKinds(t *testing.T) {
	for _, v := range []any{make(chan int), func() {}, map[int]string{1: "x"}, struct{ F any }{1}} {
		if _, err := appendValue(nil, v); err == nil {
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

// What is cached is of its form, its law and its type: where the form changes, its
// number does, and this text with it.
func TestCache_versionIsOfItsForm(t *testing.T) {
	c := New(nil, nil, "")
	type flag struct{ B bool }
	type all struct {
		Text   string
		Number int
		Size   uint64
		Share  float64
		Inner  *flag
		None   *flag
		List   []string
		Map    map[string]flag
	}
	v := reflect.ValueOf(all{
		"é", -3, 300, 0.5, &flag{true}, nil,
		[]string{"", "x"},
		map[string]flag{"b": {}, "a": {true}},
	})
	data, err := appendValue(nil, v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	got := form + hex.EncodeToString(data)
	if want := "cache 2 02c3a905ac0280808080808080f03f0101000300017803016101016200"; got != want {
		t.Errorf("the form is now\n%s, was\n%s", got, want)
	}
	head := c.head(v.Type(), "tip")
	if !strings.HasPrefix(head, form+strconv.Itoa(operation.Law)+" ") {
		t.Errorf("header %q is of no law", head)
	}
	if other := c.head(reflect.TypeFor[flag](), "tip"); other == head {
		t.Error("two types share a header")
	}
}
