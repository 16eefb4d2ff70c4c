package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Command declares a command: what is typed, and what it does. What it takes is said once,
// by Use: how many arguments there are, whether the task is one of them (else a command
// that acts on a task has --task), and how they are completed.
type Command struct {
	Use, Short string // what it does in full stands in its page, see describe in cmd/git-brew

	Flags  []Flag
	Worker bool   // it is asked for one of several workers: --worker
	DryRun string // what -n does; "": there is none
	// OnTask gives a Repo that finds its task itself the option --task.
	OnTask bool

	// Args counts arguments where Use does not tell.
	Args cobra.PositionalArgs
	// Check refuses what was typed before anything is opened.
	Check func(*Call) error
	// One of these is what the command does. Task has a task; Look looks at one, and says
	// so where there is none; Repo has a repository, Bare not even that.
	Task, Look, Repo, Bare Action

	Subs []Command
	// Setup changes what cobra is given, where a command is like no other.
	Setup func(*Env, *cobra.Command)
}

// Action is what a command does. What it answers is printed in one place, Call.Print.
type Action func(*Call) (Answer, error)

// Flag is an option: its name, with its letter in front as "a, all"; the variable that it
// sets, which has its default; and what it is for, the value's name in back quotes.
type Flag struct {
	Name  string
	Into  any
	Usage string
}

// Opt is an option that sets a variable.
func Opt[T bool | int | string | []string](name string, into *T, usage string) Flag {
	return Flag{name, into, usage}
}

// DryRunHelp is what -n does, where nothing more is to be said.
const DryRunHelp = "only say what would be done"

// Cobra makes the command that cobra runs.
func (d Command) Cobra(e *Env) *cobra.Command {
	cmd := &cobra.Command{Use: d.Use, Short: d.Short, Args: d.Args}
	flags := cmd.Flags()
	for _, f := range d.Flags {
		f.addTo(flags)
	}
	if (d.Task != nil || d.Look != nil || d.OnTask) && !strings.Contains(strings.Join(Arguments(d.Use), " "), "<task>") {
		flags.String("task", "", "the `task`, where it is not the one here")
	}
	if d.Worker {
		flags.StringVar(&e.Flags.Worker, "worker", "", "the `name` of the worker that asks (BREW_WORKER)")
	}
	if d.DryRun != "" { // it decides as ever, refuses and tells, and writes nothing
		flags.BoolVarP(&e.Flags.DryRun, "dry-run", "n", false, d.DryRun)
	}
	if d.Task != nil || d.Look != nil || d.Repo != nil || d.Bare != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return d.Run(e, cmd, args) }
		if d.Args == nil {
			cmd.Args = byUse
		}
	}
	for _, sub := range d.Subs {
		cmd.AddCommand(sub.Cobra(e))
	}
	if d.Setup != nil {
		d.Setup(e, cmd)
	}
	return cmd
}

func (f Flag) addTo(flags *pflag.FlagSet) {
	short, name, both := strings.Cut(f.Name, ", ")
	if !both {
		short, name = "", f.Name
	}
	switch into := f.Into.(type) {
	case *bool:
		flags.BoolVarP(into, name, short, *into, f.Usage)
	case *int:
		flags.IntVarP(into, name, short, *into, f.Usage)
	case *string:
		flags.StringVarP(into, name, short, *into, f.Usage)
	case *[]string:
		flags.StringArrayVarP(into, name, short, *into, f.Usage)
	}
	if name == "message" || name == "only" { // -m, as git has it; --reason, --why and --phase, as people type them
		flags.SetNormalizeFunc(func(_ *pflag.FlagSet, typed string) pflag.NormalizedName {
			if name == "message" && (typed == "why" || typed == "reason") || name == "only" && typed == "phase" {
				typed = name
			}
			return pflag.NormalizedName(typed)
		})
	}
}

// Run does what a command does, and prints what that answers.
func (d Command) Run(e *Env, cmd *cobra.Command, args []string) error {
	c := &Call{Env: e, Ctx: cmd.Context(), Cmd: cmd, Args: args}
	if d.Check != nil {
		if err := d.Check(c); err != nil {
			return err
		}
	}
	do := d.Repo
	switch {
	case d.Task != nil:
		do = func(c *Call) (Answer, error) { return c.OnTask(d.Task) }
	case d.Look != nil:
		do = func(c *Call) (Answer, error) { return c.LookAt(d.Look) }
	}
	var a Answer
	var err error
	if d.Bare != nil {
		a, err = d.Bare(c)
	} else {
		a, err = c.OnRepo(do)
	}
	if err != nil {
		return err
	}
	return c.Print(a)
}

// Arguments are the words of a usage line that stand for arguments: options with their
// values, and what only separates, are left out.
func Arguments(use string) []string {
	var found []string
	words := strings.Fields(use)[1:]
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "|", word == "[--", strings.Trim(word, "[]") == "<options>":
		case strings.HasPrefix(word, "[-"):
			for !strings.HasSuffix(words[i], "]") && i+1 < len(words) {
				i++
			}
		case strings.HasPrefix(word, "-"):
			if i+1 < len(words) && strings.HasPrefix(words[i+1], "<") {
				i++
			}
		default:
			found = append(found, word)
		}
	}
	return found
}

// byUse takes as many arguments as the usage line has.
func byUse(cmd *cobra.Command, args []string) error {
	low, high := 0, 0
	for _, argument := range Arguments(cmd.Use) {
		if !strings.HasPrefix(argument, "[") {
			low++
		}
		if high++; strings.Contains(argument, "...") {
			high = -1
			break
		}
	}
	return Between(low, high)(cmd, args)
}
