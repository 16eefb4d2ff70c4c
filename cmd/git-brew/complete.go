package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/importer"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// valuesOf are the values of a kind: the name in angle brackets of an argument, or in back
// quotes of an option. What has no case is free text; what can't be read offers nothing.
func valuesOf(kind string, e *cli.Env, cmd *cobra.Command) []string {
	switch kind {
	case "type":
		return words(task.Types)
	case "kind":
		return event.TypeNames()
	case "status":
		return words([]task.Status{
			task.Pending, task.InProgress, task.Paused, task.Finished, task.Failed, task.Cancelled,
		})
	case "system":
		systems := slices.DeleteFunc(importer.Systems(), func(s importer.System) bool {
			return cmd.Name() == "export" && !s.Writes
		})
		return described(systems, func(s importer.System) (string, string) { return s.Name, s.What })
	case "workflow":
		return pipeline.Workflows()
	case "key":
		return described(config.AllSettings(), func(s config.Setting) (string, string) { return string(s.Key), s.Help })
	case "task", "session", "phase", "document":
	default:
		return nil
	}
	s := completing(e)
	switch {
	case s == nil && kind == "document":
		return documents
	case s == nil:
		return nil
	case kind == "task":
		r := app.ListRequest{}
		if cmd.Name() == "archive" {
			r.Status = []task.Status{task.Finished, task.Failed, task.Cancelled}
		}
		open, _ := s.List(cmd.Context(), r)
		return described(open.Tasks, func(t app.Listed) (string, string) { return open.Called(t.ID), t.Title })
	case kind == "session":
		all, _ := s.Sessions.Sessions(cmd.Context())
		return described(all, func(s clone.Session) (string, string) { return s.ID, s.Title })
	}
	id, _ := s.Place.Here(cmd.Context())
	t, _ := s.Records.Task(cmd.Context(), id)
	if kind == "phase" {
		t.Phases = slices.DeleteFunc(slices.Clone(t.Phases), func(p task.Phase) bool { return p.Status.Over() })
		return described(t.Phases, func(p task.Phase) (string, string) { return p.ID, p.Title })
	}
	plans := described(t.Phases, func(p task.Phase) (string, string) { return "phases/" + p.ID + "/plan", p.Title })
	return append(slices.Clone(documents), plans...)
}

// documents are the ones that any task may have. What agents reported nobody writes by hand.
var documents = []string{"plan", "spec", "research", "roadmap", "context", "final", "changelog"}

func words[W ~string](all []W) []string {
	return described(all, func(w W) (string, string) { return string(w), "" })
}

func described[T any](all []T, of func(T) (value, about string)) []string {
	var found []string
	for _, one := range all {
		value, about := of(one)
		found = append(found, cobra.CompletionWithDesc(ui.Safe(value), ui.Safe(about)))
	}
	return found
}

// fileNames are the names in angle brackets that a shell completes itself.
var fileNames = []string{"file", "dir", "path", "git-log-options"}

// completes tells that a shell asks how a command line may go on.
func completes(args []string) bool {
	return slices.Contains(args, cobra.ShellCompRequestCmd) || slices.Contains(args, cobra.ShellCompNoDescRequestCmd)
}

// addCompletions lets every command complete its arguments, by its usage line, and its
// options, by what their help says of them: neither is said twice. It takes a quarter of
// what a status takes: only a shell's question is worth it.
func addCompletions(e *cli.Env, root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.DisableFlagParsing = false // of those that hand options on, ours are completed
	}
	var add func(cmd *cobra.Command)
	add = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			add(sub)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal == "" || f.Value.Type() != "bool" {
				// The one error is that there is a completion already.
				_ = cmd.RegisterFlagCompletionFunc(f.Name, completeOption(e, f))
			}
		})
		if cmd.HasParent() && !cmd.HasSubCommands() && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = completeByUse(e, cmd.Use)
		}
	}
	add(root)
}

