package operation

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"
)

// Law is the version of the folding rules that this program writes. A history
// that holds an operation of an unknown law is never folded anew, only
// fast-forwarded.
const Law = 1

// MaxClock is the highest clock and the highest fence there is: every JSON
// reader has numbers up to it, and one more is still a number.
const MaxClock = 1<<53 - 1

// MaxSize bounds the encoded size, in bytes, of one operation read from
// outside. Texts are blobs of their own and do not count.
const MaxSize = 1 << 20

// ErrInvalid is returned for bytes that are not a well-formed operation.
var ErrInvalid = errors.New("invalid operation")

// ID names an operation: 32 lower-case hexadecimal digits. What an operation
// creates (a phase, an entry of knowledge) is named by that operation's id.
type ID string

// Kind says what an operation does, for example "phase.start".
type Kind string

// Actor is the person in whose name an operation was made, by git's rules of
// identity.
type Actor struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// Operation is one recorded change. Its JSON form is the format on disk:
// docs/reference/format.md.
type Operation struct {
	ID    ID     `json:"id"`
	Kind  Kind   `json:"kind"`
	Clock uint64 `json:"clock"`
	Law   int    `json:"law"`
	// At is when the operation was made by its author's clock, RFC 3339 in
	// UTC. It is shown, never used to order.
	At    string `json:"at"`
	Actor Actor  `json:"actor"`
	// Session is the agent session that made it; empty for a person.
	Session string `json:"session,omitempty"`
	// Fence and Claim name the lock that was held: guarded operations of a
	// holder that had lost it are void (see History).
	Fence uint64 `json:"fence,omitempty"`
	Claim string `json:"claim,omitempty"`
	// Act is the first operation that the same command made on the record;
	// empty for that one. They are told, and taken back, as one.
	Act ID `json:"act,omitempty"`
	// Payload is what the kind needs, a JSON object.
	Payload json.RawMessage `json:"payload"`

	// Extra holds fields of newer minor versions, kept as they came.
	Extra map[string]json.RawMessage `json:"-"`
}

// fields are those of Operation, as encoding/json names them.
var fields = []string{"id", "kind", "clock", "law", "at", "actor", "session", "fence", "claim", "act", "payload"}

// NewID draws an id from random, usually crypto/rand.Reader.
func NewID(random io.Reader) (ID, error) {
	if random == nil {
		random = rand.Reader
	}
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("draw an operation id: %w", err)
	}
	return ID(hex.EncodeToString(b[:])), nil
}

// Valid reports whether id has the form of an operation id.
func (id ID) Valid() bool {
	return len(id) == 32 && strings.Trim(string(id), "0123456789abcdef") == ""
}

// Less is the order of the fold: by clock, then by id. It is total for
// operations with different ids and agrees with causality.
func Less(a, b Operation) bool {
	if a.Clock != b.Clock {
		return a.Clock < b.Clock
	}
	return a.ID < b.ID
}

// Encode returns the bytes of op in the form of Canonical.
func Encode(op Operation) ([]byte, error) {
	raw, err := json.Marshal(op)
	if err == nil && len(op.Extra) > 0 {
		all := maps.Clone(op.Extra)
		maps.DeleteFunc(all, known)
		if err = json.Unmarshal(raw, &all); err == nil {
			raw, err = json.Marshal(all)
		}
	}
	if err == nil {
		raw, err = Canonical(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: encode %s: %w", ErrInvalid, op.ID, err)
	}
	return raw, nil
}

// known reports whether encoding/json takes a field for one of Operation's: it
// reads them in any case.
func known(name string, _ json.RawMessage) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return strings.EqualFold(f, name) })
}

// Decode reads an operation and checks its form: id, kind, clock and payload.
// What the kind means is checked by whoever applies it.
func Decode(data []byte) (Operation, error) {
	var op Operation
	if len(data) > MaxSize {
		return op, fmt.Errorf("%w: %d bytes, at most %d", ErrInvalid, len(data), MaxSize)
	}
	if _, err := Canonical(data); err != nil { // two readers could read two operations
		return op, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if err := json.Unmarshal(data, &op); err != nil {
		return op, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	switch {
	case !op.ID.Valid():
		return op, fmt.Errorf("%w: id %q", ErrInvalid, op.ID)
	case op.Kind == "":
		return op, fmt.Errorf("%w: no kind", ErrInvalid)
	case op.Clock == 0:
		return op, fmt.Errorf("%w: no clock", ErrInvalid)
	case op.Clock > MaxClock:
		return op, fmt.Errorf("%w: clock %d, at most %d", ErrInvalid, op.Clock, uint64(MaxClock))
	case op.Fence > MaxClock:
		return op, fmt.Errorf("%w: fence %d, at most %d", ErrInvalid, op.Fence, uint64(MaxClock))
	case op.Law <= 0:
		return op, fmt.Errorf("%w: law %d", ErrInvalid, op.Law)
	case op.Act != "" && (!op.Act.Valid() || op.Act == op.ID):
		return op, fmt.Errorf("%w: act %q", ErrInvalid, op.Act)
	case len(op.Payload) == 0 || op.Payload[0] != '{':
		return op, fmt.Errorf("%w: the payload is no object", ErrInvalid)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return op, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if maps.DeleteFunc(all, known); len(all) > 0 {
		op.Extra = all
	}
	return op, nil
}

// Trailer is one line "Key: Value" at the end of a commit's message.
type Trailer struct{ Key, Value string }

// Message is the message of the commit that records an operation: a sentence,
// and the trailers that people query.
func Message(subject string, trailers []Trailer) string {
	var b strings.Builder
	b.WriteString(subject + "\n")
	for i, t := range trailers {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t.Key + ": " + t.Value + "\n")
	}
	return b.String()
}

// File is a file of a record's tree. Data nil: it is stored already, under OID. OID
// empty: whoever stores Data learns it.
type File struct {
	OID  string
	Data []byte
}

// Files are the files of a record's tree, by path.
type Files map[string]File

// Format is the version of the format on disk that this program writes, of every
// record: see docs/reference/format.md.
const Format = "1.0.0"

// Readable is the range of formats that this program reads: a newer minor version
// only adds, and what has one is read, and not written again.
const Readable = "^" + Format

// readable is Readable, parsed where the first format is checked.
var readable = sync.OnceValues(func() (*semver.Constraints, error) { return semver.NewConstraint(Readable) })

// FormatError says that a record was written by a program with another format.
type FormatError struct{ Have string }

func (e *FormatError) Error() string {
	const most = 32
	have := e.Have
	if len(have) > most {
		have = have[:most]
	}
	text := fmt.Sprintf("it has format %q, this git-brew reads %s", have, Readable)
	if NewerFormat(e.Have) {
		text += "; install a newer git-brew"
	}
	return text
}

// CheckFormat refuses a format that this program can't read, with a *FormatError.
func CheckFormat(have string) error {
	allowed, err := readable()
	if err != nil {
		return err
	}
	if v, err := semver.StrictNewVersion(have); err != nil || !allowed.Check(v) {
		return &FormatError{Have: have}
	}
	return nil
}

// NewerFormat reports whether a format is newer than the one that is written here, by
// however little. What is no version is not.
func NewerFormat(have string) bool {
	if have == Format {
		return false
	}
	ours, err := semver.StrictNewVersion(Format)
	theirs, terr := semver.StrictNewVersion(have)
	return err == nil && terr == nil && theirs.GreaterThan(ours)
}
