package knowledge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/operation"
)

// Item is something to do later. Its JSON form is a line of backlog.jsonl.
type Item struct {
	ID   operation.ID `json:"id"` // the operation that added it
	TS   string       `json:"ts"` // RFC 3339 in UTC
	Txt  string       `json:"txt"`
	Src  string       `json:"src,omitempty"`
	Done bool         `json:"done,omitempty"`
	// Task is the task whose work brought it up, PromotedTo the one it became, or became
	// Phase of.
	Task       string       `json:"task,omitempty"`
	PromotedTo string       `json:"promoted_to,omitempty"`
	Phase      operation.ID `json:"phase,omitempty"`
}

// Open reports whether the item still waits for somebody.
func (i Item) Open() bool { return !i.Done && i.PromotedTo == "" }

// State is the project's record, in the order of the fold.
type State struct {
	Entries []Entry
	Backlog []Item
	// Clock is the highest clock folded in.
	Clock uint64
	// newer is the format that it was read in, where that is a newer minor one.
	newer string
}

// Apply returns the state after op, and whether op changed anything but the
// clock. An operation that no longer applies, of an unknown kind, or not well
// formed changes nothing. The state given stays as it is.
func Apply(s State, op operation.Operation) (State, bool) {
	s.Clock = max(s.Clock, op.Clock)
	// Clipped: an append must not write into an array that another state has.
	s.Entries, s.Backlog = slices.Clip(s.Entries), slices.Clip(s.Backlog)
	switch op.Kind {
	case OpAdd, OpRemove:
		entries, changed := ApplyEntries(s.Entries, op)
		s.Entries = entries
		return s, changed
	case OpBacklogAdd, OpBacklogDone, OpBacklogPromote:
		backlog, changed := applyBacklog(s.Backlog, op)
		s.Backlog = backlog
		return s, changed
	}
	return s, false
}

// ApplyEntries is Apply for a list of entries alone, such as a task's: the
// kinds OpAdd and OpRemove. The list given stays as it is.
func ApplyEntries(entries []Entry, op operation.Operation) ([]Entry, bool) {
	switch op.Kind {
	case OpAdd:
		e, ok := addedEntry(op)
		if !ok || slices.ContainsFunc(entries, func(o Entry) bool { return o.ID == e.ID }) {
			return entries, false
		}
		return append(slices.Clip(entries), e), true
	case OpRemove:
		gone := removedIDs(op)
		has := func(e Entry) bool { return gone[e.ID] }
		if len(gone) == 0 || !slices.ContainsFunc(entries, has) {
			return entries, false
		}
		return slices.DeleteFunc(slices.Clone(entries), has), true
	}
	return entries, false
}

func addedEntry(op operation.Operation) (e Entry, ok bool) {
	if json.Unmarshal(op.Payload, &e) != nil || !e.T.Valid() || e.Txt == "" || len(e.Paths) > maxPaths ||
		!storable(e.Txt, MaxText) || !storable(e.Src, maxSrc) || !storable(e.TS, maxTime) {
		return Entry{}, false
	}
	for _, path := range e.Paths {
		if path == "" || !storable(path, maxPath) {
			return Entry{}, false
		}
	}
	if len(e.Paths) == 0 {
		e.Paths = nil
	}
	e.ID = op.ID
	return e, true
}

func removedIDs(op operation.Operation) map[operation.ID]bool {
	var p RemovePayload
	if json.Unmarshal(op.Payload, &p) != nil {
		return nil
	}
	ids := make(map[operation.ID]bool, len(p.IDs))
	for _, id := range p.IDs {
		ids[id] = true
	}
	return ids
}

func applyBacklog(items []Item, op operation.Operation) ([]Item, bool) {
	switch op.Kind {
	case OpBacklogAdd:
		item, ok := addedItem(op)
		if !ok || find(items, item.ID) >= 0 {
			return items, false
		}
		return append(slices.Clip(items), item), true
	case OpBacklogDone, OpBacklogPromote:
		var p BacklogItemPayload
		if json.Unmarshal(op.Payload, &p) != nil {
			return items, false
		}
		at := find(items, p.Item)
		if at < 0 {
			return items, false
		}
		item := items[at]
		switch {
		case op.Kind == OpBacklogDone && !item.Done:
			item.Done = true
		case op.Kind == OpBacklogPromote && item.Open() && p.Task != "" && storable(p.Task, maxPath) &&
			(p.Phase == "" || p.Phase.Valid()):
			item.PromotedTo, item.Phase = p.Task, p.Phase
		case op.Kind == OpBacklogPromote && p.Task == "" && item.Phase != "" && item.Phase == p.Phase:
			item.PromotedTo, item.Phase = "", ""
		default:
			return items, false
		}
		items = slices.Clone(items)
		items[at] = item
		return items, true
	}
	return items, false
}

