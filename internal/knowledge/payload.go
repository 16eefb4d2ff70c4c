package knowledge

import "github.com/git-brew/git-brew/internal/operation"

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
