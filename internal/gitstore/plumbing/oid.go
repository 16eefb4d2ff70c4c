package plumbing

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
)

const HexSize = 40

// OID is the SHA-1 name of an object. The zero value means "absent". It is
// comparable, and usable as a map key.
type OID struct {
	B [20]byte
}

// ParseOID reads 40 hexadecimal digits; 40 zeros are the zero OID.
func ParseOID(s string) (OID, error) {
	var id OID
	if len(s) != HexSize {
		return OID{}, fmt.Errorf("object id %.60q: want %d hexadecimal digits", s, HexSize)
	}
	if _, err := hex.Decode(id.B[:], []byte(s)); err != nil {
		return OID{}, fmt.Errorf("object id %q: want %d hexadecimal digits", s, HexSize)
	}
	return id, nil
}

// HashBlob is the id of a blob with this content; nothing is written.
// Unlike what is read, it is not looked through for attempts at a collision: in
// a verification of long histories that would be most of the work.
func HashBlob(data []byte) OID {
	h := sha1.New()
	h.Write(strconv.AppendInt([]byte("blob "), int64(len(data)), 10))
	h.Write([]byte{0})
	h.Write(data)
	return OID{[20]byte(h.Sum(nil))}
}

func HashObject(k Kind, data []byte) OID {
	return OID{B: plumbing.ComputeHash(k.ObjectType(), data)}
}

// String is the full id in hexadecimal, 40 zeros for the zero OID.
func (id OID) String() string { return hex.EncodeToString(id.B[:]) }

// Short is a prefix for people to read, never to be stored.
func (id OID) Short() string { return id.String()[:10] }

// IsZero tells whether id means "absent".
func (id OID) IsZero() bool { return id == OID{} }

// Compare orders ids by their bytes: -1, 0, +1.
func (id OID) Compare(other OID) int { return bytes.Compare(id.B[:], other.B[:]) }

// MarshalText gives the full id, and nothing for the zero OID.
func (id OID) MarshalText() ([]byte, error) {
	if id.IsZero() {
		return nil, nil
	}
	return []byte(id.String()), nil
}

// UnmarshalText reads what MarshalText wrote.
func (id *OID) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*id = OID{}
		return nil
	}
	parsed, err := ParseOID(string(text))
	if err != nil {
		return err
	}
	*id = parsed
	return nil
}
