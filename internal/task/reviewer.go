package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// VoterID is whose vote it is, whatever name it is given under: an agent's session
// ("s1"), or an agent that this one started ("s1/reviewer"). Empty: a person's, who is
// known by the name alone.
type VoterID string

func (v VoterID) valid() bool {
	session, agent, of := strings.Cut(string(v), "/")
	return v == "" || safeSession(session) && (!of || validName(agent))
}

// Reviewer is who speaks on a board; without a name it is the user.
type Reviewer struct {
	Name  string  `json:"name"`
	Voter VoterID `json:"voter,omitempty"`
}

func (r Reviewer) valid() bool { return validName(r.Name) && r.Voter.valid() }

// is reports whether two have one vote: an agent is told by its id, a person by the
// name, in any case of its letters.
func (r Reviewer) is(o Reviewer) bool {
	return r.Voter == o.Voter && (r.Voter != "" || strings.EqualFold(r.Name, o.Name))
}

// mayMake reports whether an operation can be a reviewer's: a session's are its own,
// or its agents', and no agent's is the user's.
func (r Reviewer) mayMake(op operation.Operation) bool {
	session, _, _ := strings.Cut(string(r.Voter), "/")
	return op.Session == "" || op.Session == session
}

// speaker is a reviewer, and what they have looked at.
type speaker struct {
	Reviewer
	seen string
}

// placed finds what a reviewer said before in a list, -1 for nothing.
func placed[E any](list []E, who Reviewer, by func(E) Reviewer) int {
	return slices.IndexFunc(list, func(e E) bool { return by(e).is(who) })
}

func (b Ballot) by() Reviewer { return b.Reviewer }

func (v Vote) by() Reviewer { return v.Reviewer }

// checkSpeaker says why an operation can't speak for somebody on a board.
func checkSpeaker(t Task, op operation.Operation, on BoardName, who Reviewer) error {
	b, there := t.board(on)
	switch {
	case !who.mayMake(op):
		return Refuse(CodeInvalid, "this session can't speak for "+Clip(cmp.Or(who.Name, "the user"), MaxName), "an agent gives --reviewer NAME")
	case !validBoard(t, on):
		return fmt.Errorf("%w: %q can't be reviewed; use a document or a phase", ErrNoDocument, Clip(string(on), MaxTitle))
	case who != Reviewer{} && !validName(who.Name):
		return Refuse(CodeInvalid, fmt.Sprintf("%q can't be a reviewer's name", Clip(who.Name, MaxName)),
			"use letters, digits, '.', '_' and '-'")
	case !who.Voter.valid():
		return Refuse(CodeInvalid, fmt.Sprintf("%q is no session's", Clip(string(who.Voter), MaxName)), "leave --session out")
	case !there && len(t.Boards) >= maxBoards:
		return Refuse(CodeTaskState, fmt.Sprintf("the task has %d boards, no more fit", len(t.Boards)), "review what matters")
	case who.Name != "" && placed(b.Reviewers, who, Ballot.by) < 0 && len(b.Reviewers) >= maxReviewers:
		return Refuse(CodeTaskState, fmt.Sprintf("%d reviewers spoke on it already, no more fit", maxReviewers),
			"see 'git brew remark tally "+t.ShownBoard(on)+"'")
	}
	return nil
}

// checkName refuses a name that would hide who speaks: one of the other kind, person
// or agent, or a second one of the same agent. Votes are counted by the id, whatever
// the names are, so the fold does not ask.
func checkVoterName(t Task, who Reviewer) error {
	var all []Reviewer
	for _, b := range t.Boards {
		for _, o := range b.Reviewers {
			all = append(all, o.Reviewer)
		}
	}
	for _, r := range t.Remarks {
		for _, v := range r.Votes {
			all = append(all, v.Reviewer)
		}
	}
	if i := placed(all, who, func(r Reviewer) Reviewer { return r }); i >= 0 {
		if strings.EqualFold(all[i].Name, who.Name) {
			return nil
		}
		return Refuse(CodeTaken, "this session speaks as "+all[i].Name+": it is one reviewer, and has one vote",
			"give --reviewer "+all[i].Name+"; a sub-agent that it starts has a vote of its own")
	}
	for _, r := range all {
		switch {
		case !strings.EqualFold(r.Name, who.Name):
		case r.Voter == "" && who.Voter != "":
			return Refuse(CodeTaken, "a person speaks as "+r.Name, "an agent takes a name of its own")
		case r.Voter != "" && who.Voter == "":
			return Refuse(CodeTaken, "an agent speaks as "+r.Name, "take another name, or leave --reviewer out to speak as the user")
		}
	}
	return nil
}
