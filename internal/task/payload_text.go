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

// NamedBy are the objects that an operation names, which whoever folds it needs: the
// text that it brings, and the one that this was made from; a commit of the record's
// history.
func NamedBy(op operation.Operation) []string {
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
	case OpUndo, OpUndoOpen:
		p, _ := Payload[UndoPayload](op)
		all = []string{p.Commit}
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

// What is said on boards is open to everybody, so nothing of it ever takes back
// what a holder did: a board keeps what comes next from being made (see
// CheckBoard), and the fold never asks it.

// BoardReadyPayload is what OpBoardReady carries: a reviewer has nothing grave to
// say, or, without a reviewer, the user takes it as it is.
type BoardReadyPayload struct {
	On       BoardName `json:"on"`
	Reviewer string    `json:"reviewer,omitempty" is:"name"`
	Voter    VoterID   `json:"voter,omitempty" is:"voter"`
	// Seen is the blob of the document that was looked at: whoever has seen another
	// than there is, after a merge, has not spoken about this one.
	Seen   string `json:"seen,omitempty"`
	Reason string `json:"reason,omitempty" is:"said"`
}

// DecisionAddPayload is what OpDecisionAdd carries; the decision's UID is the
// operation's id.
type DecisionAddPayload struct {
	Title    string        `json:"title" is:"title"`
	Why      string        `json:"why,omitempty" is:"item"`
	Rejected []Alternative `json:"rejected,omitempty" len:"10"`
	Phase    UID           `json:"phase,omitempty"`
	// Supersedes is the decision whose place it takes.
	Supersedes UID `json:"supersedes,omitempty"`
}

// DecisionRevokePayload is what OpDecisionRevoke carries.
type DecisionRevokePayload struct {
	Decision UID    `json:"decision"`
	Reason   string `json:"reason,omitempty" is:"said"`
}

// RemarkAddPayload is what OpRemarkAdd carries; the remark's UID is the
// operation's id.
type RemarkAddPayload struct {
	On BoardName `json:"on"`
	// Reviewer is who found it; empty: the user.
	Reviewer string   `json:"reviewer,omitempty" is:"name"`
	Voter    VoterID  `json:"voter,omitempty" is:"voter"` // the reviewer's
	Severity Severity `json:"severity" is:"severity"`
	Text     string   `json:"text" is:"remark"`
	File     string   `json:"file,omitempty" is:"file"` // relative, with slashes
	Line     int      `json:"line,omitempty" len:"10000000"`
	Seen     string   `json:"seen,omitempty"` // as in BoardReadyPayload
}

// RemarkVotePayload is what OpRemarkVote carries: a reviewer's vote on a remark,
// or, without a reviewer, the user's ruling.
type RemarkVotePayload struct {
	Remark   UID     `json:"remark"`
	Reviewer string  `json:"reviewer,omitempty" is:"name"`
	Voter    VoterID `json:"voter,omitempty" is:"voter"`
	Seen     string  `json:"seen,omitempty"` // as in BoardReadyPayload
	// Against: the remark is not right, for the reason.
	Against bool   `json:"against,omitempty"`
	Reason  string `json:"reason,omitempty" is:"said"`
}

// RemarkResolvePayload is what OpRemarkResolve carries: something was done about
// a remark.
type RemarkResolvePayload struct {
	Remark UID    `json:"remark"`
	Reason string `json:"reason,omitempty" is:"said"`
}
