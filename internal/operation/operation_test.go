package operation

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func sample() Operation {
	return Operation{
		ID: "0123456789abcdef0123456789abcdef", Kind: "phase.start", Clock: 7, Law: Law, At: "2026-03-01T10:00:00Z",
		Actor: Actor{Name: "Mara <m>", Email: "mara@example.org"}, Session: "s", Fence: 2, Claim: "c",
		Payload: json.RawMessage(`{"phase":"1","at":1e2,"b":{"z":1,"a":2}}`),
	}
}

func TestEncode_canonical(t *testing.T) {
	t.Parallel()
	data, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"actor":{"email":"mara@example.org","name":"Mara <m>"},"at":"2026-03-01T10:00:00Z","claim":"c","clock":7,"fence":2,` +
		`"id":"0123456789abcdef0123456789abcdef","kind":"phase.start","law":1,"payload":{"at":100,"b":{"a":2,"z":1},"phase":"1"},"session":"s"}` + "\n"
	if string(data) != want {
		t.Errorf("encoded\n%swant\n%s", data, want)
	}
	back, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Encode(back); err != nil || !bytes.Equal(again, data) {
		t.Errorf("encoded again: %s, %v", again, err)
	}
}

// What a newer minor version put beside the fields known here stays there.
func TestDecode_keepsUnknownFields(t *testing.T) {
	t.Parallel()
	data := `{"clock":1,"id":"0123456789abcdef0123456789abcdef","kind":"k","law":1,"payload":{},"reason":{"a":1e2},"when":[null]}` + "\n"
	op, err := Decode([]byte(data))
	if err != nil || len(op.Extra) != 2 {
		t.Fatalf("%d fields, %v", len(op.Extra), err)
	}
	again, err := Encode(op)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(`{"clock"`, `{"actor":{"email":"","name":""},"at":"","clock"`, "1e2", "100").Replace(data)
	if string(again) != want {
		t.Errorf("encoded\n%swant\n%s", again, want)
	}
	op.Extra["KIND"] = json.RawMessage(`"other"`)
	if again, err = Encode(op); err != nil || string(again) != want {
		t.Errorf("a field of another name's case: %s, %v", again, err)
	}
}

func TestDecode_refuses(t *testing.T) {
	t.Parallel()
	whole := `{"id":"0123456789abcdef0123456789abcdef","kind":"k","clock":1,"law":1,"payload":{}}`
	if _, err := Decode([]byte(whole)); err != nil {
		t.Fatalf("the well-formed one: %v", err)
	}
	for _, data := range []string{
		"", "null", "[]", "{", "\x00", whole + "{}",
		strings.Replace(whole, "0123456789abcdef", "0123456789ABCDEF", 1),
		strings.Replace(whole, "0123456789abcdef", "../../heads/main", 1),
		strings.Replace(whole, `"kind":"k"`, `"kind":""`, 1),
		strings.Replace(whole, `"clock":1`, `"clock":0`, 1),
		strings.Replace(whole, `"clock":1`, `"clock":-1`, 1),
		strings.Replace(whole, `"clock":1`, `"clock":9007199254740992`, 1),
		strings.Replace(whole, `"clock":1`, `"clock":18446744073709551615`, 1),
		strings.Replace(whole, `"clock":1`, `"clock":1,"fence":9007199254740992`, 1),
		strings.Replace(whole, `"law":1`, `"law":0`, 1),
		strings.Replace(whole, `{}`, `null`, 1),
		strings.Replace(whole, `,"payload":{}`, ``, 1),
		strings.Repeat("[", 100_000),
		`{"x":"` + strings.Repeat("x", MaxSize) + `"}`,
	} {
		if _, err := Decode([]byte(data)); !errors.Is(err, ErrInvalid) {
			t.Errorf("%.60q: %v", data, err)
		}
	}
}

func TestNewID(t *testing.T) {
	t.Parallel()
	id, err := NewID(bytes.NewReader(make([]byte, 16)))
	if err != nil || id != "00000000000000000000000000000000" || !id.Valid() {
		t.Errorf("%q, %v", id, err)
	}
	if _, err := NewID(strings.NewReader("short")); err == nil {
		t.Error("too little randomness was enough")
	}
	a, _ := NewID(nil)
	b, _ := NewID(nil)
	if a == b || !a.Valid() {
		t.Errorf("%q and %q", a, b)
	}
}

func FuzzDecode(f *testing.F) {
	good, _ := Encode(sample())
	f.Add(good)
	f.Add([]byte(`{"id":"0123456789abcdef0123456789abcdef","kind":"k","clock":18446744073709551615,"law":1,"payload":{"a":1.0}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		op, err := Decode(data)
		if err != nil {
			return
		}
		once, err := Encode(op)
		if err != nil {
			t.Fatalf("encode what was decoded: %v", err)
		}
		back, err := Decode(once)
		if err != nil && len(once) <= MaxSize {
			t.Fatalf("decode what was encoded: %v", err)
		}
		if twice, _ := Encode(back); err == nil && !bytes.Equal(once, twice) {
			t.Fatalf("not canonical:\n%s%s", once, twice)
		}
	})
}
