package knowledge

import (
	"encoding/json"
	"fmt"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/operation"
)

const subjectText = 50 // characters of a text in a sentence

// Subject says in a sentence what op does to the state before it: the subject
// of its commit, one line. Kinds of others give their name alone.
func Subject(before State, op operation.Operation) string {
	switch op.Kind {
	case OpAdd:
		if e, ok := addedEntry(op); ok {
			return fmt.Sprintf("knowledge: %s %s", e.T, quote(e.Txt))
		}
	case OpRemove:
		return removeSubject(before.Entries, op)
	case OpBacklogAdd:
		if i, ok := addedItem(op); ok {
			return "backlog: " + quote(i.Txt)
		}
	case OpBacklogDone:
		var p BacklogDonePayload
		if json.Unmarshal(op.Payload, &p) == nil {
			return "backlog: done " + itemText(before.Backlog, p.Item)
		}
	case OpBacklogPromote:
		var p BacklogPromotePayload
		if json.Unmarshal(op.Payload, &p) == nil {
			id := invisible.Cut(invisible.Line(p.Task), 80)
			return fmt.Sprintf("backlog: %s becomes task %s", itemText(before.Backlog, p.Item), id)
		}
	}
	return invisible.Cut(invisible.Line(string(op.Kind)), subjectText)
}

func removeSubject(entries []Entry, op operation.Operation) string {
	gone := removedIDs(op)
	var text string
	n := 0
	for _, e := range entries {
		if gone[e.ID] {
			text = e.Txt
			n++
		}
	}
	s := fmt.Sprintf("knowledge: remove %d entries", n)
	if n == 1 {
		s = "knowledge: remove " + quote(text)
	}
	var p RemovePayload
	if json.Unmarshal(op.Payload, &p) == nil && invisible.Line(p.Reason) != "" {
		s += " (" + invisible.Cut(invisible.Line(p.Reason), subjectText) + ")"
	}
	return s
}

func itemText(items []Item, id operation.ID) string {
	if i := find(items, id); i >= 0 {
		return quote(items[i].Txt)
	}
	return invisible.Cut(invisible.Line(string(id)), 8)
}

// quote is a text in quotation marks, on one line, cut.
func quote(s string) string { return `"` + invisible.Cut(invisible.Line(s), subjectText) + `"` }
