package knowledge

import "github.com/git-brew/git-brew/internal/operation"

// Kind says what an entry is good for.
type Kind string

// The kinds, most valuable first. Input also takes best, info and the three
// symbols of Brewcode (ParseKind).
const (
	Avoid    Kind = "avoid"
	Practice Kind = "practice"
	Fact     Kind = "fact"
)

// Entry is one remembered thing. Its JSON form is a line of knowledge.jsonl.
type Entry struct {
	ID  operation.ID `json:"id"` // the operation that added it
	TS  string       `json:"ts"` // RFC 3339 in UTC
	T   Kind         `json:"t"`
	Txt string       `json:"txt"`
	Src string       `json:"src,omitempty"`
	// Paths are the globs of files it is about; none: everywhere.
	Paths []string `json:"paths,omitempty"`
}
