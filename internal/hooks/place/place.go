// Package place is where a hook runs, and what is known of that: which task the work tree
// is on, its mode, its lock, its settings. It is what all handlers of hooks, and the gate,
// look at; it decides nothing.
package place

import (
	"errors"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/task"
)

// ErrNothingHere is returned by Brew.Look where git brew has no say: no git
// repository, or no state of git brew in it. The hook then answers nothing, exit 0,
// unless another place of the session has a say.
var ErrNothingHere = errors.New("nothing of git brew here")

// Place is where a hook runs, already checked: directories are absolute paths
// or empty, the session is a name that is safe as part of a ref or a file name.
type Place struct {
	// Cwd is where the agent is now; empty: the process's own directory. Relative
	// paths start there.
	Cwd string
	// Here is a directory of the work tree that has the say; empty: Cwd is.
	Here string
	// ProjectDir is where the session started.
	ProjectDir string
	Session    string
	Client     string // of the session, as 'git brew hook --agent' names it
}

// ErrUnable is wrapped by errors that every hook on this machine would meet: a
// repository that can't be written to, no git, one that is too old. They are
// told where a session starts, and keep nobody from anything (BW-36).
var ErrUnable = errors.New("git brew can't work here")

// Absent reports an error by which a place has no say: nothing of git brew is
// there, or git brew can't work there and keeps nobody from anything.
func Absent(err error) bool { return errors.Is(err, ErrNothingHere) || errors.Is(err, ErrUnable) }

// View is what is known about a place: what the use cases tell an agent's session
// there, and where it is.
type View struct {
	session.AgentView
	// Repo names the repository, by the directory that its work trees share.
	Repo string
	// Top is the directory of the work tree; "" in none, and where that is not for
	// certain, as it is where the repository only says so.
	Top string
	// Unclear says, where there is no task, that several claim the branch, and
	// what the user does about it; known from SessionStarted on.
	Unclear string
}

// Closed reports whether the gate is closed: changes wait for the user.
func (v View) Closed() bool { return v.Gated && v.Mode == clone.ModeDiscussion }

// Name is how the task is called in texts and commands.
func (v View) Name() string { return protocol.Clean(v.Task.ID.Slug(), 100) }

// Phase is the current phase; nil for none. Where none was started, it is the one
// that the next step is about.
func (v View) Phase() *task.Phase {
	if v.Task == nil {
		return nil
	}
	if p := v.Task.PhaseAt(v.Task.Current); p != nil || v.Next.Phase == "" {
		return p
	}
	return v.PhaseOf(v.Next.Phase)
}

// PhaseOf is the task's phase of that id, in any case; nil for none.
func (v View) PhaseOf(id string) *task.Phase {
	i := slices.IndexFunc(v.Task.Phases, func(p task.Phase) bool { return strings.EqualFold(id, p.ID) })
	if i < 0 {
		return nil
	}
	return &v.Task.Phases[i]
}

// What names what is in discussion mode.
func (v View) What() string {
	if v.Task == nil {
		return "this work tree is"
	}
	return protocol.Clean(v.Name(), 60) + " is"
}

// WayOut says how the user switches to implementation.
func (v View) WayOut() string {
	const command = "'git brew mode implementation'"
	if len(v.Settings.List(config.KeyTrigger)) == 0 {
		return command
	}
	return "a trigger phrase (\"" + protocol.Clean(v.Settings.List(config.KeyTrigger)[0], 40) + "\") or " + command
}