func addedItem(op operation.Operation) (i Item, ok bool) {
	if json.Unmarshal(op.Payload, &i) != nil || i.Txt == "" || !storable(i.Txt, MaxText) || !storable(i.Src, maxSrc) ||
		!storable(i.TS, maxTime) || !storable(i.Task, maxPath) {
		return Item{}, false
	}
	i.ID, i.Done, i.PromotedTo, i.Phase = op.ID, false, "", ""
	return i, true
}

func find(items []Item, id operation.ID) int {
	return slices.IndexFunc(items, func(i Item) bool { return i.ID == id })
}

// The kinds of operations on the project's record. The first two are the same
// on a task. OpAdd carries an Entry without its id, which is the operation's.
const (
	OpAdd            operation.Kind = "knowledge.add"
	OpRemove         operation.Kind = "knowledge.remove"
	OpBacklogAdd     operation.Kind = "backlog.add"
	OpBacklogDone    operation.Kind = "backlog.done"
	OpBacklogPromote operation.Kind = "backlog.promote"
)

// RemovePayload is what OpRemove carries.
type RemovePayload struct {
	IDs []operation.ID `json:"ids"`
	// Reason says why: compacted, exported as rules, a person's words.
	Reason string `json:"reason,omitempty"`
}

// BacklogAddPayload is what OpBacklogAdd carries; the item's id is the
// operation's. Task is the task whose work brought it up.
type BacklogAddPayload struct {
	TS   string `json:"ts"`
	Txt  string `json:"txt"`
	Src  string `json:"src,omitempty"`
	Task string `json:"task,omitempty"`
}

// BacklogItemPayload is what OpBacklogDone and OpBacklogPromote carry: Task is what a
// promoted item became, or became Phase of. Phase without Task: that phase is gone, and the
// item is open again.
type BacklogItemPayload struct {
	Item  operation.ID `json:"item"`
	Task  string       `json:"task,omitempty"`
	Phase operation.ID `json:"phase,omitempty"`
}

// Subject says in a sentence what op does to the state before it: the subject
// of its commit, one line. Kinds of others give their name alone.
func Subject(before State, op operation.Operation) string {
	switch op.Kind {
	case OpAdd:
		if e, ok := addedEntry(op); ok {
			return fmt.Sprintf("knowledge: %s %s", e.T, quote(e.Txt))
		}
	case OpRemove:
		var p RemovePayload
		if json.Unmarshal(op.Payload, &p) == nil {
			return strings.TrimSuffix(fmt.Sprintf("knowledge: removed %d: %s", len(p.IDs), shown(p.Reason)), ": ")
		}
	case OpBacklogAdd:
		if i, ok := addedItem(op); ok {
			return "backlog: " + quote(i.Txt)
		}
	case OpBacklogDone, OpBacklogPromote:
		var p BacklogItemPayload
		switch err := json.Unmarshal(op.Payload, &p); {
		case err != nil:
		case op.Kind == OpBacklogDone:
			return "backlog: done " + itemText(before.Backlog, p.Item)
		case p.Task == "":
			return "backlog: open again " + itemText(before.Backlog, p.Item)
		default:
			what := map[bool]string{true: "task", false: "a phase of"}[p.Phase == ""]
			return fmt.Sprintf("backlog: %s becomes %s %s", itemText(before.Backlog, p.Item), what, shown(p.Task))
		}
	}
	return shown(string(op.Kind))
}

func itemText(items []Item, id operation.ID) string {
	if i := find(items, id); i >= 0 {
		return quote(items[i].Txt)
	}
	return invisible.Cut(invisible.Line(string(id)), 8)
}

// shown is a text on one line, cut; quote puts it into quotation marks.
func shown(s string) string { return invisible.Cut(invisible.Line(s), 50) }
func quote(s string) string { return `"` + shown(s) + `"` }
