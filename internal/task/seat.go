package task

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// Seat is whose vote it is, whatever name it is given under: an agent's session
// ("s1"), or a sub-agent that this one started ("s1/reviewer"). Empty: a person's,
// who is known by a name alone.
type Seat string

// AgentSeat is the seat of a session, or of a sub-agent of it.
func AgentSeat(session, sub string) Seat {
	if sub == "" {
		return Seat(session)
	}
	return Seat(session + "/" + strings.ToLower(sub))
}

func (s Seat) valid() bool {
	session, sub, of := strings.Cut(string(s), "/")
	return s == "" || safeSession(session) && (!of || validName(sub))
}

// takenBy reports whether an operation may take a seat: a session takes its own,
// or its sub-agents'.
func (s Seat) takenBy(op operation.Operation) bool {
	session, _, _ := strings.Cut(string(s), "/")
	return s.valid() && (op.Session == "" || op.Session == session)
}

// Reviewer is a name that somebody has spoken under, and on what seat. It is the
// task's, whatever becomes of what was said: a round ends, a vote changes, a remark
// is taken back, and a name stays whose it was.
type Reviewer struct {
	Name string `json:"name"`
	Seat Seat   `json:"seat,omitempty"`
}

// maxReviewers bounds how many names, with their seats, one task knows.
const maxReviewers = 500

// is reports that two are the same: a name in any case of its letters.
func (r Reviewer) is(o Reviewer) bool { return r.Seat == o.Seat && strings.EqualFold(r.Name, o.Name) }

// placed finds in a list what a reviewer said there before, -1 for nothing: what was
// said on their seat, under whatever name, for a person may have taken that since. An
// agent that has no seat there goes on for one that had its name, as a session that
// was begun anew does. An agent and a person are two, whatever they are called.
func placed[E any](list []E, me Reviewer, by func(E) Reviewer) int {
	if me.Seat != "" {
		if i := slices.IndexFunc(list, func(e E) bool { return by(e).Seat == me.Seat }); i >= 0 {
			return i
		}
	}
	return slices.IndexFunc(list, func(e E) bool {
		r := by(e)
		return (r.Seat == "") == (me.Seat == "") && strings.EqualFold(r.Name, me.Name)
	})
}

// goesOn is who speaks where r spoke before: a name is shown as it was written first.
func (r Reviewer) goesOn(as Reviewer) Reviewer {
	if strings.EqualFold(r.Name, as.Name) {
		as.Name = r.Name
	}
	return as
}

// introduce notes that a reviewer spoke; CheckVoter says whether there is a place.
func (e *editor) introduce(who voter) {
	r := who.reviewer()
	if who.name != "" && !slices.ContainsFunc(e.t.Reviewers, r.is) {
		e.t.Reviewers = append(slices.Clip(e.t.Reviewers), r)
	}
}

func validReviewers(all []Reviewer) bool {
	return len(all) <= maxReviewers && !slices.ContainsFunc(all, func(r Reviewer) bool { return !validName(r.Name) || !r.Seat.valid() })
}

// CheckVoter says why nobody on that seat speaks under a name: an agent has one,
// and takes none of a person's. One whose name a person took since takes another. It
// holds in the fold, too.
func CheckVoter(t Task, name string, seat Seat) error {
	me := Reviewer{name, seat}
	for _, r := range t.Reviewers {
		switch same := strings.EqualFold(r.Name, name); {
		case seat == "":
		case same && r.Seat == "":
			return refuse(CodeTaken, "a person speaks as "+r.Name, "an agent takes a name of its own")
		case !same && r.Seat == seat && !slices.ContainsFunc(t.Reviewers, Reviewer{Name: r.Name}.is):
			return refuse(CodeTaken, "this session speaks as "+r.Name+": it is one reviewer, and has one vote", "give --reviewer "+r.Name+"; a sub-agent that it starts has a vote of its own")
		}
	}
	if len(t.Reviewers) >= maxReviewers && !slices.ContainsFunc(t.Reviewers, me.is) {
		return refuse(CodeTaskState, fmt.Sprintf("%d reviewers spoke on this task already, no more fit", maxReviewers), "see 'git brew remark tally'")
	}
	return nil
}
