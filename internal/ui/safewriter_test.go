package ui_test

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/ui"
)

func TestSafeColoured(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain\ttext\n":                       "plain\ttext\n",
		"\x1b[31m-old\x1b[m\n":                "\x1b[31m-old\x1b[m\n",
		"\x1b[1;38;5;8mgray\x1b[0m":           "\x1b[1;38;5;8mgray\x1b[0m",
		"\x1b[38;2;8;8;8mx\x1b[m":             "\x1b[38;2;8;8;8mx\x1b[m",
		"+left open \x1b[41m!\n":              "+left open \x1b[41m!\x1b[m\n",
		"\x1b[32m+\x1b[2J\x1b[H\x1b[m\n":      "\x1b[32m+\\x1b[2J\\x1b[H\x1b[m\n",
		"\x1b]0;title\x07\x1b[8mhidden\x1b[m": "\\x1b]0;title\\x07\\x1b[8mhidden\x1b[m",
		"\x1b[38;5;1;08mx":                    "\\x1b[38;5;1;08mx",
		"\x1b]8;;http://e\x1b\\link":          "\\x1b]8;;http://e\\x1b\\link",
		"\u009b2Jx\xff\u202e\r\n":             "\\u009b2Jx\\xff\\u202e\\r\n",
		"\x1b[":                               "\\x1b[",
	} {
		if got := ui.SafeColoured(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

// However the bytes come, whole lines go on, and the rest with Close.
func TestSafeWriter_anyPieces(t *testing.T) {
	t.Parallel()
	const text = "one \x1b[31mé\x1b[m\ntwo\x1b[2J\n\nlast"
	const want = "one \x1b[31mé\x1b[m\ntwo\\x1b[2J\n\nlast"
	for size := 1; size <= len(text); size++ {
		var out strings.Builder
		w := ui.NewLineWriter(&out, ui.SafeColoured)
		for from := 0; from < len(text); from += size {
			if _, err := w.Write([]byte(text[from:min(from+size, len(text))])); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil || out.String() != want {
			t.Errorf("in pieces of %d: %q, %v", size, out.String(), err)
		}
	}
}
