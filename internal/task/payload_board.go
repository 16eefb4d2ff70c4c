package task

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
