package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
)

// errBrokenPipe: the reader of our output is gone.
const errBrokenPipe = syscall.EPIPE

// env is all that a command may touch of the outside world.
type env struct {
	In       io.Reader
	Out, Err io.Writer
	Screen   io.Writer // Out without its buffer, for programs that want the terminal
	Getenv   func(string) string
	Environ  []string
	Now      func() time.Time
	Dir      string // the working directory; see dir
	// Terminal says that Out is one, Columns how wide it is (0: unknown).
	Terminal bool
	Columns  int
	// ErrTerminal says that Err is a terminal, Attended that any of the three is.
	ErrTerminal, Attended bool
	// IgnoreInterrupt has this process, and the programs that it starts, go on when
	// the terminal is interrupted, unless they say otherwise themselves.
	IgnoreInterrupt func()
	// Host and User are who is here, as the system says.
	Host, User string
	// Above says which process above this one is an agent's (hooks.AgentAbove); nil:
	// nobody looks.
	Above func() string
	// Machine is the machine's id, "" where it has none.
	Machine func() string
	// Program tells this build from others; nil: nothing does.
	Program func() string
	// Version says which release this build is of; nil: nothing does.
	Version func() string

	Flags globalFlags

	flush  func() error // writes out what Out has buffered
	opened *app.App     // see service
	meant  string       // the task that a command is about, where it is not the one here
	// tree builds all commands, to look at; nil: nobody asks.
	tree func() *cobra.Command

	hookOutput *hookOutput // shows what programs around steps say; nil: nobody does
	hooksSaid  bool        // what became of them is said

	opening func(*app.App)      // what comes first; nil: nothing
	found   *exchange.Elsewhere // what a remote has, and this repository has not
}

// globalFlags are the options that every command takes.
type globalFlags struct {
	Dirs      []string // -C
	Quiet     bool
	JSON      bool
	Porcelain bool
	Session   string
	Worker    string // of the commands that take one
	Color     string
	// AllowSecret stores texts as they are; see app.Caller.
	AllowSecret bool
	// DryRun: nothing is written; see dryRunFlag.
	DryRun bool
}

// systemEnv is the real outside world.
func systemEnv() *env {
	dir, err := os.Getwd()
	if err != nil {
		dir = "." // opening the repository will say what is wrong with it
	}
	columns, terminal := terminalSize(os.Stdout)
	_, errTerminal := terminalSize(os.Stderr)
	_, inTerminal := terminalSize(os.Stdin)
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return &env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now,
		Dir: dir, Terminal: terminal, Columns: columns, ErrTerminal: errTerminal, Attended: terminal || errTerminal || inTerminal, Host: host, User: userName(),
		Above:           sync.OnceValue(func() string { return hooks.AgentAbove(os.Getppid(), processOf) }),
		IgnoreInterrupt: func() { signal.Ignore(os.Interrupt) },
		Machine:         func() string { return machineID(systemMachineID, ownMachineID()) },
		Program:         programID,
		Version:         func() string { return buildVersion().Version },
	}
}

// dir is the directory to work in, after every -C, each relative to the one
// before it, as git reads them.
func (e *env) dir() (string, error) {
	dir := e.Dir
	for _, next := range e.Flags.Dirs {
		switch {
		case next == "":
		case filepath.IsAbs(next):
			dir = next
		default:
			dir = filepath.Join(dir, next)
		}
	}
	if len(e.Flags.Dirs) > 0 {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return "", &brokenError{fmt.Sprintf("cannot change to %q", dir), "name a directory that exists"}
		}
	}
	return dir, nil
}

// session is the agent session that is asked for, by the name that its hooks give it
// too: the one that is typed, else the shell's; empty: a person.
func (e *env) session() string { return cmp.Or(e.typedSession(), e.shellsSession()) }

// typedSession is what --session says: who asks, or whom a command looks at.
func (e *env) typedSession() string { return task.SessionName(e.Flags.Session) }

