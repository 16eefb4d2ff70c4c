package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// valuesOf are the values of a kind: the name in angle brackets of an argument, or in back
// quotes of an option. What has no case is free text; what can't be read offers nothing.
func valuesOf(kind string, s *app.App, cmd *cobra.Command) []string {
	switch kind {
	case "type":
		return words(task.Types)
	case "step":
		return []string{task.StepClarify, task.StepResearch, task.StepPlan}
	case "hook":
		return steps.HookNames()
	case "workflow":
		return pipeline.Workflows()
	case "key":
		return described(config.AllSettings(), func(s config.Setting) (string, string) { return string(s.Key), s.Help })
	}
	if s == nil {
		return nil
	}
	switch kind {
	case "task":
		r := app.ListRequest{}
		if cmd.Name() == "archive" {
			r.Status = []task.Status{task.Finished, task.Failed, task.Cancelled}
		}
		open, _ := s.List(cmd.Context(), r)
		return described(open.Tasks, func(t app.Listed) (string, string) { return open.Called(t.ID), t.Title })
	case "session":
		all, _ := s.Sessions.Sessions(cmd.Context())
		return described(all, func(s clone.Session) (string, string) { return s.ID, s.Title })
	case "dir": // what can be a service: the submodules that are checked out
		paths, _ := s.Place.ServiceNames(cmd.Context())
		return described(paths, func(path string) (string, string) { return path, "" })
	}
	id, _ := s.Place.Here(cmd.Context())
	t, err := s.Records.Task(cmd.Context(), id)
	if err != nil {
		return nil
	}
	return valuesOfTask(kind, t)
}

// valuesOfTask are the values of a kind that are in a task.
func valuesOfTask(kind string, t task.Task) []string {
	var found []string
	add := func(value, about string) { found = append(found, cobra.CompletionWithDesc(value, ui.Safe(about))) }
	for _, p := range t.Phases {
		switch {
		case kind == "phase" && !p.Status.Over():
			add(p.ID, p.Title)
		case kind == "name":
			add("phases/"+p.ID+"/plan", p.Title)
		case kind == "board" && p.Iteration > 0:
			add(t.ShownBoard(task.BoardOf(p.UID)), p.Title)
		}
	}
	switch kind {
	case "board":
		for _, doc := range t.DocNames() {
			if name, err := task.ParseBoard(t, t.ShownDoc(doc)); err == nil {
				add(t.ShownBoard(name), "")
			}
		}
	case "remark":
		for i, r := range t.Remarks {
			if r.Open() {
				add(strconv.Itoa(i+1), ui.Truncate(r.Text, taskview.MaxCommandShown))
			}
		}
	case "decision":
		for i, d := range t.Decisions {
			if d.Status == task.DecisionActive {
				add(task.ShownDecision(i), d.Title)
			}
		}
	}
	return found
}

// documents are the ones that any task may have. What agents reported nobody writes by hand.
var documents = []string{"plan", "spec", "research", "roadmap", "context", "final", "changelog"}

// words are names of ours as texts.
func words[W ~string](all []W) []string {
	return described(all, func(w W) (string, string) { return string(w), "" })
}

// described are values with what is to be said about each.
func described[T any](all []T, of func(T) (value, about string)) []string {
	var found []string
	for _, one := range all {
		value, about := of(one)
		found = append(found, cobra.CompletionWithDesc(ui.Safe(value), ui.Safe(about)))
	}
	return found
}

// fileNames are the names in angle brackets that a shell completes itself.
var fileNames = []string{"file", "path", "git-log-options"}

// optionValues are the values of options whose help does not tell them.
func optionValues(option string) []string {
	switch option {
	case "create --type":
		return words(task.Types)
	case "knowledge list --type":
		return words([]knowledge.Kind{knowledge.Avoid, knowledge.Practice, knowledge.Fact})
	case "list --status":
		return words([]task.Status{
			task.Pending, task.InProgress, task.Paused, task.Finished, task.Failed, task.Cancelled,
		})
	case "events --type":
		return event.TypeNames()
	}
	return nil
}

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
		_, path, _ := strings.Cut(cmd.CommandPath(), " brew ")
		if values := optionValues(path + " --" + f.Name); values != nil {
			return values, cobra.ShellCompDirectiveNoFileComp
		}
		list := regexp.MustCompile(`: (\w+(, \w+)*( or \w+)?)(; else (\w+))?( \(|$)`).FindStringSubmatch(f.Usage)
		if list != nil {
			values := strings.Split(strings.Replace(list[1], " or ", ", ", 1), ", ")
			if list[5] != "" && !slices.Contains(values, list[5]) {
				values = append(values, list[5])
			}
			return values, cobra.ShellCompDirectiveNoFileComp
		}
		kind, _ := pflag.UnquoteUsage(f)
		switch {
		case slices.Contains(fileNames, kind):
			return nil, cobra.ShellCompDirectiveDefault
		case f.Name == "session":
			kind = "session"
		case f.Name == "doc":
			return append(documents, valuesOf("name", completing(e), cmd)...), cobra.ShellCompDirectiveNoFileComp
		case kind == "name": // of a person, an agent, a branch
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return valuesOf(kind, completing(e), cmd), cobra.ShellCompDirectiveNoFileComp
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
			name := strings.Trim(word, "[]<>.")
			switch {
			case slices.Contains(fileNames, name):
				return nil, cobra.ShellCompDirectiveDefault
			case !strings.HasPrefix(word, "<"):
				values = append(values, name)
				continue
			case name == "name":
				values = append(values, documents...)
			}
			values = append(values, valuesOf(name, completing(e), cmd)...)
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}
