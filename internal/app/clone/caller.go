package clone

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
)

// Caller says who asks, and from where.
type Caller struct {
	// Session is the agent's session id; empty for a person.
	Session string
	// Shell is the session whose shell it is, as its environment says; empty: that
	// says nothing. It may look as another session, and acts as none.
	Shell string
	// Mark is the variable of the environment by which the caller is an agent's
	// shell, which may not know its session; empty: none is. Who has a Session is an
	// agent in any case.
	Mark string
	// Client is the agents' program of the session or the shell; empty: none, or nobody
	// knows which.
	Client string
	// Above says which process above the caller is an agent's, in words that go on with
	// "says that"; "": none is. It is asked where something is for people alone; nil:
	// nobody knows, as in a hook, which an agent's client starts for the user, too.
	Above func() string `json:"-"` // a process that is handed a caller asks for itself
	// Worker is the name that it claims phases under, of several who share a
	// session or a clone; empty: none.
	Worker string
	// Task and Phase, by its id, are what the run hands out that the caller works for, as
	// its environment says; empty: it works for none.
	Task  task.ID
	Phase string
	// Terminal: somebody may be sitting there. A person's own script has none.
	Terminal bool
	User     string
	Host     string
	// Machine tells machines apart, whatever they are called; where it is empty,
	// Host does.
	Machine string
	PID     int
	// Dir is where the agent is, absolute, and its relative paths start; empty: where
	// the repository was opened from.
	Dir string
	// ProjectDir is where the agent's session started, if it says so.
	ProjectDir string
	// Unattended: nobody is there who could unlock a key. So it is in hooks and
	// in the background; an agent can't either.
	Unattended bool
	// Off: the environment says that agents are kept from nothing.
	Off Off
	// AllowSecret: a person wants texts stored as they are, whatever looks like a
	// secret in them.
	AllowSecret bool
	// InHook: a hook around a step asks, or what it started (HookVariable).
	InHook string
}

// CheckSession refuses a caller that speaks for another session than its shell's. The ledger
// asks it; what is changed in no record, or before, asks by itself.
func (c Caller) CheckSession() error {
	if c.Shell == "" || c.Shell == c.Session {
		return nil
	}
	return Refuse("leave --session out", "this shell is session %s's, and acts as no other", task.ShortSession(c.Shell))
}

// Agent reports whether the caller's environment says that it is no person.
func (c Caller) Agent() bool { return c.Session != "" || c.Mark != "" }

// Reached is the caller with the mark of an agent that it does not show itself, but
// that started it: an environment is easily taken away, what is above a process not.
// It is asked for what is for people alone.
func (c Caller) Reached() Caller {
	if !c.Agent() && c.Above != nil {
		if above := c.Above(); above != "" {
			c.Mark, c.Terminal = above, true // a person has to be told, wherever they sit
		}
	}
	return c
}

// ForPeople refuses an agent what is for people alone, without the gate in front of
// it too: in a script that the agent runs, or where it has no hooks. Instead says
// what the user does.
func (c Caller) ForPeople(what, instead string) error {
	if c = c.Reached(); !c.Agent() {
		return nil
	}
	return Refuse(c.InTerminal(instead), "an agent can't %s", what)
}

// InTerminal says where the user does what an agent can't. Who sits there may be a
// person, in what an agent's shell has started: they are told what marks it.
func (c Caller) InTerminal(does string) string {
	does += ", in a terminal"
	if c.Mark != "" && c.Terminal {
		does += " of their own: " + c.Mark + " says that this one is an agent's"
	}
	return does
}

// Off is why agents are kept from nothing (BW-50).
type Off string

// The reasons. Where a machine runs the agent, its hooks step aside altogether.
const (
	OffCI          Off = "CI"
	OffSetting     Off = "brew.bypass"
	OffEnvironment Off = "GIT_BREW_BYPASS"
)

// CloneID names this clone: bound to its path and its machine, so that a copied
// directory gets a name of its own, and derived from them, so that there is no
// file to lose.
func CloneID(c Caller, commonDir string) string {
	machine := "machine\x00" + c.Machine
	if c.Machine == "" {
		machine = "host\x00" + c.Host
	}
	sum := sha256.Sum256([]byte(machine + "\x00" + commonDir))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:13])
}

