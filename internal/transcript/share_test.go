package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func cutText(t testing.TB, text string) Share {
	t.Helper()
	s, err := Cut(t.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// entries reads a share back, as a sub-agent would, and checks its form.
func entries(t testing.TB, s Share) []entry {
	t.Helper()
	var all []entry
	for _, c := range s.Chunks {
		if len(c) > MaxChunk {
			t.Errorf("a chunk of %d bytes", len(c))
		}
		for line := range strings.Lines(string(c)) {
			if len(line) > 2_000 {
				t.Errorf("a line of %d bytes", len(line))
			}
		}
		var some []entry
		if err := json.Unmarshal(c, &some); err != nil {
			t.Fatalf("%v in %s", err, c)
		}
		if len(some) == 0 {
			t.Error("an empty chunk")
		}
		all = append(all, some...)
	}
	if len(s.Chunks) > MaxChunks {
		t.Errorf("%d chunks", len(s.Chunks))
	}
	return all
}

// transcript joins lines; a role in front makes a message of the rest.
func transcript(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		role, content, found := strings.Cut(l, " ")
		if found && (role == "user" || role == "assistant") {
			l = `{"type":"` + role + `","isSidechain":false,"uuid":"u","message":{"role":"` + role + `","content":` + content +
				`}}`
		}
		b.WriteString(l + "\n")
	}
	return b.String()
}

const (
	anEdit   = `assistant [{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"/repo/a.go","old_string":"x","new_string":"y"}}]`
	editDone = `user [{"type":"tool_result","tool_use_id":"t1","content":"The file was updated.\nline 2"}]`
)

func TestCut_BW39_beginsWithTheFirstEdit(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		want  []string // what the share says, entry by entry
	}{
		"nothing was changed": {
			[]string{`user "What does it do?"`, `assistant [{"type":"text","text":"This."}]`}, nil,
		},
		"a discussion, then the work": {
			[]string{
				`user "What does it do?"`, `assistant [{"type":"text","text":"This."}]`, `user "go ahead"`, anEdit,
				editDone, `assistant [{"type":"text","text":"Done."}]`,
			},
			[]string{
				`assistant Edit(file_path: /repo/a.go; new_string: y; old_string: x)`,
				`user -> ok, 2 lines, 28 bytes: The file was updated.; line 2`,
				`assistant Done.`,
			},
		},
		"what was said with the first edit": {
			[]string{`assistant [{"type":"text","text":"Now."},{"type":"tool_use","id":"t","name":"Write","input":{"file_path":"/b"}}]`},
			[]string{`assistant Now. Write(file_path: /b)`},
		},
		"other tools are no edits": {
			[]string{`assistant [{"type":"tool_use","id":"t","name":"Bash","input":{"command":"touch x"}}]`}, nil,
		},
		"a word is no call": {
			[]string{`user "{\"type\":\"tool_use\",\"name\":\"Edit\"}"`, `user [{"type":"text","name":"Edit","text":"Edit"}]`},
			nil,
		},
		"a failure, with its text": {
			[]string{anEdit, `user [{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"no match"},{"type":"image","source":{"data":"AAAA"}}]}]`},
			[]string{
				`assistant Edit(file_path: /repo/a.go; new_string: y; old_string: x)`,
				`user -> failed, 1 lines, 8 bytes: no match`,
			},
		},
		"values that are no texts": {
			[]string{`assistant [{"type":"tool_use","id":"t","name":"Edit","input":{"replace_all":true,"more":{"a":[1]}}}]`},
			[]string{`assistant Edit(more: {"a":[1]}; replace_all: true)`},
		},
		"thoughts are nobody's": {
			[]string{anEdit, `assistant [{"type":"thinking","thinking":"hm","signature":"c2lnbmF0dXJl"},{"type":"redacted_thinking","data":"c2VjcmV0"},{"type":"text","text":"Good."}]`, `assistant [{"type":"thinking","thinking":"hm","signature":"s"}]`},
			[]string{`assistant Edit(file_path: /repo/a.go; new_string: y; old_string: x)`, `assistant Good.`},
		},
		"sub-agents of older clients, and what the client says": {
			[]string{
				`{"isSidechain":true,"message":{"role":"assistant","content":[{"type":"tool_use","name":"Edit","input":{"a":"b"}}]}}`,
				`user "not yet"`, anEdit,
				`{"isMeta":true,"message":{"role":"user","content":"<caveat>"}}`,
				`{"isSidechain":true,"message":{"role":"user","content":"aside"}}`,
				`{"type":"system","subtype":"compact_boundary","content":"Compacted"}`,
				`{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"What was before."}}`,
				`{"message":{"role":"system","content":"obey"}}`,
			},
			[]string{`assistant Edit(file_path: /repo/a.go; new_string: y; old_string: x)`, `user What was before.`},
		},
		"what is broken is passed over": {
			[]string{
				``, `{`, `null`, `[1]`, `{"message":7}`, `{"message":{"role":"user","content":{}}}`,
				`{"message":{"role":["user"],"content":"x"}}`, anEdit,
				`user [7,{"type":3},{"type":"text","text":"still here"},null]`, "\x00\xff", `user ""`,
			},
			[]string{`assistant Edit(file_path: /repo/a.go; new_string: y; old_string: x)`, `user still here`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			share := cutText(t, transcript(test.lines...))
			var got []string
			for _, e := range entries(t, share) {
				got = append(got, told(e))
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if share.Cut {
				t.Error("it says that something was left out")
			}
		})
	}
}

// told is an entry in one line.
func told(e entry) string {
	words := []string{e.Role}
	for _, p := range e.Content {
		switch {
		case p.Result != "":
			words = append(words, "-> "+p.Result+": "+strings.Join(p.Begins, "; "))
		case p.Tool != "":
			words = append(words, p.Tool+"("+strings.Join(p.Input, "; ")+")")
		default:
			words = append(words, strings.Join(p.Text, " / "))
		}
	}
	return strings.Join(words, " ")
}

func TestCut_BW39_form(t *testing.T) {
	share := cutText(t, transcript(anEdit, `user "two\nlines <b>"`))
	const want = `[
{
 "role": "assistant",
 "content": [
  {
   "tool": "Edit",
   "input": [
    "file_path: /repo/a.go",
    "new_string: y",
    "old_string: x"
   ]
  }
 ]
},
{
 "role": "user",
 "content": [
  {
   "text": [
    "two",
    "lines <b>"
   ]
  }
 ]
}
]
`
	if len(share.Chunks) != 1 || string(share.Chunks[0]) != want {
		t.Errorf("%s", share.Chunks)
	}
}

func TestCut_BW39_secretsAreTakenOut(t *testing.T) {
	const key = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	pem := "-----BEGIN RSA PRIVATE KEY-----\\n" + strings.Repeat("MIIEpAIBAAKCAQEA\\n", 40) +
		"-----END RSA PRIVATE KEY-----"
	share := cutText(t, transcript(
		`assistant [{"type":"tool_use","id":"t","name":"Write","input":{"file_path":"/x","password":"correct-horse-battery","content":"token `+key+`"}}]`,
		`user [{"type":"tool_result","tool_use_id":"t","content":"API_SECRET=hunter2hunter2 wrote `+key+`"}]`,
		`user "deploy with `+key+` please"`,
		// Behind the cut of a result's beginning stands the rest of a secret.
		`user [{"type":"tool_result","content":"`+strings.Repeat("x", maxBegin-20)+` `+key+`"}]`,
		`user [{"type":"tool_result","content":"`+pem+`"}]`,
	))
	text := string(share.Chunks[0])
	for _, secret := range []string{"ghp_", "correct-horse", "hunter2", "MIIEp"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s is in\n%s", secret, text)
		}
	}
	if !strings.Contains(text, "deploy with [redacted] please") {
		t.Error(text)
	}
}

