package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// showDocument is `show --json` of a task.
type showDocument struct {
	Task   view.Task   `json:"task"`
	Phases view.Phases `json:"phases"`
	// Decisions are those that hold; Boards what reviewers came to.
	Decisions []decisionDocument `json:"decisions"`
	Boards    []boardDocument    `json:"boards"`
	Files     []string           `json:"files"`
	Commit    string             `json:"commit"`
}

// showTextDocument is `show --json` of a text.
type showTextDocument struct {
	Task   task.ID `json:"task"`
	Path   string  `json:"path"`
	Text   string  `json:"text"`
	Commit string  `json:"commit"`
}

func newShowCmd(e *env) *cobra.Command {
	var at string
	cmd := &cobra.Command{
		Use:   "show [<options>] [<task>][:<path>]",
		Short: "show a task, or a text of it, as it is or was",
		Long: `Shows a task and the texts that belong to it, or one of them as it is. A path is
one that the task's list of files names, or a document's name, as plan. --at
shows it as it was: at a commit that 'git brew log' names, or at a time as git
reads it, a day or "2 hours ago"; a day means its end. With options of
git-show(1), as --stat, git shows the operation that led there; a text takes
none.`,
		Example: `  git brew show add-jwt
  git brew show add-jwt:plan
  git brew show :spec --at 2026-01-31
  git brew show --at '2 hours ago'`,
	}
	e.handsOn(cmd, 1, func(line gitLine) error {
		if cmd.Flags().Changed("at") && strings.TrimSpace(at) == "" {
			return usageOf(cmd, "--at needs a time or a commit")
		}
		if form := e.asRecords(); form != "" {
			if err := meaningless(line.options, form, func(string) bool { return false }); err != nil {
				return err
			}
		}
		name, path, _ := strings.Cut(first(line.args), ":")
		if others := slices.Concat(line.options, line.paths); path != "" && len(others) > 0 {
			return &usageError{others[0] + " has no meaning for a text", strings.TrimSpace("git brew log "+name) + " -p shows what changed"}
		}
		service, id, ok, err := e.reading(cmd.Context(), name)
		if err != nil || !ok {
			return err
		}
		shown, err := service.ShowAt(cmd.Context(), id, path, at)
		switch {
		case err != nil:
			return err
		case len(line.options)+len(line.paths) > 0:
			return e.git(cmd.Context(), service, slices.Concat([]string{"show"}, line.options, []string{shown.Tip, "--"}, line.paths))
		case path != "":
			return e.showText(shown)
		}
		return e.showTask(cmd.Context(), service, shown)
	})
	cmd.Flags().StringVar(&at, "at", "", "as it was at this `moment`: a time or a commit")
	return cmd
}

func (e *env) showText(shown workflow.Show) error {
	if e.Flags.JSON {
		return ui.JSON(e.Out, showTextDocument{shown.Task.ID, shown.Path, string(shown.Text), shown.Tip})
	}
	text := shown.Text
	if e.paged() {
		text = []byte(ui.SafeLines(string(text)))
	}
	_, err := e.Out.Write(text)
	if err == nil && e.Terminal && len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		_, err = io.WriteString(e.Out, "\n")
	}
	return err
}

func (e *env) showTask(ctx context.Context, service *workflow.Service, shown workflow.Show) error {
	t := shown.Task
	waiting, err := service.UntrustedCommands(ctx, t)
	if err != nil {
		return err
	}
	switch {
	case e.Flags.JSON:
		about := view.NewTask(t, shown.Tip)
		about.Archived, about.Unverified = shown.Archived, shown.Unverified != ""
		return ui.JSON(e.Out, showDocument{
			Task: about, Phases: view.Phases{PhaseCounts: task.CountPhases(t), Items: newTrustedPhases(t, waiting)},
			Decisions: newDecisionDocuments(t, false), Boards: newBoardDocuments(t),
			Files: view.List(shown.Files), Commit: shown.Tip,
		})
	case e.Flags.Porcelain:
		for _, path := range shown.Files {
			if err := ui.Record(e.Out, path); err != nil {
				return err
			}
		}
		return nil
	}
	style := e.colours(service)
	e.tell("%s  %s\n", style.Bright(string(t.ID)), ui.Safe(t.Title))
	facts := e.facts("  ")
	v := statusView{Standing: workflow.Standing{View: workflow.View{Task: &t, Archived: shown.Archived}}, env: e, style: style, now: e.Now()}
	status := v.state()
	if t.Deleted {
		status = style.Bad("deleted") + fmt.Sprintf("; 'git brew undo %s' brings it back", t.ID)
	}
	if t.Reason != "" {
		status += ": " + ui.Safe(t.Reason)
	}
	facts.Add("status", status)
	if shown.Unverified != "" {
		facts.Add("law", style.Warn(ui.Safe(shown.Unverified)))
	}
	facts.Add("type", ui.Safe(t.Type))
	if t.Priority != "" {
		facts.Add("priority", string(t.Priority))
	}
	if len(t.Services) == 0 {
		facts.Add("branch", ui.Safe(t.Branch)+fromWords(t.Base, t.BaseCommit))
	} else {
		facts.Add("branch", ui.Safe(t.Branch))
	}
	for i, s := range t.Services {
		facts.Add(firstOnly("services", i), ui.Safe(s.Path)+fromWords(s.Base, s.BaseCommit))
	}
	if len(t.Issues) > 0 {
		facts.Add("issues", strings.Join(t.Issues, ", "))
	}
	for _, fact := range [][2]string{{"created", t.CreatedAt}, {"started", t.StartedAt}, {"updated", t.UpdatedAt}, {"ended", t.FinishedAt}} {
		if fact[1] != "" {
			facts.Add(fact[0], e.ago(fact[1]))
		}
	}
	for i, d := range newDecisionDocuments(t, false) {
		facts.Add(firstOnly("decided", i), d.ID+" "+ui.Safe(d.Title))
	}
	for i, b := range newBoardDocuments(t) {
		facts.Add(firstOnly("reviews", i), fmt.Sprintf("%s: %s, %s", ui.Safe(b.Board), b.Verdict, ui.Safe(b.Why)))
	}
	if err := facts.Write(e.Out); err != nil {
		return err
	}
	if len(t.Phases) > 0 {
		fmt.Fprintln(e.Out)
		if err := v.addPhases(e.page("  ")).Write(e.Out); err != nil {
			return err
		}
		e.sayUntrusted(t, waiting)
	}
	fmt.Fprintln(e.Out)
	for _, path := range shown.Files {
		fmt.Fprintf(e.Out, "  %s\n", ui.Safe(path))
	}
	return nil
}

// firstOnly is a label in front of the first of several lines.
func firstOnly(label string, i int) string {
	if i > 0 {
		return ""
	}
	return label
}
