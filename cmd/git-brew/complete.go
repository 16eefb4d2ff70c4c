package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/look"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// offer lists values to complete; what can't be read offers nothing.
type offer func(context.Context, *cli.Env) []string

// placeholders say which values stand for a name in angle brackets. Files are
// left to the shell; what has no row here is free text.
func placeholders() map[string]offer {
	return map[string]offer{
		"task":    taskNames,
		"phase":   phaseNames,
		"session": sessionNames,
		"key":     settingKeys,
		"name":    documentNames,

		"hook":     oneOf(steps.HookNames()...),
		"workflow": workflowNames,
		"board":    boardNames,
		"remark":   remarkNumbers,
		"decision": decisionNames,
	}
}

// fileNames are the names in angle brackets that a shell completes itself.
var fileNames = []string{"file", "path", "git-log-options"}

// optionValues say which values an option takes, by its command and its name,
// and for a value that options of several commands have by its name alone.
func optionValues() map[string]offer {
	return map[string]offer{
		"create --type":          oneOf(task.Types...),
		"create --service":       submoduleNames,
		"edit --service":         submoduleNames,
		"edit --no-service":      submoduleNames,
		"edit --type":            oneOf(task.Types...),
		"create --priority":      oneOf(task.Priorities...),
		"edit --priority":        oneOf(append(slices.Clone(task.Priorities), task.PriorityNone)...),
		"backlog promote --type": oneOf(task.Types...),
		"learn --type":           oneOf(knowledge.Avoid, knowledge.Practice, knowledge.Fact),
		"knowledge list --type":  oneOf(knowledge.Avoid, knowledge.Practice, knowledge.Fact),
		"list --status": oneOf(task.Pending, task.InProgress, task.Paused,
			task.Finished, task.Failed, task.Cancelled),
		"finish --status":            oneOf(task.Finished, task.Failed, task.Cancelled),
		"phase add --kind":           oneOf(task.KindVerification, task.KindResearch, task.KindFinalReview),
		"phase add --tier":           oneOf(task.TierAuto, task.TierJunior, task.TierSenior, task.TierExecutive),
		"phase edit --tier":          oneOf(task.TierAuto, task.TierJunior, task.TierSenior, task.TierExecutive),
		"phase edit --depends-on":    phaseNames,
		"phase edit --no-depends-on": phaseNames,
		"escalate --tier":            oneOf(task.TierJunior, task.TierSenior, task.TierExecutive),
		"escalate --action": oneOf(task.ActionResearch, task.ActionSplit, task.ActionUpgrade, task.ActionReassign,
			task.ActionAsk),
		"phase add --of":             phaseNames,
		"phase add --after":          phaseNames,
		"events --type":              oneOf(event.TypeNames()...),
		"diff --phase":               phaseNames,
		"remark add --severity":      oneOf(task.Severities...),
		"decision add --phase":       phaseNames,
		"decision supersede --phase": phaseNames,
		"diff --doc":                 documentNames,
		"--session":                  sessionNames,
		"--color":                    oneOf("always", "never", "auto"),
		"--task":                     taskNames,
		"graph --format":             oneOf(look.GraphFormats...),
		"next --skip":                oneOf(task.StepClarify, task.StepResearch, task.StepPlan),
	}
}

// workflowNames are the texts that steps follow: git brew's own.
func workflowNames(context.Context, *cli.Env) []string {
	var names []string
	for _, w := range pipeline.Workflows() {
		names = append(names, w.Name)
	}
	return names
}

// oneOf offers fixed words.
func oneOf[W ~string](words ...W) offer {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return func(context.Context, *cli.Env) []string { return all }
}

// completes tells that a shell asks how a command line may go on.
func completes(args []string) bool {
	return slices.Contains(args, cobra.ShellCompRequestCmd) || slices.Contains(args, cobra.ShellCompNoDescRequestCmd)
}

// addCompletions lets every command complete its options and, by its usage line,
// its arguments. It takes a quarter of what a status takes: only a shell's
// question is worth it.
func addCompletions(e *cli.Env, root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.DisableFlagParsing = false // of those that hand options on, ours are completed
	}
	known := optionValues()
	var add func(cmd *cobra.Command)
	add = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			add(sub)
		}
		completeOptions(e, cmd, known)
		if cmd.HasParent() && !cmd.HasSubCommands() && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = completeByUse(e, cmd.Use)
		}
	}
	add(root)
}