// shellsSession is the session that an agent's shell says it is of: whatever is typed
// there, it acts as no other.
func (e *env) shellsSession() string { return task.SessionName(e.Getenv("CLAUDE_CODE_SESSION_ID")) }

// worker is the name that whoever asks claims phases under; empty: none.
func (e *env) worker() string { return cmp.Or(e.Flags.Worker, e.Getenv("BREW_WORKER")) }

// hint is what comes next, as whoever asks is told.
func (e *env) hint(step route.Step) string { return ui.Hint(step, e.isAgent()) }

// isAgent reports whether an agent asks, of whatever session.
func (e *env) isAgent() bool { return e.session() != "" || hooks.InAgentsShell(e.Getenv) }

// forPeople refuses an agent what is for people alone, before anything is opened.
func (e *env) forPeople(what string) error {
	caller := clone.Caller{Session: e.session(), Mark: hooks.AgentMark(e.Getenv), Terminal: e.Attended, Above: e.Above}
	return caller.ForPeople(what, "the user does")
}

// yesFlag answers before the question of sure.
func yesFlag(cmd *cobra.Command, yes *bool) {
	cmd.Flags().BoolVar(yes, "yes", false, "do not ask")
}

// sure asks a person once more before something goes that no undo brings back. Where
// nobody can be asked, --yes has to say it.
func (e *env) sure(yes bool, question string) error {
	if yes {
		return nil
	}
	if !e.Attended {
		return &clone.RefusedError{Msg: "no terminal to ask at", Hint: "confirm with --yes"}
	}
	fmt.Fprintf(e.Err, "%s [y/N] ", question)
	answer, _ := bufio.NewReader(e.In).ReadString('\n') // the end of the input is no
	if word := strings.ToLower(strings.TrimSpace(answer)); word != "y" && word != "yes" {
		return &clone.RefusedError{Msg: "nothing was changed"}
	}
	return nil
}

// width is how many columns a line may take: COLUMNS, which git sets for its
// pager, the terminal's, or 80.
func (e *env) width() int {
	if n, err := strconv.Atoi(e.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if e.Columns > 0 {
		return e.Columns
	}
	return ui.DefaultWidth
}

// endless is how wide a line may be that nobody reads on a terminal.
const endless = 1 << 20

// room is how many columns a text has beside others in its line, at least so many.
// On its way to a program, or to a file, no text is cut; git's are not, either.
func (e *env) room(besides, least int) int {
	if e.Columns <= 0 && e.Getenv("COLUMNS") == "" {
		return endless
	}
	return max(least, e.width()-besides)
}

// table is an empty table for people, as wide as there is room for.
func (e *env) table(indent string) *ui.Table {
	return &ui.Table{Indent: indent, Width: e.room(0, 0)}
}

// facts is an empty table of names and what is to be said about each.
func (e *env) facts(indent string) *ui.Table {
	table := e.table(indent)
	table.Fold = true
	return table
}

// tell prints a text for people, in lines of the width that there is.
func (e *env) tell(format string, args ...any) {
	fmt.Fprint(e.Out, ui.Wrap(fmt.Sprintf(format, args...), e.room(0, 0)))
}

// style is how text is coloured. setting is color.brew, or color.ui, from
// git's configuration; --color goes before it.
func (e *env) style(setting string) ui.Style {
	if e.Flags.Color != "" {
		setting = e.Flags.Color
	}
	return ui.NewStyle(ui.ColorWanted(ui.ColorQuestion{
		Setting:  setting,
		Terminal: e.paged(),
		NoColor:  e.Getenv("NO_COLOR") != "",
		Dumb:     e.Getenv("TERM") == "dumb",
	}))
}

// did tells what a command did, or in a dry run what it would have done.
func (e *env) did(format string, args ...any) {
	if e.Flags.DryRun {
		format = "Dry run: " + format
	}
	e.say(format, args...)
}

// say prints one line for a person, unless -q was given.
func (e *env) say(format string, args ...any) {
	if !e.Flags.Quiet {
		e.tell(format+"\n", args...)
	}
}
