package change

import (
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// LastChange is what a service did to a task last.
type LastChange struct {
	id            task.ID
	Kinds         []operation.Kind
	commit        gitstore.OID
	before, after task.Task
	heeded        bool // a run was at work, which heeds it: nobody undoes what that does
}

// Note keeps for UndoHint what was done, but for what git brew notes by itself.
func (c *Tx) Note(ctx context.Context, drafts []ledger.Draft) error {
	tip, err := c.Ledger.Tip(ctx, ledger.TaskRef(string(c.ID)))
	for _, d := range drafts {
		if !rules.Automatic(d.Kind) {
			c.Last.Kinds = append(c.Last.Kinds, d.Kind)
		}
	}
	if len(c.Last.Kinds) == 0 {
		return err
	}
	c.Last.id, c.Last.commit, c.Last.before, c.Last.after = c.ID, tip, c.Found, c.Task
	c.Last.heeded = slices.ContainsFunc(c.Last.Kinds, rules.Guarded) && c.Engine.Clone.Running(ctx, c.ID)
	last := c.Last
	c.Ledger.After(func(context.Context) { c.Engine.Last = last })
	return err
}

// UndoHint is the command that takes back what the service did to a task last, ""
// where none can. What changes something else, as settings, trust or a mode, has
// commands of its own to go back.
func (s *Engine) UndoHint(ctx context.Context) string {
	id, kinds := s.Last.id, s.Last.Kinds
	_, lasting := rules.Lasting(kinds...)
	undo := func(k operation.Kind) bool { return k == task.OpUndo || k == task.OpUndoOpen }
	switch {
	case id == "":
		return ""
	case slices.Contains(kinds, task.OpCreate):
		if s.Clone.Caller.Reached().Agent() {
			return "" // a person takes that back; see chosen
		}
		return command("undo", s.Records.Name(ctx, id)) // soon another one may be checked out
	case lasting, s.Last.heeded, rules.Same(s.Last.before, s.Last.after, len(s.Last.commit.String())):
		return "" // undo would take something else back
	case slices.ContainsFunc(kinds, undo):
		return s.UndoCommand(ctx, id, s.Last.commit)
	}
	return s.UndoCommand(ctx, id, gitstore.OID{})
}

// UndoCommand is what takes back the last that was done to a task, or the change of
// a commit, where that is not zero. It names the task where another is meant here, or
// none, as where it was deleted.
func (s *Engine) UndoCommand(ctx context.Context, id task.ID, commit gitstore.OID) string {
	words := []string{"undo"}
	if here, err := s.Place.Here(ctx); err != nil || here != id {
		words = append(words, s.Records.Name(ctx, id))
	}
	if !commit.IsZero() {
		words = append(words, commit.String()[:7])
	}
	return command(words...)
}

// command is one of our commands as it can be typed.
func command(words ...string) string {
	typed := "git brew"
	for _, w := range words {
		typed += " " + ShellWord(w)
	}
	return typed
}

// ShellWord makes one word of s for a POSIX shell.
func ShellWord(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-:@+,", r)
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
