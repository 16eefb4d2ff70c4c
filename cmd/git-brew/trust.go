package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

func newTrustCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "look at what others set that runs something, and allow it",
		Long: `What others wrote is data until you trust it: shared settings that loosen
something or are said to an agent, commands that verify a phase, the constraints
for agents in a task's plan, and what is around the steps of the pipeline:
programs, texts that agents follow, the shared pipeline. Each is known by a hash
of its content; what is changed waits again. What you set yourself is trusted by
that, but for files: who wrote one nobody can tell. An agent can't trust
anything.`,
	}
	cmd.AddCommand(newTrustListCmd(e), newTrustAddCmd(e), newTrustRmCmd(e))
	return cmd
}

// trustDocument is `trust --json`.
type trustDocument struct {
	Items []workflow.TrustItem `json:"items"`
	Undo  string               `json:"undo,omitzero"` // as in view.Change
}

func newTrustListCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "list what waits for your trust, and what has it",
		Long: `Lists what is used here on trust, each with its text, who wrote it as git has
it, and where it stands; 'trust add --all' takes no more than what this showed
whole: a long text is cut, and is trusted by its hash.
Porcelain has hash, waiting or trusted, the kind (setting, command, hook,
workflow, pipeline, constraints), key, author, and the texts.`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			items, err := service.TrustList(cmd.Context())
			if err != nil {
				return err
			}
			if len(items) == 0 && !e.Flags.JSON && !e.Flags.Porcelain {
				e.say("Nothing here needs your trust.")
				return nil
			}
			shown, err := e.printTrust(cmd.Context(), service, items)
			if err == nil {
				service.NoteTrustSeen(shown)
			}
			return err
		},
	}
}

func newTrustAddCmd(e *env) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "add <hash>... | --all",
		Short: "trust what you have looked at",
		RunE: func(cmd *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return usageOf(cmd, "trust what?")
			}
			service, err := e.service()
			if err != nil {
				return err
			}
			if all {
				return e.trustSeen(cmd.Context(), service)
			}
			items, err := service.Trust(cmd.Context(), args)
			if err != nil {
				return err
			}
			return e.sayTrust(cmd.Context(), service, items)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "what waits, and the last 'trust list' showed whole")
	dryRunFlag(e, "only say what would be trusted", cmd)
	return cmd
}

// trustSeen trusts what was shown, and names what was not.
func (e *env) trustSeen(ctx context.Context, service *workflow.Service) error {
	items, unseen, err := service.TrustSeen(ctx)
	if err != nil {
		return err
	}
	if len(items) == 0 && !e.Flags.JSON && !e.Flags.Porcelain {
		e.say("Nothing waits for your trust.")
		return nil
	}
	if err := e.sayTrust(ctx, service, items); err != nil || len(unseen) == 0 {
		return err
	}
	var hashes []string
	for _, t := range unseen {
		hashes = append(hashes, workflow.ShortTrust(t.Hash))
	}
	e.say("not trusted, since the last 'git brew trust list' did not show it, or not whole: %s", strings.Join(hashes, ", "))
	e.say("  'git brew trust add HASH' takes one")
	return nil
}

func newTrustRmCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rm <hash>...",
		Short: "take trust back",
		Args:  between(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			items, err := service.Distrust(cmd.Context(), args)
			if err != nil {
				return err
			}
			return e.sayTrust(cmd.Context(), service, items)
		},
	}
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
}

// sayTrust says what became of contents.
func (e *env) sayTrust(ctx context.Context, service *workflow.Service, items []workflow.TrustItem) error {
	if e.Flags.Quiet && !e.Flags.JSON && !e.Flags.Porcelain {
		return nil
	}
	_, err := e.printTrust(ctx, service, items)
	return err
}

