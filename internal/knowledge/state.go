package knowledge

import (
	"encoding/json"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

// Item is something to do later. Its JSON form is a line of backlog.jsonl.
type Item struct {
	ID   operation.ID `json:"id"` // the operation that added it
	TS   string       `json:"ts"` // RFC 3339 in UTC
	Txt  string       `json:"txt"`
	Src  string       `json:"src,omitempty"`
	Done bool         `json:"done,omitempty"`
	// Task is the task whose work brought it up, PromotedTo the one it became.
	Task       string `json:"task,omitempty"`
	PromotedTo string `json:"promoted_to,omitempty"`
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

func addedEntry(op operation.Operation) (Entry, bool) {
	var p AddPayload
	if json.Unmarshal(op.Payload, &p) != nil || !p.T.Valid() || p.Txt == "" || len(p.Paths) > maxPaths ||
		!storable(p.Txt, MaxText) || !storable(p.Src, maxSrc) || !storable(p.TS, maxTime) {
		return Entry{}, false
	}
	for _, path := range p.Paths {
		if path == "" || !storable(path, maxPath) {
			return Entry{}, false
		}
	}
	if len(p.Paths) == 0 {
		p.Paths = nil
	}
	return Entry{ID: op.ID, TS: p.TS, T: p.T, Txt: p.Txt, Src: p.Src, Paths: p.Paths}, true
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
	case OpBacklogDone:
		var p BacklogDonePayload
		if json.Unmarshal(op.Payload, &p) != nil {
			return items, false
		}
		return change(items, p.Item, func(i *Item) bool {
			was := i.Done
			i.Done = true
			return !was
		})
	case OpBacklogPromote:
		var p BacklogPromotePayload
		if json.Unmarshal(op.Payload, &p) != nil || p.Task == "" || !storable(p.Task, maxPath) {
			return items, false
		}
		return change(items, p.Item, func(i *Item) bool {
			if !i.Open() {
				return false
			}
			i.PromotedTo = p.Task
			return true
		})
	}
	return items, false
}

func addedItem(op operation.Operation) (Item, bool) {
	var p BacklogAddPayload
	if json.Unmarshal(op.Payload, &p) != nil || p.Txt == "" || !storable(p.Txt, MaxText) || !storable(p.Src, maxSrc) ||
		!storable(p.TS, maxTime) || !storable(p.Task, maxPath) {
		return Item{}, false
	}
	return Item{ID: op.ID, TS: p.TS, Txt: p.Txt, Src: p.Src, Task: p.Task}, true
}

func find(items []Item, id operation.ID) int {
	return slices.IndexFunc(items, func(i Item) bool { return i.ID == id })
}

// change edits a copy of one item; edit reports whether it did anything.
func change(items []Item, id operation.ID, edit func(*Item) bool) ([]Item, bool) {
	at := find(items, id)
	if at < 0 {
		return items, false
	}
	item := items[at]
	if !edit(&item) {
		return items, false
	}
	items = slices.Clone(items)
	items[at] = item
	return items, true
}

// The kinds of operations on the project's record. The first two are the same
// on a task.
const (
	OpAdd            operation.Kind = "knowledge.add"
	OpRemove         operation.Kind = "knowledge.remove"
	OpBacklogAdd     operation.Kind = "backlog.add"
	OpBacklogDone    operation.Kind = "backlog.done"
	OpBacklogPromote operation.Kind = "backlog.promote"
)

// AddPayload is what OpAdd carries; the entry's id is the operation's.
type AddPayload struct {
	TS    string   `json:"ts"`
	T     Kind     `json:"t"`
	Txt   string   `json:"txt"`
	Src   string   `json:"src,omitempty"`
	Paths []string `json:"paths,omitempty"`
}

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

// BacklogDonePayload is what OpBacklogDone carries.
type BacklogDonePayload struct {
	Item operation.ID `json:"item"`
}

// BacklogPromotePayload is what OpBacklogPromote carries: the item became the
// task.
type BacklogPromotePayload struct {
	Item operation.ID `json:"item"`
	Task string       `json:"task"`
}