// completing opens the repository of the line that is completed: cobra has read its options
// twice by then, and each -C adds to those before it. It is nil where there is none.
func completing(e *cli.Env) *app.App {
	if e.Opened == nil {
		e.Flags.Dirs = e.Flags.Dirs[:len(e.Flags.Dirs)/2]
	}
	s, err := e.Service()
	if err != nil {
		return nil
	}
	return s
}

// completeOption completes an option's value: by the words that its help lists behind a
// colon, or by the value's name.
func completeOption(e *cli.Env, f *pflag.Flag) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		list := regexp.MustCompile(`: (\w+(, \w+)*( or \w+)?)(; else (\w+))?( \(|$)`).FindStringSubmatch(f.Usage)
		kind, _ := pflag.UnquoteUsage(f)
		switch {
		case list != nil:
			values := strings.Split(strings.Replace(list[1], " or ", ", ", 1), ", ")
			if list[5] != "" && !slices.Contains(values, list[5]) {
				values = append(values, list[5])
			}
			return values, cobra.ShellCompDirectiveNoFileComp
		case slices.Contains(fileNames, kind):
			return nil, cobra.ShellCompDirectiveDefault
		}
		return valuesOf(kind, e, cmd), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeByUse completes a command's arguments by its usage line: names in angle brackets by
// their values, a|b|c by one of these.
func completeByUse(e *cli.Env, use string) cobra.CompletionFunc {
	patterns := cli.Arguments(use)
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		at := min(len(args), len(patterns)-1)
		if at < 0 || at < len(args) && !strings.Contains(patterns[at], "...") {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var values []string
		for _, word := range strings.Split(strings.Trim(patterns[at], "[]."), "|") {
			kind := strings.Trim(word, "[]<>.")
			switch {
			case slices.Contains(fileNames, kind):
				return nil, cobra.ShellCompDirectiveDefault
			case !strings.HasPrefix(word, "<"):
				values = append(values, kind)
				continue
			case kind == "name": // of a document
				kind = "document"
			}
			values = append(values, valuesOf(kind, e, cmd)...)
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

func completionCommand() cli.Command {
	return cli.Command{
		Use: "completion bash|zsh|fish", Short: "print a shell's completion script",
		Bare: func(c *cli.Call) (cli.Answer, error) {
			script, err := completionScript(c.Cmd.Root(), c.Args[0])
			return cli.Answer{Text: func() { _, _ = c.Out.Write(script) }}, err // the flush reports what can't be written
		},
	}
}

// completionScript is cobra's script for a shell, fitted to a program that git
// calls as one of its own commands.
func completionScript(root *cobra.Command, shell string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&b, true)
		b.WriteString(bashForGit)
	case "zsh":
		err = root.GenZshCompletion(&b)
	case "fish":
		// fish's own completion of git asks git-brew's.
		err = root.GenFishCompletion(&b, true)
	default:
		return nil, cli.Misused(fmt.Sprintf("no completion for %q", shell), "one of bash, zsh, fish")
	}
	if err != nil {
		return nil, fmt.Errorf("make the %s completion: %w", shell, err)
	}
	// Called through git's own completion, the first word is "brew": another
	// program altogether on many machines.
	return bytes.ReplaceAll(b.Bytes(), []byte("${words[1]} __complete"), []byte("git-brew __complete")), nil
}

// bashForGit lets git's own bash completion complete `git brew`: it calls
// _git_brew, with the words of the line in words, and cword and cur set. Of --type=f only
// what is behind the = is completed, as git does.
const bashForGit = `
_git_brew() {
    local at=${__git_cmd_idx:-1} out
    out=$(git-brew __completeNoDesc ${__git_C_args[@]+"${__git_C_args[@]}"} \
        "${words[@]:at+1:cword-at}" 2>/dev/null) || return
    __gitcomp_nl "${out%:*}" "" "${cur#--*=}"
}
`
