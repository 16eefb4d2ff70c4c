package transcript

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func reply(model string, tokens int, side bool) string {
	return fmt.Sprintf(`{"type":"assistant","isSidechain":%v,"message":{"model":%q,"usage":{"input_tokens":%d,"cache_read_input_tokens":2,"cache_creation_input_tokens":3,"output_tokens":9}}}`, side, model, tokens)
}

const compacted = `{"type":"system","subtype":"compact_boundary"}`

func TestLastUsage_BW17(t *testing.T) {
	filler := `{"type":"user","message":{"content":"` + strings.Repeat("x", 100<<10) + `"}}`
	for name, c := range map[string]struct {
		lines  []string
		tokens int64
	}{
		"the last reply":    {[]string{reply("m", 1, false), reply("m", 100, false)}, 105},
		"of the main agent": {[]string{reply("m", 100, false), reply("m", 7, true)}, 105},
		"behind other lines": {[]string{
			reply("m", 100, false), filler,
			`{"type":"user","message":{"content":"usage"}}`,
		}, 105},
		"an error of the client's": {[]string{reply("m", 100, false), reply("<synthetic>", 0, false)}, 105},
		"an unfinished line": {
			[]string{reply("m", 100, false), `{"type":"assistant","message":{"usage":{"inp`},
			105,
		},
		"since a compaction": {[]string{reply("m", 100, false), compacted}, 0},
		"after a compaction": {[]string{reply("m", 900, false), compacted, reply("m", 100, false)}, 105},
		"a compaction that is told about": {[]string{
			reply("m", 100, false),
			`{"type":"user","message":{"content":"\"compact_boundary\""}}`,
		}, 105},
		"too far back":       {[]string{reply("m", 100, false), filler, filler, filler}, 0},
		"a user who says so": {[]string{`{"type":"user","message":{"usage":{"input_tokens":100}}}`}, 0},
		"negative":           {[]string{`{"type":"assistant","message":{"usage":{"input_tokens":-100}}}`}, 0},
		"beyond all bounds":  {[]string{`{"type":"assistant","message":{"usage":{"input_tokens":9e18}}}`}, 0},
		"a text":             {[]string{`{"type":"assistant","message":{"usage":{"input_tokens":"100"}}}`}, 0},
		"empty":              {nil, 0},
		"not JSON":           {[]string{`"usage"`, "usage", "\x00"}, 0},
	} {
		for _, end := range []string{"", "\n", "\r\n"} {
			data := strings.Join(c.lines, "\n") + end
			got, ok := LastUsage(strings.NewReader(data), int64(len(data)))
			if got.Tokens != c.tokens || ok != (c.tokens > 0) {
				t.Errorf("%s: %+v, %v; want %d", name, got, ok, c.tokens)
			}
		}
	}
	data := reply("model-x", 100, false)
	if got, _ := LastUsage(strings.NewReader(data), int64(len(data))); got.Model != "model-x" {
		t.Errorf("%+v", got)
	}
	// A transcript that became shorter since somebody looked.
	if got, ok := LastUsage(strings.NewReader(data), 1<<40); ok {
		t.Errorf("%+v", got)
	}
}

func FuzzLastUsage(f *testing.F) {
	f.Add([]byte(reply("m", 100, false)+"\n"+compacted), int64(10))
	f.Add([]byte("\n\n\"usage\"\n"), int64(-1))
	f.Fuzz(func(t *testing.T, data []byte, size int64) {
		if got, ok := LastUsage(bytes.NewReader(data), size); ok && (got.Tokens <= 0 || got.Tokens > 3*maxTokens) {
			t.Errorf("%+v", got)
		}
	})
}