// printTrust prints contents, and gives those that it printed whole.
func (e *env) printTrust(ctx context.Context, service *workflow.Service, items []workflow.TrustItem) (shown []workflow.TrustItem, err error) {
	for i := range items {
		items[i].Where = view.List(items[i].Where)
	}
	if e.Flags.JSON {
		return items, ui.JSON(e.Out, trustDocument{view.List(items), e.undoneBy(ctx)})
	}
	style := e.colours(service)
	for i, t := range items {
		if e.Flags.Porcelain {
			record := append([]string{t.Hash, trustWord(t), string(t.Kind), t.Key, t.Author}, t.Text...)
			if err := ui.Record(e.Out, record...); err != nil {
				return shown, err
			}
			shown = append(shown, t)
			continue
		}
		if i > 0 {
			fmt.Fprintln(e.Out)
		}
		if e.describeTrust(style, t) {
			shown = append(shown, t)
		}
	}
	return shown, nil
}

func trustWord(t workflow.TrustItem) string {
	if t.Trusted {
		return "trusted"
	}
	return "waiting"
}

// How much of a text is printed, in bytes and in lines: what a person can be
// expected to read. What is left out is said.
const (
	maxTrustText  = 2000
	maxTrustLines = 60
)

// describeTrust prints a content; whole: all of it.
func (e *env) describeTrust(style ui.Style, t workflow.TrustItem) (whole bool) {
	what, indent := string(t.Kind), "  "
	switch row, err := workflow.LookupSetting(t.Key); {
	case t.Kind == workflow.TrustSetting && err == nil:
		what += " " + string(row.Key)
	case t.Kind == workflow.TrustHook, t.Kind == workflow.TrustWorkflow:
		what += " " + ui.Safe(t.Key)
	}
	word := style.Good(trustWord(t))
	if !t.Trusted {
		word = style.Warn(trustWord(t))
	}
	fmt.Fprintf(e.Out, "%s  %s, %s\n", style.Bright(workflow.ShortTrust(t.Hash)), what, word)
	left := maxTrustText
	whole = true
	for i, text := range t.Text {
		safe := ui.Safe(text)
		if len(safe) <= left && i < maxTrustLines {
			left -= len(safe)
			fmt.Fprintf(e.Out, "%s  %s\n", indent, safe)
			continue
		}
		whole = false
		if i == maxTrustLines {
			left = 0
		}
		if begins := strings.ToValidUTF8(safe[:min(left, len(safe))], ""); begins != "" {
			fmt.Fprintf(e.Out, "%s  %s\n", indent, ui.Safe(begins))
		}
		more := len(strings.Join(t.Text[i:], "\n")) - min(left, len(text))
		e.tell("%s%s\n", indent, style.Warn(strconv.Itoa(more)+" bytes more are not shown here; 'git brew trust list --json' has all, 'git brew trust add "+workflow.ShortTrust(t.Hash)+"' trusts it"))
		break
	}
	e.tell("%s%s\n", indent, style.Dim(e.trustOrigin(t)))
	return whole
}

// trustOrigin tells who wrote it, and where it stands.
func (e *env) trustOrigin(t workflow.TrustItem) string {
	const shown = 3
	parts := []string{"author unknown"}
	if t.Author != "" {
		parts[0] = "by " + ui.Safe(t.Author)
	}
	if at, err := time.Parse(time.RFC3339, t.At); err == nil {
		parts[0] += ", " + ui.Ago(at, e.Now())
	}
	if t.Commit != "" {
		parts[0] += ", " + ui.Short(t.Commit)
	}
	switch n := len(t.Where); {
	case n == 0:
		parts = append(parts, "not used any more")
	case n > shown:
		parts = append(parts, fmt.Sprintf("in %s and %d more", ui.Safe(strings.Join(t.Where[:shown], "; ")), n-shown))
	default:
		parts = append(parts, "in "+ui.Safe(strings.Join(t.Where, "; ")))
	}
	if t.By != "" && t.Trusted {
		parts = append(parts, "trusted by "+ui.Safe(t.By))
	}
	return strings.Join(parts, "; ")
}
