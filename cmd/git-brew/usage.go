package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// between takes at least low and at most high arguments; high below 0: any
// number.
func between(low, high int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < low:
			return usageOf(cmd, "missing argument")
		case high >= 0 && len(args) > high:
			return usageOf(cmd, fmt.Sprintf("unexpected argument %q", args[high]))
		}
		return nil
	}
}

// usageOf is a usage error whose advice is the command's usage line.
func usageOf(cmd *cobra.Command, msg string) error {
	return &usageError{msg, "usage: " + cmd.UseLine()}
}

// otherWords are words that people type, of other tools and of older versions, by the
// command before them, and what is meant.
var otherWords = map[string]map[string]string{
	"": {
		"gray": "question", "questions": "question",
		"block": "pause -m WHY", "handoff": "pause", "stop": "pause", "hold": "pause",
		"resume": "start", "continue": "start", "unlock": "start --steal", "steal": "start --steal",
		"done": "phase done", "executed": "phase done", "approve": "phase approve", "reject": "phase reject -m WHY", "review": "phase review",
		"close": "finish", "end": "finish", "complete": "finish", "cancel": "finish --status cancelled",
		"rm": "finish --status cancelled", "remove": "finish --status cancelled", "drop": dropPhase,
		"ls": "list", "tasks": "list", "new": "create TITLE", "add": "create TITLE", "checkout": "switch TASK",
		"push": "sync", "pull": "sync", "fetch": "sync --fetch",
	},
	"phase":    {"executed": "phase done", "complete": "phase approve", "finish": "phase done", "rm": dropPhase, "remove": dropPhase, "delete": dropPhase, "skip": dropPhase, "cancel": dropPhase},
	"question": {"answer": "question resolve"},
}

// dropPhase is meant by whoever wants to be rid of a phase.
const dropPhase = "phase drop PHASE -m WHY"

// knownCommand refuses a word where a command's name belongs.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := fmt.Sprintf("see '%s -h'", cmd.CommandPath())
	of := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), cmd.Root().DisplayName()), " ")
	if meant := otherWords[of][args[0]]; meant != "" {
		hint = fmt.Sprintf("did you mean '%s %s'?", cmd.Root().DisplayName(), meant)
	} else if near := nearest(args[0], verbs(cmd)); near != "" {
		hint = fmt.Sprintf("did you mean '%s %s'?", cmd.CommandPath(), near)
	}
	return &usageError{fmt.Sprintf("%q is not a command of '%s'", args[0], cmd.CommandPath()), hint}
}

// flagError turns pflag's errors into usage errors.
func flagError(cmd *cobra.Command, err error) error {
	hint := fmt.Sprintf("see '%s -h'", cmd.CommandPath())
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := nearest(unknown.GetSpecifiedName(), names); near != "" {
			hint = fmt.Sprintf("did you mean --%s?", near)
		}
	}
	return &usageError{err.Error(), hint}
}

// nearest is the name that was probably meant, "" when none is near.
func nearest(typed string, names []string) string {
	if len(typed) < 2 {
		return ""
	}
	best, bestAt := "", max(1, len(typed)/3)+1
	for _, name := range names {
		d := distance(strings.ToLower(typed), name)
		if len(typed) > 1 && strings.HasPrefix(name, typed) {
			d = 1
		}
		if d < bestAt {
			best, bestAt = name, d
		}
	}
	return best
}

// distance is how many letters must be put in, left out or changed to make b
// of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