// CallerDir is where relative paths of the caller start.
func (s *Clone) CallerDir() string { return cmp.Or(s.Caller.Dir, s.Repo.Git.Dir) }

// Session is the caller's session; empty for a person.
func (s *Clone) Session() string { return s.Caller.Session }

func (s *Clone) Timestamp() string { return s.Now().UTC().Format(time.RFC3339) }

func (s *Clone) Who() lease.Who {
	c := s.Caller
	return lease.Who{
		Session: c.Session, Client: c.Client, Typed: c.Mark != "" && c.Session != c.Shell, Clone: s.ID, User: c.User,
	}
}

// WorktreeKey names a work tree in the clone's record.
func WorktreeKey(r *gitstore.Repo) string {
	if id := r.WorktreeID(); id != "" {
		return "linked-" + id
	}
	return "main"
}

// ParseTime reads a time in the form of the records; false where it is none.
func ParseTime(s string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

// Holder names who holds a lock, for the caller: see task.Lock.HolderTo.
func (s *Clone) Holder(l lease.Lock) string { return l.HolderTo(s.Who()) }

// SetDryRun makes all that the service does a dry run: every change decides as it
// would, refuses what it would refuse, answers with what would be, and writes
// nothing. No branch is checked out, no remote asked, no event recorded.
func (s *Clone) SetDryRun() { s.Ledger.DryRun = true }

// DryRun reports whether nothing is written.
func (s *Clone) DryRun() bool { return s.Ledger.DryRun }

// Head is the work tree's HEAD, "" in a repository without commits.
func (s *Clone) Head(ctx context.Context) (string, error) {
	h, err := s.Repo.Refs.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return "", err
	}
	if h.OID.IsZero() {
		return "", nil
	}
	return h.OID.String(), nil
}

func HeadBranch(h gitstore.Head) string {
	return cmp.Or(h.Branch, h.Rebasing)
}

// CountIn counts the commits in a range of a repository.
func CountIn(ctx context.Context, repo *gitstore.Repo, revs ...string) (int, error) {
	out, err := repo.Git.Run(ctx, append([]string{"rev-list", "--count"}, append(revs, "--")...)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(bytes.TrimSpace(out)))
}

// What a command is about where no phase is named: nobody's work is handed over,
// approved or given up because it was begun last.

// Whose says for whose phases the caller asks.
func (c Caller) Whose() route.Assignee { return route.Assignee{Worker: c.Worker, Session: c.Session} }

// DefaultPhase chooses the phase that a command is about where none was named: the
// caller's own, which a run gave it, or where it claimed one; else the current one. Where
// that, or what fits, could be several that are under way, it asks.
func (s *Clone) DefaultPhase(fits func(task.Phase) bool) func(task.Task) (task.Phase, error) {
	return func(t task.Task) (task.Phase, error) {
		if s.Caller.Phase != "" && s.Caller.Task == t.ID {
			return t.FindPhase(s.Caller.Phase)
		}
		who := s.Caller.Whose()
		own := route.Own(t, who)
		if mine := fitting(own, fits); len(mine) == 1 {
			return mine[0], nil
		} else if len(mine) > 1 {
			return task.Phase{}, ask(mine)
		}
		switch n := len(own); {
		case n > 0:
			return own[n-1], nil // it says why not that one
		case who.Worker != "":
			return task.Phase{}, Refuse("'git brew next --claim --worker "+who.Worker+"' takes one; or name the phase",
				"worker %q has no phase under way", who.Worker)
		}
		current, ok := t.CurrentPhase()
		could := fitting(route.UnderWay(t), func(p task.Phase) bool { return fits(p) || p.UID == current.UID })
		switch {
		case len(could) > 1:
			return task.Phase{}, ask(could)
		case len(could) == 1: // the current one may wait for it
			return could[0], nil
		case ok:
			return current, nil
		}
		return task.Phase{}, Refuse("name one, see 'git brew phase list'", "no phase is under way")
	}
}

func fitting(phases []task.Phase, fits func(task.Phase) bool) []task.Phase {
	return slices.DeleteFunc(slices.Clone(phases), func(p task.Phase) bool { return !fits(p) })
}

func ask(phases []task.Phase) error {
	return Refuse("name the one that is meant, or say with --worker whose it is", "the command could mean phase %s",
		route.NamedUnderWay(phases, "or"))
}
