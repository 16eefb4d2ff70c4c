package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// lastRejection is the number of the user's rejection that was the last one when
// anything rejected now was, or anything that work began on since.
func lastRejection(t task.Task) int {
	n := 0
	for _, p := range t.Phases {
		n = max(n, p.SeenRejection)
		if p.Rejection != nil {
			n = max(n, p.Rejection.N)
		}
	}
	return n
}

// rejectedByUser notes the user's rejection of p; of a verification, it is about what
// that verifies.
func (e *editor) rejectedByUser(p task.Phase, reason string) {
	i := e.t.PhaseIndex(workRejected(p))
	if i < 0 {
		return
	}
	e.phases()[i].Rejection = &task.Rejection{N: lastRejection(e.t) + 1, Of: p.UID, Reason: reason}
	e.settleReviews(e.t.Phases[i])
}

// takeBack: the user approves p after all, and so all that is a part of it.
func (e *editor) takeBack(p task.Phase) {
	of := workRejected(p)
	for i, q := range e.t.Phases {
		if q.Rejection != nil && (q.UID == of || isFixOf(q, of)) {
			e.phases()[i].Rejection = nil
		}
	}
}

// workRejected is the phase that a verdict on p is about.
func workRejected(p task.Phase) task.UID {
	if p.Kind == task.KindVerification {
		return p.Parent
	}
	return p.UID
}

// isFixOf reports whether p is a fix of uid.
func isFixOf(p task.Phase, uid task.UID) bool {
	return p.Kind == task.KindFix && (p.Parent == uid || p.Fixes == uid)
}

// StandingRejection returns the user's rejection that stands in the way of p: what was
// said of p itself, else the last word about a fix of it. Each stands until p was begun
// again since, or a fix or part of it that was begun since is completed. What was
// begun before, and what was given up or set back, is no answer.
func StandingRejection(t task.Task, p task.Phase) (task.Rejection, bool) {
	answered := p.SeenRejection
	var own, last task.Rejection
	if p.Rejection != nil {
		own = *p.Rejection
	}
	for i := range t.Phases {
		q := &t.Phases[i]
		fix := isFixOf(*q, p.UID)
		if fix && q.Rejection != nil && q.Rejection.N > last.N {
			last = *q.Rejection
		}
		if (fix || q.Kind == task.KindSplit && q.Parent == p.UID) && q.Status == task.PhaseCompleted {
			answered = max(answered, q.SeenRejection)
		}
	}
	if own.N > answered {
		return own, true
	}
	return last, last.N > answered
}

// RejectionStands reports whether a rejection of the user's stands in the way of p.
func RejectionStands(t task.Task, p task.Phase) bool {
	_, stands := StandingRejection(t, p)
	return stands
}

// settleReviews asks anew whether the user's rejections are answered by what p has come
// to, or is no more: of p, and of what it is a part of. As long as one stands, whatever
// else came to an end, an executed phase wants changes, and nothing that rests on its
// being done goes on.
func (e *editor) settleReviews(p task.Phase) {
	for _, uid := range []task.UID{p.UID, p.Parent, p.Fixes} {
		i := e.t.PhaseIndex(uid)
		if i < 0 || e.t.Phases[i].Status != task.PhaseInReview || e.t.Phases[i].Review != task.ReviewNone {
			continue
		}
		if r, stands := StandingRejection(e.t, e.t.Phases[i]); stands {
			e.phases()[i].Review, e.phases()[i].Reason = task.ReviewChanges, r.Reason
		}
	}
}

// sameReviewer reports whether two have one vote: an agent is told by its id, a person by the
// name, in any case of its letters.
func sameReviewer(r task.Reviewer, o task.Reviewer) bool {
	return r.Voter == o.Voter && (r.Voter != "" || strings.EqualFold(r.Name, o.Name))
}

// mayMake reports whether an operation can be a reviewer's: a session's are its own,
// or its agents', and no agent's is the user's.
func mayMake(r task.Reviewer, op operation.Operation) bool {
	session, _, _ := strings.Cut(string(r.Voter), "/")
	return op.Session == "" || op.Session == session
}

// speaker is a reviewer, and what they have looked at.
type speaker struct {
	task.Reviewer
	seen string
}

// placed finds what a reviewer said before in a list, -1 for nothing.
func placed[E any](list []E, who task.Reviewer, by func(E) task.Reviewer) int {
	return slices.IndexFunc(list, func(e E) bool { return sameReviewer(by(e), who) })
}

func ballotBy(b task.Ballot) task.Reviewer { return b.Reviewer }

func voteBy(v task.Vote) task.Reviewer { return v.Reviewer }

// checkSpeaker says why an operation can't speak for somebody on a board.
func checkSpeaker(t task.Task, op operation.Operation, on task.BoardName, who task.Reviewer) error {
	b, there := boardOn(t, on)
	switch {
	case !mayMake(who, op):
		return task.Refuse(task.CodeInvalid, "this session can't speak for "+
			task.Clip(cmp.Or(who.Name, "the user"), task.MaxName), "an agent gives --reviewer NAME")
	case !task.ValidBoard(t, on):
		return fmt.Errorf("%w: %q can't be reviewed; use a document or a phase", task.ErrNoDocument,
			task.Clip(string(on), task.MaxTitle))
	case who.Name == "" && who.Voter != "":
		return task.Refuse(task.CodeInvalid, "a session that votes has a name", "give --reviewer NAME")
	case !there && len(t.Boards) >= task.MaxBoards:
		return full(len(t.Boards), task.MaxBoards, "boards", "review what matters")
	case who.Name != "" && placed(b.Reviewers, who, ballotBy) < 0 && len(b.Reviewers) >= task.MaxReviewers:
		return full(len(b.Reviewers), task.MaxReviewers, "reviewers", "see 'git brew remark tally "+t.ShownBoard(on)+"'")
	}
	return nil
}

// checkVoterName refuses a name that would hide who speaks: one of the other kind, person
// or agent, or a second one of the same agent. Votes are counted by the id, whatever
// the names are, so the fold does not ask.
func checkVoterName(t task.Task, who task.Reviewer) error {
	var all []task.Reviewer
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
	if i := placed(all, who, func(r task.Reviewer) task.Reviewer { return r }); i >= 0 {
		if strings.EqualFold(all[i].Name, who.Name) {
			return nil
		}
		return task.Refuse(task.CodeTaken, "this session speaks as "+all[i].Name+": it is one reviewer, and has one vote",
			"give --reviewer "+all[i].Name+"; a sub-agent that it starts has a vote of its own")
	}
	for _, r := range all {
		switch {
		case !strings.EqualFold(r.Name, who.Name):
		case r.Voter == "" && who.Voter != "":
			return task.Refuse(task.CodeTaken, "a person speaks as "+r.Name, "an agent takes a name of its own")
		case r.Voter != "" && who.Voter == "":
			return task.Refuse(task.CodeTaken, "an agent speaks as "+r.Name,
				"take another name, or leave --reviewer out to speak as the user")
		}
	}
	return nil
}
