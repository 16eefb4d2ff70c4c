// Package gate decides whether an agent may write, or run something. Call.Judge is asked
// before every call of a tool:
//
//	what kind of tool is it        tools.go, by its name, else by what its input holds
//	which paths does it write      writes.go, and whose work trees they are in
//	what does a shell command do   shell.go, which asks package shellgate
//	what may git brew be told      commands.go, by package command
//
// A call that may go on gets no opinion: the client's own permissions stay as they are.
package gate

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/place"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/invisible"
)

// MaxReason bounds what the model is told about a refused call, in bytes.
const MaxReason = 399

// Brew is what the gate needs of the use cases.
type Brew interface {
	// Look is called on every hook and reads snapshots only.
	Look(ctx context.Context, at place.Place) (place.View, error)
	// WorkTrees are the tops of the work trees that a path lies in which a tool is
	// about to write: several where it may mean several files.
	WorkTrees(at place.Place, path string) []string
	// Target says where a path leads that a tool is about to write; relative
	// ones start where the agent is.
	Target(ctx context.Context, at place.Place, path string) (worktree.Target, error)
	// RunsHere says why git, started in dir, may run a program that the directory
	// itself names, as the end of a sentence ("it is a bare repository"); "" where it
	// does not. A relative dir starts where the agent is; empty: it is that place.
	// What the repository of the call, and that of the session's start, name is the
	// user's own. It starts no process.
	RunsHere(ctx context.Context, at place.Place, dir string) (what string, err error)
	// Astray says whether writing there leaves the branch or the work tree of
	// the session's task (brew.gate.branch); nil: no.
	Astray(ctx context.Context, at place.Place, path string) (*worktree.Astray, error)
}

// Call is a call of a tool, and where it is judged.
type Call struct {
	Ctx     context.Context
	Brew    Brew
	Getenv  func(string) string
	Payload protocol.Payload
	// At and View are the place that has the say; Judge changes them to the one that
	// had it.
	At   place.Place
	View place.View
	// Reason is why something was decided, for the record.
	Reason string
	// Undecided is why nobody can tell whether the call is allowed.
	Undecided error

	seen map[string]spot // the places that paths of the call lie in
}

// Judge judges a call by the mode, for sub-agents too. One that readers of JSON do not
// all read alike is judged as the client reads it, and asked about.
func (c *Call) Judge() (protocol.Reply, error) {
	kind := KindOf(c.Payload)
	if refused := c.overreach(kind); refused != "" {
		return c.deny("'git brew " + refused +
			"' is not for a sub-agent: what it changes is for the agent that started it, or the user. " +
			"A report says what was done ('git brew report PHASE --agent NAME -'), and which step is due; the agent that " +
			"started this one then takes it. " +
			"The user allows more with 'git config --add brew.agents.command'."), nil
	}
	reply, err := c.judge(kind)
	if err == nil && reply.Permission == "" && c.Payload.Twice && (kind != Other || c.View.Closed()) &&
		(c.View.Closed() || c.View.Guarded) {
		return c.ask("A key comes twice in this call, so git brew can't tell what it does"), nil
	}
	return reply, err
}

// judge judges a call of a kind of tool.
func (c *Call) judge(kind Kind) (protocol.Reply, error) {
	tool := protocol.Clean(c.Payload.ToolName, 60)
	if tool == "" && c.View.Closed() {
		return c.ask("This call names no tool"), nil
	}
	var files writes
	if kind == Writing {
		files = readWrites(c.Payload)
		if reply, err := c.guard(&files); reply.Permission != "" || err != nil {
			if !place.Absent(err) {
				c.Undecided = err
			}
			return reply, err
		}
	}
	if files.more && (c.View.Closed() || c.View.Guarded) {
		return c.ask(tool + " names more files than are looked at"), nil
	}
	if kind.runs() {
		return c.judgeShell(tool, kind), nil
	}
	if !c.View.Closed() || c.writesPlan() {
		return protocol.Reply{}, nil
	}
	if kind == Writing && !files.mayWrite() {
		return c.deny(tool + " is not allowed: " + c.View.What() +
			" in discussion mode. Agree on the change with the user first; " +
			"the user switches with " + c.View.WayOut() + ". Reading and 'git brew' commands for the discussion work now."), nil
	}
	return protocol.Reply{}, nil
}

// ask leaves a call to the user, for what can't be told of it.
func (c *Call) ask(what string) protocol.Reply {
	if !c.View.Closed() {
		return protocol.Ask(invisible.CutBytes(what+"."+protocol.IfAgreed+".", MaxReason))
	}
	return protocol.Ask(invisible.CutBytes(what+", and "+c.View.What()+" in discussion mode."+
		protocol.IfAgreed+"; the user switches with "+c.View.WayOut()+".", MaxReason))
}

func (c *Call) deny(reason string) protocol.Reply {
	return protocol.Deny(invisible.CutBytes(reason, MaxReason))
}

// writesPlan reports that the call writes a plan of the client's plan mode: a
// .md file directly in its directory of plans. It is what a discussion is for.
func (c *Call) writesPlan() bool {
	if !among("Write Edit MultiEdit", c.Payload.ToolName) {
		return false
	}
	path, client := protocol.Object(c.Payload.ToolInput).Text("file_path"), claude.Dir(c.Getenv)
	if client == "" || claude.Path(path) == "" {
		return false
	}
	return filepath.Clean(path) == path && !slices.Contains(c.Brew.WorkTrees(c.At, path), c.View.Top) &&
		filepath.Dir(path) == filepath.Join(client, "plans") && strings.HasSuffix(path, ".md")
}

// MayRefuse reports whether the gate might refuse a call, by what the call alone says:
// reading it never refuses.
func MayRefuse(p protocol.Payload) bool {
	switch KindOf(p) {
	case Writing, Running:
		return true
	case Shell:
		text, ok := ShellCommand(p)
		return !ok || !MayDiscuss(text)
	case Other, Agent:
	}
	return p.ToolName == ""
}
