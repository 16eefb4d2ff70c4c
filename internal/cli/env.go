package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
)

// ErrBrokenPipe: the reader of our output is gone.
const ErrBrokenPipe = syscall.EPIPE

// Env is all that a command may touch of the outside world.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Screen   io.Writer // Out without its buffer, for programs that want the terminal
	Getenv   func(string) string
	Environ  []string
	Now      func() time.Time
	Dir      string // the working directory; see WorkDir
	// Terminal says that Out is one, Columns how wide it is (0: unknown).
	Terminal bool
	Columns  int
	// Window is how large the terminal is now (0: unknown); nil: there is none.
	Window func() (columns, rows int)
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

	Flags GlobalFlags

	Flush      func() error   // writes out what Out has buffered
	Opened     *app.App       // see Service
	Unhelped   error          // help was asked for of what is no command
	Meant      string         // the task that a command is about, where it is not the one here
	hookOutput *ui.LineWriter // shows what programs around steps say; nil: nobody does
	hooksSaid  bool           // what became of them is said

	opening func(*app.App)      // what comes first; nil: nothing
	Found   *exchange.Elsewhere // what a remote has, and this repository has not
}

// GlobalFlags are the options that every command takes.
type GlobalFlags struct {
	Dirs      []string // -C
	Quiet     bool
	JSON      bool
	Porcelain bool
	Session   string
	Worker    string // of the commands that take one
	Color     string
	// AllowSecret stores texts as they are; see app.Caller.
	AllowSecret bool
	// DryRun: nothing is written.
	DryRun bool
}

// WorkDir is the directory to work in, after every -C, each relative to the one
// before it, as git reads them.
func (e *Env) WorkDir() (string, error) {
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
			return "", fmt.Errorf("cannot change to %q: %w", dir, gitstore.ErrNotRepository)
		}
	}
	return dir, nil
}

// Session is the agent session that is asked for, by the name that its hooks give it
// too: the one that is typed, else the shell's; empty: a person.
func (e *Env) Session() string { return cmp.Or(e.TypedSession(), e.ShellsSession()) }

// TypedSession is what --session says: who asks, or whom a command looks at.
func (e *Env) TypedSession() string { return task.SessionName(e.Flags.Session) }

// ShellsSession is the session that an agent's shell says it is of: whatever is typed
// there, it acts as no other.
func (e *Env) ShellsSession() string { return hooks.ShellSession(e.Getenv) }

// Has reports whether a program of that name is on the path.
func (e *Env) Has(program string) bool {
	return slices.ContainsFunc(filepath.SplitList(e.Getenv("PATH")), func(dir string) bool {
		for _, name := range []string{program, program + ".exe", program + ".cmd"} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err == nil && info.Mode().IsRegular() && filepath.IsAbs(dir) {
				return true
			}
		}
		return false
	})
}

// Worker is the name that whoever asks claims phases under; empty: none.
func (e *Env) Worker() string { return cmp.Or(e.Flags.Worker, e.Getenv("BREW_WORKER")) }

// Hint is what comes next, as whoever asks is told.
func (e *Env) Hint(step route.Step) string { return ui.Hint(step, e.IsAgent()) }

// IsAgent reports whether an agent asks, of whatever session.
func (e *Env) IsAgent() bool { return e.Session() != "" || hooks.AgentMark(e.Getenv) != "" }

// ForPeople refuses an agent what is for people alone, before anything is opened.
func (e *Env) ForPeople(what string) error {
	caller := clone.Caller{Session: e.Session(), Mark: hooks.AgentMark(e.Getenv), Terminal: e.Attended, Above: e.Above}
	return caller.ForPeople(what, "the user does")
}

// Sure asks a person once more before something goes that no undo brings back. Where
// nobody can be asked, --yes has to say it.
func (e *Env) Sure(yes bool, question string) error {
	if yes {
		return nil
	}
	if !e.Attended {
		return clone.Refuse("confirm with --yes", "no terminal to ask at")
	}
	fmt.Fprintf(e.Err, "%s [y/N] ", question)
	answer, _ := bufio.NewReader(e.In).ReadString('\n') // the end of the input is no
	if word := strings.ToLower(strings.TrimSpace(answer)); word != "y" && word != "yes" {
		return clone.Refuse("", "nothing was changed")
	}
	return nil
}

// Width is how many columns a line may take: COLUMNS, which git sets for its
// pager, the terminal's, or 80.
func (e *Env) Width() int {
	if n, err := strconv.Atoi(e.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if e.Columns > 0 {
		return e.Columns
	}
	return ui.DefaultWidth
}

// Size is how many columns and rows the terminal has now; no rows where nobody can tell.
func (e *Env) Size() (columns, rows int) {
	if e.Window != nil {
		columns, rows = e.Window()
	}
	if columns <= 0 || e.Getenv("COLUMNS") != "" {
		columns = e.Width()
	}
	return columns, rows
}

// Endless is how wide a line may be that nobody reads on a terminal.
const Endless = 1 << 20

// Room is how many columns a text has beside others in its line, at least so many.
// On its way to a program, or to a file, no text is cut; git's are not, either.
func (e *Env) Room(besides, least int) int {
	if e.Columns <= 0 && e.Getenv("COLUMNS") == "" {
		return Endless
	}
	return max(least, e.Width()-besides)
}

// Table is an empty table for people, as wide as there is room for.
func (e *Env) Table(indent string) *ui.Table {
	return &ui.Table{Indent: indent, Width: e.Room(0, 0)}
}

// Facts is an empty table of names and what is to be said about each.
func (e *Env) Facts(indent string) *ui.Table {
	table := e.Table(indent)
	table.Fold = true
	return table
}

// Tell prints a text for people, in lines of the width that there is.
func (e *Env) Tell(format string, args ...any) {
	fmt.Fprint(e.Out, ui.Wrap(fmt.Sprintf(format, args...), e.Room(0, 0)))
}

// Style is how text is coloured. setting is color.brew, or color.ui, from
// git's configuration; --color goes before it.
func (e *Env) Style(setting string) ui.Style {
	able := e.paged() && e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb" // no-color.org
	return ui.NewStyle(ui.ColorWanted(cmp.Or(e.Flags.Color, setting), able))
}

// Did tells what a command did, or in a dry run what it would have done.
func (e *Env) Did(format string, args ...any) {
	if e.Flags.DryRun {
		format = "Dry run: " + format
	}
	e.Say(format, args...)
}

// Say prints one line for a person, unless -q was given.
func (e *Env) Say(format string, args ...any) {
	if !e.Flags.Quiet {
		e.Tell(format+"\n", args...)
	}
}

// Check refuses options that exclude each other.
func (f *GlobalFlags) Check() error {
	if f.JSON && f.Porcelain {
		return Misused("--json and --porcelain exclude each other", "give one of them")
	}
	if f.Color != "" && !slices.Contains([]string{"always", "never", "auto"}, f.Color) {
		return Misused(fmt.Sprintf("--color %q is unknown", f.Color), "give always, never or auto")
	}
	return nil
}
