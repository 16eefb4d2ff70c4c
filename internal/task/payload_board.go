package task

// RemarkAddPayload is what OpRemarkAdd carries; the remark's UID is the
// operation's id. Where an open remark says the same already, this is one more
// vote for that.
type RemarkAddPayload struct {
	On BoardName `json:"on"`
	// Reviewer is who found it; empty: the user.
	Reviewer string   `json:"reviewer,omitempty"`
	Seat     Seat     `json:"seat,omitempty"` // the reviewer's
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`
	File     string   `json:"file,omitempty"` // relative, with slashes
	Line     int      `json:"line,omitempty"`
	Seen     string   `json:"seen,omitempty"` // as in BoardReadyPayload
}

// RemarkVotePayload is what OpRemarkVote carries: a reviewer's vote on a remark,
// or, without a reviewer, the user's ruling.
type RemarkVotePayload struct {
	Remark   UID    `json:"remark"`
	Reviewer string `json:"reviewer,omitempty"`
	Seat     Seat   `json:"seat,omitempty"`
	Seen     string `json:"seen,omitempty"` // as in BoardReadyPayload
	// Against: the remark is not right, for the reason.
	Against bool   `json:"against,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// RemarkResolvePayload is what OpRemarkResolve carries: something was done about
// a remark.
type RemarkResolvePayload struct {
	Remark UID    `json:"remark"`
	Reason string `json:"reason,omitempty"`
}

// BoardReadyPayload is what OpBoardReady carries: a reviewer has nothing grave to
// say, or, without a reviewer, the user takes it as it is.
type BoardReadyPayload struct {
	On       BoardName `json:"on"`
	Reviewer string    `json:"reviewer,omitempty"`
	Seat     Seat      `json:"seat,omitempty"`
	// Seen is the blob of the document that was looked at: whoever has seen another
	// than there is, after a merge, has not spoken about this one.
	Seen   string `json:"seen,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// voter is who says something on a board: a reviewer, or, without a name, the
// user.
type voter struct {
	name string
	seat Seat
	seen string
}

func (v voter) reviewer() Reviewer { return Reviewer{v.name, v.seat} }

func (p RemarkAddPayload) voter() voter  { return voter{p.Reviewer, p.Seat, p.Seen} }
func (p RemarkVotePayload) voter() voter { return voter{p.Reviewer, p.Seat, p.Seen} }
func (p BoardReadyPayload) voter() voter { return voter{p.Reviewer, p.Seat, p.Seen} }

// remark is what the payload says, without what the fold adds.
func (p RemarkAddPayload) remark() Remark {
	return Remark{On: p.On, Severity: p.Severity, Text: p.Text, File: p.File, Line: p.Line}
}

func (p RemarkAddPayload) phase() UID {
	uid, _ := p.On.phase()
	return uid
}

func (p BoardReadyPayload) phase() UID {
	uid, _ := p.On.phase()
	return uid
}
