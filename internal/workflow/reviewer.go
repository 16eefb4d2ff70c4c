package workflow

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// personWords are names that mean a person; they are compared as plain gives them.
const personWords = "user theuser human thehuman person me"

// voters tells who the caller may speak as. A person speaks as whom they like, for
// a colleague too. An agent is one reviewer, under one name of its own; each
// sub-agent that its session started, as hooks recorded it, is one more.
type voters struct {
	agent   bool
	session string
	// people are names of who sits here.
	people []string
	// started are the session's sub-agents: how many, by their type.
	started map[string]int
}

func (s *Service) voters(ctx context.Context) (voters, error) {
	v := voters{agent: s.caller.reached().agent(), session: s.caller.Session}
	if !v.agent {
		return v, nil
	}
	if v.session == "" {
		v.session = "agent-" + s.clone // its shell does not say: all of them here are one
	}
	people, err := s.people(ctx)
	if v.people = people; err != nil || s.caller.Session == "" {
		return v, err
	}
	ids := map[string]bool{}
	v.started = map[string]int{}
	_, err = s.Events(ctx, EventsRequest{Session: s.caller.Session, Type: string(event.AgentStart)}, func(e event.Event) error {
		kind := strings.ToLower(task.AgentName(e.Agent))
		if e.Session == s.caller.Session && kind != "" && e.AgentID != "" && !ids[e.AgentID] {
			ids[e.AgentID] = true
			v.started[kind]++
		}
		return nil
	})
	return v, err
}

// people are the names that mean a person here: general ones, and those of git's
// identity, as it is set and, where the environment has another, as that says.
func (s *Service) people(ctx context.Context) ([]string, error) {
	all := strings.Fields(personWords)
	config, err := s.repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	me, err := s.repo.Identity(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNoIdentity) {
		return nil, err
	}
	name, _ := config.Get("user.name")
	email, _ := config.Get("user.email")
	for _, who := range []gitstore.Signature{{Name: name, Email: email}, me} {
		local, _, _ := strings.Cut(who.Email, "@")
		for _, name := range append(strings.Fields(who.Name), who.Name, who.Email, local) {
			if name = plain(name); name != "" {
				all = append(all, name)
			}
		}
	}
	return all, nil
}

// plain is a name without what people write differently: case, and signs between
// its parts.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" ._-@", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// seat is whose vote it is under a name; without a name it is the user's.
func (v voters) seat(t task.Task, name string) (task.Seat, error) {
	switch {
	case !v.agent:
		return "", nil
	case name == "":
		return "", invalid("give --reviewer NAME; what is said without is the user's own word", "an agent speaks as a reviewer")
	case slices.Contains(v.people, plain(name)):
		return "", refuse("an agent takes a name of its own", "%s is a person's name", name)
	}
	seat := v.placed(t, name)
	return seat, task.CheckVoter(t, name, seat)
}

// placed is the seat of who speaks under a name: of a sub-agent of that type, as many
// as there are, else of the session itself. A sub-agent whose name a person took since
// keeps its seat under another.
func (v voters) placed(t task.Task, name string) task.Seat {
	kind := v.kind(name)
	switch {
	case kind == "":
		return task.AgentSeat(v.session, "")
	case v.free(t, kind, name):
		return task.AgentSeat(v.session, name)
	}
	for _, r := range t.Reviewers {
		own := v.kind(r.Name) == kind && r.Seat == task.AgentSeat(v.session, r.Name)
		if own && task.CheckVoter(t, name, r.Seat) == nil {
			return r.Seat
		}
	}
	return task.AgentSeat(v.session, "")
}

// kind is the type of a sub-agent that goes by a name: its own, or one that begins
// with it, where there are several: reviewer, reviewer-2.
func (v voters) kind(name string) string {
	found := ""
	for kind := range v.started {
		rest, ok := strings.CutPrefix(strings.ToLower(name), kind)
		if ok && (rest == "" || strings.ContainsAny(rest[:1], "-._")) && len(kind) > len(found) {
			found = kind
		}
	}
	return found
}

// free reports whether one of the sub-agents of a type speaks under a name, or has
// not spoken yet.
func (v voters) free(t task.Task, kind, name string) bool {
	own := task.AgentSeat(v.session, name)
	seats := map[task.Seat]bool{own: true}
	for _, r := range t.Reviewers {
		if v.kind(r.Name) == kind && r.Seat == task.AgentSeat(v.session, r.Name) {
			seats[r.Seat] = true
		}
	}
	return len(seats) <= v.started[kind]
}

// agree says why these are not as many as they look: an agent names itself, and
// sub-agents that it started.
func (v voters) agree(t task.Task, names []string) error {
	if !v.agent {
		return nil
	}
	by := map[task.Seat]string{}
	for _, name := range names {
		seat, err := v.seat(t, name)
		if err != nil {
			return err
		}
		if other, taken := by[seat]; taken && !strings.EqualFold(other, name) {
			return refuse("a sub-agent that this session starts counts, too; 'git brew pause -m REASON' asks the user at once",
				"this session can't agree as %s and as %s: it is one agent", other, name)
		}
		by[seat] = name
	}
	return nil
}
