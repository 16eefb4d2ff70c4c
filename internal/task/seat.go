package task

import (
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// Seat is whose vote it is, whatever name it is given under: an agent's session
// ("s1"), or a sub-agent that this one started ("s1/reviewer"). Empty: a person's,
// and what older versions recorded.
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
	return s.valid() && (s == "" || op.Session == "" || op.Session == session)
}

// Voters visits who spoke on a task's boards, and on what seat.
func (t Task) Voters(visit func(name string, seat Seat)) {
	for _, b := range t.Boards {
		for _, v := range b.Voices {
			visit(v.Reviewer, v.Seat)
		}
	}
	for _, r := range t.Remarks {
		for _, v := range r.Votes {
			visit(v.Reviewer, v.Seat)
		}
	}
}

// CheckVoter says why nobody on that seat speaks under a name: an agent has one,
// and takes none of a person's. It holds in the fold, too.
func CheckVoter(t Task, name string, seat Seat) (err error) {
	if seat == "" {
		return nil
	}
	t.Voters(func(known string, at Seat) {
		same := strings.EqualFold(known, name)
		switch {
		case err != nil:
		case same && at == "":
			err = refuse(CodeTaken, "a person speaks as "+known, "an agent takes a name of its own")
		case !same && at == seat:
			err = refuse(CodeTaken, "this session speaks as "+known+": it is one reviewer, and has one vote", "give --reviewer "+known+"; a sub-agent that it starts has a vote of its own")
		}
	})
	return err
}