func TestCut_whatNobodySeesIsTakenOut(t *testing.T) {
	share := cutText(t, transcript(anEdit, `user "a\u001b[31mb\u202ec\u0000d\te"`))
	if got := told(entries(t, share)[1]); got != "user abcd\te" {
		t.Errorf("%q", got)
	}
}

// TestCut_BW39_bounded: whatever a transcript holds, chunks have their form and
// size, and the latest entry is there.
func TestCut_BW39_bounded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := []string{anEdit}
		for i := range rapid.IntRange(0, 12).Draw(rt, "lines") {
			unit := rapid.SampledFrom([]string{"x", "\"", "\\", "\n", "é", "\u0007", "word ", "<&>", "\U0001F37A"}).Draw(rt,
				"unit")
			size := rapid.SampledFrom([]int{1, 100, 3_000, 13_000}).Draw(rt, "size")
			text, _ := json.Marshal(fmt.Sprint(i, " ", strings.Repeat(unit, size)))
			lines = append(lines, rapid.SampledFrom([]string{
				`user ` + string(text),
				`assistant [` + strings.Repeat(`{"type":"text","text":`+string(text)+`},`, 3) + `{"type":"text","text":"."}]`,
				`assistant [{"type":"tool_use","id":"t","name":"Bash","input":{"command":` + string(text) + `,` + string(text) +
					`:1}}]`,
				`user [{"type":"tool_result","tool_use_id":"t","content":` + string(text) + `}]`,
			}).Draw(rt, "form"))
		}
		lines = append(lines, `user "the last word"`)
		share := cutText(t, transcript(lines...))
		all := entries(t, share)
		if got := told(all[len(all)-1]); got != "user the last word" {
			rt.Errorf("the last entry is %q", got)
		}
		for _, c := range share.Chunks {
			if !utf8.Valid(c) {
				rt.Error("not UTF-8")
			}
		}
		if !share.Cut && told(all[0]) != "assistant Edit(file_path: /repo/a.go; new_string: y; old_string: x)" {
			rt.Error("the oldest entry is gone, and nobody says so")
		}
	})
}

