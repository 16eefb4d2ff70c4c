package task

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// checkSeen refuses an operation with a text that holds what nobody sees, or that
// shows other texts in another order: two titles that look alike would be two. It
// is asked when an operation is made, and never in the fold, so that what older
// versions made stays. Texts of documents are blobs, and not in a payload.
func checkSeen(op operation.Operation) error {
	if !bytes.ContainsFunc(op.Payload, func(r rune) bool { return r >= 0x80 }) && !bytes.Contains(op.Payload, []byte(`\u`)) {
		return nil // nearly every one
	}
	d := json.NewDecoder(bytes.NewReader(op.Payload))
	// What else is wrong with it, its kind's own check says.
	for token, err := d.Token(); err == nil; token, err = d.Token() {
		text, _ := token.(string)
		if r := unseen(text); r != 0 {
			shown := strings.Join(strings.Fields(text), " ")
			return refuse(CodeInvalid, fmt.Sprintf("%+q has a character that is not seen (U+%04X)", clip(shown, MaxTitle), r), "write it without")
		}
	}
	return nil
}

// unseen is the first character of s that is not seen, or turns others around; 0
// for none. The joiners are letters' of many scripts, and emoji's: they stay
// behind those.
func unseen(s string) rune {
	before := rune(0)
	for _, r := range s {
		switch {
		case r == 0x200c || r == 0x200d:
			if before < 0x80 {
				return r
			}
		case r == 0xad, r == 0x61c, r == 0x180e, r == 0x200b, r == 0x200e, r == 0x200f,
			r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff,
			r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f:
			return r
		}
		before = r
	}
	return 0
}
