package stats

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Encode returns a sum as text; equal sums have equal texts.
func (s *Sum) Encode() ([]byte, error) { return json.Marshal(s) }

// Decode reads what Encode returned, and no other text.
func Decode(text []byte) (*Sum, error) {
	s := &Sum{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("read a sum of events: %w", err)
	}
	return s, nil
}

// MarshalText joins the parts of a key, which hold no control characters.
func (k Key) MarshalText() ([]byte, error) {
	return []byte(k.Day + "\t" + k.Task + "\t" + k.Session), nil
}

// UnmarshalText reads what MarshalText wrote.
func (k *Key) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), "\t")
	if len(parts) != 3 {
		return fmt.Errorf("%q is no key of a sum", text)
	}
	*k = Key{parts[0], parts[1], parts[2]}
	return nil
}
