package clone

import "github.com/git-brew/git-brew/internal/task"

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
	// Above says which process above the caller is an agent's, in words that go on with
	// "says that"; "": none is. It is asked where something is for people alone; nil:
	// nobody knows, as in a hook, which an agent's client starts for the user, too.
	Above func() string `json:"-"` // a process that is handed a caller asks for itself
	// Worker is the name that it claims phases under, of several who share a
	// session or a clone; empty: none.
	Worker string
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