func TestCut_theLatestFit(t *testing.T) {
	lines := []string{anEdit}
	for i := range 200 {
		lines = append(lines, fmt.Sprintf(`user "%d %s"`, i, strings.Repeat("word ", 1000)))
	}
	share := cutText(t, transcript(lines...))
	if len(share.Chunks) != MaxChunks || !share.Cut {
		t.Errorf("%d chunks, cut %v", len(share.Chunks), share.Cut)
	}
	all := entries(t, share)
	for i, e := range all {
		if want := fmt.Sprintf("user %d word", 200-len(all)+i); !strings.HasPrefix(told(e), want) {
			t.Fatalf("entry %d is %.20q, want %q", i, told(e), want)
		}
	}
}

var lineEnds = bytes.Repeat([]byte("\n"), 64<<10)

// huge is a file of size bytes of blanks and line breaks with texts in it. It
// counts what is read.
type huge struct {
	size int64
	at   map[int64]string
	read int64
}

func (h *huge) ReadAt(p []byte, off int64) (int, error) {
	n := int(min(int64(len(p)), h.size-off))
	if n <= 0 {
		return 0, io.EOF
	}
	for done := 0; done < n; {
		done += copy(p[done:n], lineEnds)
	}
	for at, text := range h.at {
		if from, to := max(at, off), min(at+int64(len(text)), off+int64(n)); from < to {
			copy(p[from-off:to-off], text[from-at:])
		}
	}
	h.read += int64(n)
	return n, nil
}

func TestCut_hugeTranscript(t *testing.T) {
	const size = 300 << 20
	said := transcript(`user "at the end"`)
	edit := transcript(anEdit)
	end := int64(size - len(said))
	const border = size - window
	for name, test := range map[string]struct {
		at   map[int64]string
		want int
	}{
		// What is not taken apart may hold the first edit: all of the rest is handed over.
		"no edit anywhere":    {map[int64]string{end: said}, 1},
		"an edit before it":   {map[int64]string{end: said, border - 10<<20: edit}, 1},
		"in it":               {map[int64]string{end: said, border + 1<<20: edit}, 2},
		"across the window's": {map[int64]string{end: said, border - 20: edit}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			file := &huge{size: size, at: test.at}
			share, err := Cut(t.Context(), file, size)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(entries(t, share)); got != test.want {
				t.Errorf("%d entries, want %d", got, test.want)
			}
			if file.read > 3<<20 {
				t.Errorf("%d MiB were read", file.read>>20)
			}
		})
	}
}

func TestCut_longLinesAndUnfinishedOnes(t *testing.T) {
	long := `user "` + strings.Repeat("x", maxLine) + `"`
	text := transcript(anEdit, long, `user "after"`)
	unfinished := text + `{"message":{"role":"user","content":"half`
	for _, text := range []string{text, unfinished} {
		if got := entries(t, cutText(t, text)); len(got) != 2 || told(got[1]) != "user after" {
			t.Errorf("%d entries", len(got))
		}
	}
}

type broken struct{}

func (broken) ReadAt([]byte, int64) (int, error) { return 0, errors.New("input/output error") }

func TestCut_errors(t *testing.T) {
	if _, err := Cut(t.Context(), broken{}, 10); err == nil {
		t.Error("a file that can't be read")
	}
	if _, err := Cut(t.Context(), broken{}, 10+window); err == nil {
		t.Error("a long file that can't be read")
	}
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	for _, size := range []int64{100, 100 << 20} {
		if _, err := Cut(ctx, &huge{size: size}, size); !errors.Is(err, late) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	// A file that is shorter by now.
	if share, err := Cut(t.Context(), strings.NewReader(transcript(anEdit)), 10+window); err != nil ||
		len(share.Chunks) != 0 {
		t.Error(share, err)
	}
}

func FuzzCut(f *testing.F) {
	f.Add(transcript(anEdit, editDone, `user "x"`))
	f.Add(transcript(`assistant [{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","name":"Write","input":{}}]`, `user [{"type":"image"}]`))
	f.Fuzz(func(t *testing.T, text string) {
		share := cutText(t, text)
		for _, e := range entries(t, share) {
			if e.Role != "user" && e.Role != "assistant" || len(e.Content) == 0 {
				t.Errorf("%+v", e)
			}
		}
		for _, c := range share.Chunks {
			if strings.Contains(string(c), `"signature":`) {
				t.Error("a field that nobody asked for")
			}
		}
	})
}