// completeOptions gives the options of cmd that have known values a completion.
func completeOptions(e *cli.Env, cmd *cobra.Command, known map[string]offer) {
	_, path, _ := strings.Cut(cmd.CommandPath(), " brew ")
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		values, ok := known[path+" --"+f.Name]
		if !ok {
			values, ok = known["--"+f.Name]
		}
		if !ok {
			return
		}
		// The one error is that there is a completion already.
		_ = cmd.RegisterFlagCompletionFunc(f.Name,
			func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
				return values(cmd.Context(), e), cobra.ShellCompDirectiveNoFileComp
			})
	})
}

// arguments are the words of a usage line that stand for arguments: options
// with their values, and what only separates, are left out.
func arguments(use string) []string {
	var found []string
	words := strings.Fields(use)[1:]
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "|", word == "[--", word == "[<options>]":
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

// completeByUse completes a command's arguments by its own usage line: names in
// angle brackets by placeholders, a|b|c by one of these. So a command need not
// say it twice.
func completeByUse(e *cli.Env, use string) cobra.CompletionFunc {
	patterns := arguments(use)
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(patterns) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		at := len(args)
		if at >= len(patterns) {
			at = len(patterns) - 1
			if !strings.Contains(patterns[at], "...") {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
		}
		var values []string
		known := placeholders()
		for _, word := range strings.Split(strings.Trim(patterns[at], "[]."), "|") {
			name := strings.Trim(word, "[]<>.")
			switch list := known[name]; {
			case list != nil:
				values = append(values, list(cmd.Context(), e)...)
			case slices.Contains(fileNames, name):
				return nil, cobra.ShellCompDirectiveDefault
			case !strings.HasPrefix(word, "<"):
				values = append(values, name)
			}
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

// taskNames are the open tasks, as a person types them, with their titles. A
// completion that fails offers nothing and says nothing.
func taskNames(ctx context.Context, e *cli.Env) []string {
	return cli.ListedNames(ctx, e, app.ListRequest{})
}

// phaseNames are the phases of the task here that are not over.
func phaseNames(ctx context.Context, e *cli.Env) []string {
	service, err := cli.Completing(e)
	if err != nil {
		return nil
	}
	view, err := service.Overview.Status(ctx, "")
	if err != nil || view.Task == nil {
		return nil
	}
	var names []string
	for _, phase := range view.Task.Phases {
		if !phase.Status.Over() {
			names = append(names, cobra.CompletionWithDesc(phase.ID, ui.Safe(phase.Title)))
		}
	}
	return names
}

// sessionNames are the sessions that this clone knows, with their titles.
func sessionNames(ctx context.Context, e *cli.Env) []string {
	service, err := cli.Completing(e)
	if err != nil {
		return nil
	}
	all, err := service.Sessions.Sessions(ctx)
	if err != nil {
		return nil
	}
	var names []string
	for _, session := range all {
		names = append(names, cobra.CompletionWithDesc(ui.Safe(session.ID), ui.Safe(session.Title)))
	}
	return names
}

// settingKeys are the keys of the settings, with what they are for.
func settingKeys(context.Context, *cli.Env) []string {
	var keys []string
	for _, s := range config.AllSettings() {
		keys = append(keys, cobra.CompletionWithDesc(string(s.Key), s.Help))
	}
	return keys
}

// documentNames are the documents that a task may have: the plans of its phases
// among them, what agents reported not, for nobody writes that by hand.
func documentNames(ctx context.Context, e *cli.Env) []string {
	names := []string{"plan", "spec", "research", "roadmap", "context", "final", "changelog"}
	service, err := cli.Completing(e)
	if err != nil {
		return names
	}
	view, err := service.Overview.Status(ctx, "")
	if err != nil || view.Task == nil {
		return names
	}
	for _, p := range view.Task.Phases {
		names = append(names, cobra.CompletionWithDesc("phases/"+p.ID+"/plan", ui.Safe(p.Title)))
	}
	return names
}

// submoduleNames are the submodules that are checked out: what can be a service.
func submoduleNames(ctx context.Context, e *cli.Env) []string {
	service, err := cli.Completing(e)
	if err != nil {
		return nil
	}
	paths, err := service.Place.ServiceNames(ctx)
	if err != nil {
		return nil
	}
	var names []string
	for _, path := range paths {
		names = append(names, ui.Safe(path))
	}
	return names
}
