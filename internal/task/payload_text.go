package task

import (
	"github.com/git-brew/git-brew/internal/operation"
)

// DocSetPayload is what OpDocSet carries: the text changed from the blob Base
// (empty: it did not exist) to the blob OID.
type DocSetPayload struct {
	Name DocName `json:"name"`
	Base string  `json:"base,omitempty" is:"oid"`
	OID  string  `json:"oid" is:"oid"`
}

// DocResolvePayload is what OpDocResolve carries: the conflict is settled by
// the text OID in its place.
type DocResolvePayload struct {
	Conflict operation.ID `json:"conflict"`
	OID      string       `json:"oid" is:"oid"`
}

// ReportPayload is what OpReport carries; Base as in DocSetPayload.
type ReportPayload struct {
	Phase     UID    `json:"phase"`
	Iteration int    `json:"iteration" len:"10000"`
	Verify    bool   `json:"verify,omitempty"`
	Agent     string `json:"agent" is:"name"`
	Base      string `json:"base,omitempty" is:"oid"`
	OID       string `json:"oid" is:"oid"`
}

// KnowledgeAddPayload is what OpKnowledgeAdd carries; the entry's id is the
// operation's.
type KnowledgeAddPayload struct {
	TS    string   `json:"ts"`
	T     string   `json:"t"`
	Txt   string   `json:"txt" is:"seen"`
	Src   string   `json:"src,omitempty" is:"seen"`
	Paths []string `json:"paths,omitempty" is:"seen"`
}

// KnowledgeRemovePayload is what OpKnowledgeRemove carries.
type KnowledgeRemovePayload struct {
	IDs    []operation.ID `json:"ids"`
	Reason string         `json:"reason,omitempty" is:"seen"`
}

// TextsOf are the blobs that an operation names: the text that it brings, and
// the one that this was made from. Whoever folds it needs both.
func TextsOf(op operation.Operation) []string {
	var all []string
	switch op.Kind {
	case OpDocSet:
		p, _ := Payload[DocSetPayload](op)
		all = []string{p.Base, p.OID}
	case OpReport:
		p, _ := Payload[ReportPayload](op)
		all = []string{p.Base, p.OID}
	case OpDocResolve:
		p, _ := Payload[DocResolvePayload](op)
		all = []string{p.OID}
	}
	return all
}

// UndoPayload is what OpUndo and OpUndoOpen carry.
type UndoPayload struct {
	// Operations are what is taken back, the first first: one, or all that one
	// command made (operation.Operation.Act).
	Operations []operation.ID `json:"operations" is:"uid" len:"1000"`
	// Commit recorded the last of them.
	Commit string `json:"commit" is:"oid"`
	// Said is the sentence that told them, for people.
	Said string `json:"said,omitempty" is:"quoted"`
}

// CommitsOf are the commits of a record's history that an operation names.
// Whoever folds it needs them.
func CommitsOf(op operation.Operation) []string {
	if op.Kind != OpUndo && op.Kind != OpUndoOpen {
		return nil
	}
	p, _ := Payload[UndoPayload](op)
	return []string{p.Commit}
}
