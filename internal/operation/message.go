package operation

import "strings"

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
