package operation

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// The vectors are the form: what any other program that writes operations has to
// come to. They were written by hand, those of RFC 8785 among them.
func TestCanonical_vectors(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/canonical.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Name, JSON, Canonical, Refused string }
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			got, err := Canonical([]byte(v.JSON))
			if v.Refused != "" {
				if err == nil || !strings.Contains(err.Error(), v.Refused) {
					t.Errorf("%q gives %q, %v", v.JSON, got, err)
				}
				return
			}
			if err != nil || string(got) != v.Canonical+"\n" {
				t.Errorf("%q gives %q, %v, want %q", v.JSON, got, err, v.Canonical)
			}
		})
	}
}

func TestCanonical_bytesThatAreNoText(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"\"\xff\"", "\"a\xc3\"", "\"\xed\xa0\xbd\"", "\"\xc0\x80\""} {
		if got, err := Canonical([]byte(data)); err == nil {
			t.Errorf("%q gives %q", data, got)
		}
	}
	// A string of Go's may have such bytes; encoding/json replaces them.
	op := sample()
	op.Payload, _ = json.Marshal(map[string]string{"title": "caf\xe9"})
	if line, err := Encode(op); err == nil {
		t.Errorf("encoded as %s", line)
	}
}

// FuzzCanonical: what it writes means what it read, and is written the same again.
func FuzzCanonical(f *testing.F) {
	f.Add([]byte(`{"b":[1.50,-0,1e-7,{"\u00e9":"\ud83d\ude00\u001f"}],"a":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := Canonical(data)
		if err != nil {
			return
		}
		if twice, err := Canonical(once); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q gives %q, then %q, %v", data, once, twice, err)
		}
		var was, is any
		if err := json.Unmarshal(data, &was); err != nil {
			t.Fatalf("%q is no JSON: %v", data, err)
		}
		if err := json.Unmarshal(once, &is); err != nil {
			t.Fatalf("%q is no JSON: %v", once, err)
		}
		a, _ := json.Marshal(was)
		b, _ := json.Marshal(is)
		if !bytes.Equal(bytes.ReplaceAll(a, []byte("-0"), []byte("0")), bytes.ReplaceAll(b, []byte("-0"), []byte("0"))) {
			t.Errorf("%q is %s, written %s", data, a, b)
		}
	})
}
