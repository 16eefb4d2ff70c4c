// Package command says of every command of git brew who may run it, what it is about, and
// whether it writes: one table, by which the gate judges agents, init spares the user
// questions, and the tests judge the program's commands.
package command

import (
	"slices"
	"strings"
)

// Grant says who may run a command, beside the user at a terminal, who may run each.
type Grant uint16

// The grants, and what else there is to know of a command.
const (
	// Discussion: an agent may, also in discussion mode: it reads, or it talks and plans.
	// What begins work on code, ends or judges it has no such grant.
	Discussion Grant = 1 << iota
	// SubAgent: sub-agents may: it reads, or reports. What changes a task's status, phases,
	// stage, reviews, documents or lock, a mode or a setting has no such grant (BW-10).
	SubAgent
	// Coordinator: sub-agents may whose work is to keep a task's state.
	Coordinator
	// Spared: the client need not ask about it, for an agent's work is full of it; Alone: of
	// the command without anything behind it. What hands git's options on, or has a form
	// that takes a lock from somebody, is spared alone; verify runs what an agent may have
	// written, and is not.
	Spared
	Alone
	// People: the user alone may, in either mode: it switches, loosens, destroys, or starts
	// others. Hooks are the client's to run: a prompt that an agent made up would switch the
	// mode; and with the hooks that uninit takes out goes the gate.
	People
	// OfTask: it is about a task, and names it as an argument; OnTask: it acts on one, and
	// has --task. One with neither acts on no task that there is.
	OfTask
	OnTask
	// Writes: it writes something that somebody could want back (docs/using/undo.md).
	Writes

	// reads is what anyone may look at.
	reads = Discussion | SubAgent
)

// Rule is what holds of a command.
type Rule struct {
	// Path is what stands behind "git brew"; "" is git brew alone. One that ends in * says
	// what holds of every other word behind a command.
	Path string
	Grant
	// Never are options with which the grant Discussion does not hold, Only those without
	// which it does not, and beside which no other does. SubNever are options with which
	// the grants to sub-agents do not.
	Never, Only, SubNever string
	// Texts are the documents that a sub-agent may store with it; nil: any.
	Texts []string
}

// Has reports whether a rule has all of some grants.
func (r Rule) Has(g Grant) bool { return r.Grant&g == g }

// Command is the first word of a path.
func (r Rule) Command() string {
	first, _, _ := strings.Cut(r.Path, " ")
	return first
}

// Word is the second word of a path, "" for none.
func (r Rule) Word() string {
	_, second, _ := strings.Cut(r.Path, " ")
	return second
}

// Find returns the rule of a command with the word behind it: the one about both, about every
// word, or, where the command has no subcommands, about the command.
func Find(command, word string) (Rule, bool) {
	var alone Rule
	known, subcommands := false, false
	for _, r := range Table {
		switch {
		case r.Command() != command:
		case r.Word() == word, r.Word() == "*": // the words that have a rule stand before it
			return r, true
		case r.Word() == "":
			alone, known = r, true
		default:
			subcommands = true
		}
	}
	return alone, known && !subcommands
}

// Closed reports whether a command is for people in every form but those with a rule that
// says otherwise.
func Closed(command string) bool {
	return slices.ContainsFunc(Table, func(r Rule) bool {
		return r.Command() == command && r.Has(People) && (r.Word() == "" || r.Word() == "*")
	})
}

// ForPeople reports whether a word behind a command makes it one for people alone.
func ForPeople(command, word string) bool {
	r, found := Find(command, word)
	return Closed(command) || found && r.Has(People)
}

// Listing reports a form of a command that has others for people alone, which shows something,
// or gives an agent nothing more than it has.
func Listing(command, word string) bool {
	r, found := Find(command, word)
	return found && !r.Has(People) && r.Word() == word && slices.ContainsFunc(Table, func(other Rule) bool {
		return other.Command() == command && other.Has(People)
	})
}
