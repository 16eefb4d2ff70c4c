package workflow

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/task"
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
	// HookRun is what it gives as the proof (HookRunVariable).
	HookRun string
}

// itself refuses a caller that speaks for another session than its shell's. The ledger
// asks it; what is changed in no record, or before, asks by itself.
func (c Caller) itself() error {
	if c.Shell == "" || c.Shell == c.Session {
		return nil
	}
	return refuse("leave --session out", "this shell is session %s's, and acts as no other", task.ShortSession(c.Shell))
}

// agent reports whether the caller's environment says that it is no person.
func (c Caller) agent() bool { return c.Session != "" || c.Mark != "" }

// reached is the caller with the mark of an agent that it does not show itself, but
// that started it: an environment is easily taken away, what is above a process not.
// It is asked for what is for people alone.
func (c Caller) reached() Caller {
	if !c.agent() && c.Above != nil {
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
	if c = c.reached(); !c.agent() {
		return nil
	}
	return refuse(c.inTerminal(instead), "an agent can't %s", what)
}

// inTerminal says where the user does what an agent can't. Who sits there may be a
// person, in what an agent's shell has started: they are told what marks it.
func (c Caller) inTerminal(does string) string {
	does += ", in a terminal"
	if c.Mark != "" && c.Terminal {
		does += " of their own: " + c.Mark + " says that this one is an agent's"
	}
	return does
}

// Options are what New needs.
type Options struct {
	Repo   *gitstore.Repo
	Now    func() time.Time
	Random io.Reader // crypto/rand where nil
	Caller Caller
	// Program tells this build of the program from others, in one word: what another
	// one derived and kept is derived anew.
	Program string
	// Version says which release this build is of, if of one; nil: nobody knows.
	Version func() string
	// Open opens the repository of another directory, for the work tree that
	// a session started in.
	Open func(dir string) (*gitstore.Repo, error)
	// Asks is told that a remote is asked who holds a lock, for which somebody
	// may have to wait, and gives what is to be called when it has answered; nil:
	// nobody wants to know.
	Asks func(remote string) (done func())
	// Waits is told what else somebody may have to wait for, likewise.
	Waits func(what string) (done func())
	// Address makes the commands in a text act on the task of that name; nil: they
	// act on the one here.
	Address func(text, name string) string
	// Output gets what programs around steps say, as they say it; nil: nobody
	// does.
	Output io.Writer
}

// Service offers the use cases on one repository, seen from one work tree.
type Service struct {
	repo   *gitstore.Repo
	ledger *ledger.Ledger
	now    func() time.Time
	random io.Reader
	caller Caller
	open   func(dir string) (*gitstore.Repo, error)
	asks   func(remote string) (done func())
	waits  func(what string) (done func())
	// address is Options.Address.
	address func(text, name string) string
	clone   string
	// program and version are as in Options.
	program string
	version func() string

	// inside is the service that the caller is in, a submodule of this
	// repository, and at its path here; nil: none. See Around.
	inside *gitstore.Repo
	at     string

	settings *Settings // read on first use
	claiming task.ID   // the task whose lock is being claimed; see decide
	observed *observed // read on first use
	did      made      // by the last change
	secrets  redact.Redactor
	tookOut  []string // see TookOut

	output    io.Writer  // see Options.Output
	hooksDone []HookDone // what ran around steps so far
}

// signPatience is how long the signatures of one unattended command may take
// altogether, where the person signs commits: a hook is over in two seconds.
const signPatience = 400 * time.Millisecond

// New returns the service on a repository.
func New(o Options) *Service {
	s := &Service{
		repo: o.Repo, now: o.Now, random: o.Random,
		caller: o.Caller, open: o.Open, asks: o.Asks, waits: o.Waits, address: o.Address, output: o.Output, clone: cloneID(o.Caller, o.Repo.CommonDir()),
	}
	if s.asks == nil {
		s.asks = func(string) func() { return func() {} }
	}
	if s.waits == nil {
		s.waits = func(string) func() { return func() {} }
	}
	s.program, s.version = o.Program, o.Version
	s.ledger = s.newLedger(o.Repo)
	return s
}

// on is the same service on another repository, or on this one once more.
func (s *Service) on(repo *gitstore.Repo) *Service {
	return New(Options{
		Repo: repo, Now: s.now, Random: s.random, Caller: s.caller, Program: s.program, Version: s.version,
		Open: s.open, Asks: s.asks, Waits: s.waits, Output: s.output,
	})
}

// newLedger is a ledger for this service's caller.
func (s *Service) newLedger(repo *gitstore.Repo) *ledger.Ledger {
	records := ledger.New(repo, s.now, s.random)
	records.MadeBy(s.program)
	records.Asks(s.mayChange)
	records.Screens(s.screen)
	if s.caller.Unattended || s.caller.agent() {
		records.Unattended(signPatience)
	}
	return records
}

// cloneID names this clone: bound to its path and its machine, so that a copied
// directory gets a name of its own, and derived from them, so that there is no
// file to lose.
func cloneID(c Caller, commonDir string) string {
	machine := "machine\x00" + c.Machine
	if c.Machine == "" {
		machine = "host\x00" + c.Host
	}
	sum := sha256.Sum256([]byte(machine + "\x00" + commonDir))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:13])
}

// Repo is the repository that the service works on.
func (s *Service) Repo() *gitstore.Repo { return s.repo }

// callerDir is where relative paths of the caller start.
func (s *Service) callerDir() string { return cmp.Or(s.caller.Dir, s.repo.Dir()) }

// Session is the caller's session; empty for a person.
func (s *Service) Session() string { return s.caller.Session }

// Now is the service's clock.
func (s *Service) Now() time.Time { return s.now() }

func (s *Service) timestamp() string { return s.now().UTC().Format(time.RFC3339) }

func (s *Service) who() task.Who {
	return task.Who{Session: s.caller.Session, Clone: s.clone, User: s.caller.User}
}

// worktreeKey names this work tree in the clone's record.
func (s *Service) worktreeKey() string { return worktreeKey(s.repo) }

func worktreeKey(r *gitstore.Repo) string {
	if id := r.WorktreeID(); id != "" {
		return "linked-" + id
	}
	return "main"
}

// ErrNotFound: no such document, report, entry, session. Exit 4, as
// task.ErrNoTask, task.ErrNoPhase and their like.
var ErrNotFound = errors.New("not found")

// RefusedError: the rules do not allow it now. Exit 5.
type RefusedError struct{ Msg, Hint string }

func (e *RefusedError) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

// InvalidError: what was asked for is no value of its kind, whatever the state
// is. Exit 129.
type InvalidError struct{ Msg, Hint string }

func (e *InvalidError) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

func invalid(hint, format string, args ...any) error {
	return &InvalidError{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

func refuse(hint, format string, args ...any) error {
	return &RefusedError{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// NotFoundError names what was not found, and what to do. Exit 4.
type NotFoundError struct {
	Msg, Hint string
	Kind      error // task.ErrNoTask, ErrNotFound, ...
}

func (e *NotFoundError) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

func (e *NotFoundError) Unwrap() error { return e.Kind }

// now in the form of the records, for tests of leases.
func parseTime(s string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

// background keeps a cache write from being cancelled with its command.
func background(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }
