package ledger

import (
	"bytes"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
)

const someOperation = `{"actor":{"email":"a@example.com","name":"A"},"at":"2026-03-01T12:00:00Z","clock":3,"id":"0123456789abcdef0123456789abcdef","kind":"add","law":1,"payload":{"word":"x"}}` + "\n"

// What is accepted reads as one operation, the same in every reader, and has
// nothing in it that a terminal would take for a command.
func FuzzDecodeReceived(f *testing.F) {
	f.Add([]byte(someOperation))
	for _, edit := range [][2]string{
		{`"x"`, `"\u001b"`},
		{`"law":1`, `"Law":2,"law":1`},
		{`{"word":"x"}`, `{"a":[[[{"b":{}}]]],"word":"x"}`},
		{`3`, `3e0`},
		{`"id":`, `"id":"","id":`},
		{`"A"`, `"A\ud800"`},
		{`"kind"`, `"extra":{"b":1,"a":2},"kind"`},
		{`"add"`, `"a\"[{\\"`},
	} {
		f.Add(bytes.Replace([]byte(someOperation), []byte(edit[0]), []byte(edit[1]), 1))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		op, err := decodeReceived(data)
		if err != nil {
			return
		}
		if !plainLine(string(op.Kind)) || !plainLine(op.Actor.Name) || op.Clock == 0 || op.Clock > operation.MaxClock ||
			!op.ID.Valid() {
			t.Errorf("%s is taken as %+v", data, op)
		}
		canonical, err := operation.Canonical(data)
		if err != nil || !bytes.Equal(canonical, data) {
			t.Errorf("%s is not %s, %v", data, canonical, err)
		}
		line, err := operation.Encode(op)
		if err != nil {
			t.Fatal(err)
		}
		again, err := operation.Decode(line)
		if err != nil || again.ID != op.ID || again.Clock != op.Clock || again.Kind != op.Kind ||
			!bytes.Equal(again.Payload, op.Payload) {
			t.Errorf("%s comes back as %+v, %v", data, again, err)
		}
	})
}

func TestDecodeReceived_good(t *testing.T) {
	if op, err := decodeReceived([]byte(someOperation)); err != nil || op.Clock != 3 {
		t.Errorf("%+v, %v", op, err)
	}
}
