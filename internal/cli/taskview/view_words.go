package taskview

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
)

// OffWords says why the mode restricts nobody, here or anywhere; "" where it may.
func OffWords(v session.View) string {
	switch {
	case v.Off == clone.OffCI:
		return "CI is set: hooks step aside"
	case v.Off != "":
		return string(v.Off) + " is set: agents are kept from nothing"
	case !v.Guarded:
		return "brew.gate is off: the mode restricts nothing"
	}
	return ""
}

// RewrittenWords says what of a range was rewritten, and what stands for it.
func RewrittenWords(r codediff.DiffRange) string {
	from := ui.Short(r.From)
	if r.Away != "" {
		text := "the start " + ui.Short(r.Away) + " is not in this clone; comparing with " + from
		if r.Remote != "" {
			text += "; 'git fetch " + r.Remote + "' may bring it"
		}
		return text
	}
	switch r.Moved {
	case codediff.MovedStart:
		return "the start was rewritten; comparing with " + from + ", its successor"
	case codediff.MovedCommits:
		return "the phase's commits were rewritten; comparing " + from + " with " + ui.Short(r.To)
	}
	return "the branch moved along its base; comparing with " + from + ", where it leaves that now"
}

// FromWords says where a branch begins: ", from main 4f1c2aa".
func FromWords(base, commit string) string {
	switch {
	case commit == "":
		return ""
	case base == "":
		return ", from " + ui.Short(commit)
	}
	return ", from " + ui.Safe(base) + " " + ui.Short(commit)
}

// SayUntrusted names the commands that verify phases and wait for trust.
func SayUntrusted(e *cli.Env, t task.Task, waiting map[task.UID][]string) {
	for _, p := range t.Phases {
		for _, command := range waiting[p.UID] {
			e.Say("  ! %s: %s is not trusted; see 'git brew trust list'", ui.Safe(p.ID),
				ui.Truncate(ui.Safe(command), MaxCommandShown))
		}
	}
}

// BoardWords is a board in a sentence: "plan: READY, nothing grave that counts is open".
func BoardWords(t rules.Tally) string {
	return fmt.Sprintf("%s: %s, %s", ui.Safe(t.Board), t.Verdict, ui.Safe(t.Why))
}

// StatusWord is a task's status as people read it, in its colour.
func StatusWord(style ui.Style, s task.Status) string {
	word := ui.Words(string(s))
	switch s {
	case task.InProgress:
		return style.Busy(word)
	case task.Paused:
		return style.Warn(word)
	case task.Finished:
		return style.Good(word)
	case task.Failed:
		return style.Bad(word)
	case task.Pending, task.Cancelled:
		return style.Dim(word)
	}
	return word
}

// StatusName is a task's status, or "deleted", which is none.
func StatusName(s task.Status, deleted bool) string {
	if deleted {
		return "deleted"
	}
	return string(s)
}

// MaxCommandShown is how much of a command stands in a line, in columns.
const MaxCommandShown = 60
