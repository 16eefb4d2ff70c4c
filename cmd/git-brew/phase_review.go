package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

func (p *phaseCommand) review() *cobra.Command {
	return &cobra.Command{
		Use:   "review [<phase>]",
		Short: "show what a phase changed, and how that stands to its plan",
		Long: `Shows which files a phase changed since it was started, and how they stand to
its plan: as planned, changed and not planned, planned and not changed. The
verdict is given by 'git brew phase approve' or 'git brew phase reject'.

Porcelain has for each file phase, git's status, path, lines added and deleted,
match, deviation or missing, and impact and reason of what was said.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.showReview(cmd.Context(), first(args)) },
	}
}

func (p *phaseCommand) approve() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "approve [<phase>]",
		Short: "approve a phase in review, which completes it",
		Long: `Approves a phase in review, which completes it. It is not approved (5) while a
report that it owes is missing, its commands have not passed in this iteration
('git brew verify -h' says which run counts), a fix of it is open, its
verification phase decides, or the user has rejected it and nothing was done
since. Where HEAD has moved since its commands passed, it says so.`,
		Example: `  git brew phase approve 2 --deviation 'cache.go=low: faster tests'`,
		Args:    between(0, 1),
	}
	p.verdict(cmd, task.ReviewApproved, new(string))
	return cmd
}

func (p *phaseCommand) reject() *cobra.Command {
	var why string
	cmd := &cobra.Command{
		Use:     "reject [<phase>] -m <why>",
		Short:   "send a phase in review back, and say what has to change",
		Long:    `Sends a phase in review back. 'git brew phase revise' then adds a fix phase.`,
		Example: `  git brew phase reject 2 -m "a wrong password has to cost time"`,
		Args:    between(0, 1),
	}
	messageFlag(cmd, &why, "say `why` it needs changes")
	p.verdict(cmd, task.ReviewChanges, &why)
	return cmd
}

// verdict is what approve and reject share.
func (p *phaseCommand) verdict(cmd *cobra.Command, verdict task.Review, why *string) {
	var said []string
	cmd.Long += `

--deviation says how much it matters that a file, or a task of the plan, is not
as planned: WHAT is its path or title, IMPACT is low, medium or high. That is
shown from then on, and told by the final report.`
	cmd.Flags().StringArrayVar(&said, "deviation", nil, "`what` is not as planned: WHAT=IMPACT:WHY; repeatable")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		deviations := make([]task.Deviation, len(said))
		for i, of := range said {
			var err error
			if deviations[i], err = task.ParseDeviation(of); err != nil {
				return err
			}
		}
		return p.change(func(c *call) (workflow.PhaseResult, error) {
			return c.s.ReviewPhase(c.ctx, c.id, first(c.args), verdict, *why, deviations...)
		})(cmd, args)
	}
}

// reviewFileDocument is a file in `phase review --json`.
type reviewFileDocument struct {
	Path    string           `json:"path"`
	Status  string           `json:"status"` // git's letter, "" for what was only planned
	From    string           `json:"from,omitempty"`
	Added   int              `json:"added"` // lines; -1 where nobody counts them
	Deleted int              `json:"deleted"`
	Planned string           `json:"planned"` // creates, modifies, touches, or ""
	Verdict workflow.Verdict `json:"verdict"` // match, deviation, missing; "": nothing to compare with
	// Impact is what the last review said, and Reason why; "" for nothing.
	Impact task.Impact `json:"impact"`
	Reason string      `json:"reason"`
}

// reviewRangeDocument is what one phase changed.
type reviewRangeDocument struct {
	Phase     string                  `json:"phase"`
	From      string                  `json:"from"`
	To        string                  `json:"to"` // "" for the work tree
	Rewritten bool                    `json:"rewritten"`
	Services  []workflow.ServiceRange `json:"services,omitempty"`
	Missing   []string                `json:"missing_services,omitempty"`
	Plan      string                  `json:"plan"` // the document that planned it, or ""
	Added     int                     `json:"added"`
	Deleted   int                     `json:"deleted"`
	Files     []reviewFileDocument    `json:"files"`
	Tasks     []reviewTaskDocument    `json:"tasks"`
	// Refused is what the plan names as files, and nothing can be compared with.
	Refused []refusedPathDocument `json:"refused"`
}

// refusedPathDocument is a path of a plan that does not count.
type refusedPathDocument struct {
	Text string `json:"text"`
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// reviewTaskDocument is a task of a phase's plan.
type reviewTaskDocument struct {
	Title   string           `json:"title"`
	Verdict workflow.Verdict `json:"verdict"`
	Impact  task.Impact      `json:"impact"` // as of a file
	Reason  string           `json:"reason"`
}

// reviewDocument is `phase review --json`.
type reviewDocument struct {
	Task   task.ID               `json:"task"`
	Phase  view.Phase            `json:"phase"`
	Ranges []reviewRangeDocument `json:"ranges"`
	// Uncommitted are files beside what was handed over.
	Uncommitted []string `json:"uncommitted"`
}

func newReviewDocument(r workflow.PhaseReview) reviewDocument {
	doc := reviewDocument{Task: r.Task.ID, Phase: view.NewPhase(r.Task, r.Phase), Uncommitted: append([]string{}, r.Uncommitted...)}
	for _, span := range r.Ranges {
		of := reviewRangeDocument{
			Phase: span.Phase, From: span.From, To: span.To, Rewritten: span.Rewritten, Missing: span.Missing, Plan: span.Plan,
			Added: span.Added, Deleted: span.Deleted, Files: []reviewFileDocument{}, Tasks: []reviewTaskDocument{}, Refused: []refusedPathDocument{},
		}
		for _, r := range span.Refused {
			of.Refused = append(of.Refused, refusedPathDocument{r.Text, r.Line, r.Why})
		}
		for _, s := range span.Services {
			of.Services = append(of.Services, workflow.ServiceRange(s))
		}
		for _, f := range span.Files {
			said, _ := r.Deviation(f.Path)
			of.Files = append(of.Files, reviewFileDocument{f.Path, f.Status, f.From, f.Added, f.Deleted, f.Planned, f.Verdict, said.Impact, said.Reason})
		}
		for _, t := range span.Tasks {
			said, _ := r.Deviation(t.Title)
			of.Tasks = append(of.Tasks, reviewTaskDocument{t.Title, t.Verdict, said.Impact, said.Reason})
		}
		doc.Ranges = append(doc.Ranges, of)
	}
	return doc
}

func (p *phaseCommand) showReview(ctx context.Context, phase string) error {
	e := p.env
	s, id, ok, err := e.reading(ctx, p.task)
	if err != nil || !ok {
		return err
	}
	r, err := s.ReviewOf(ctx, id, phase)
	if err != nil {
		return err
	}
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, newReviewDocument(r))
	case e.Flags.Porcelain:
		return e.recordReview(r)
	}
	style := e.colours(s)
	for _, span := range r.Ranges {
		if err := e.printRange(style, r, span); err != nil {
			return err
		}
	}
	if len(r.Uncommitted) > 0 {
		e.say("  not committed, and no part of this: %s", ui.Safe(workflow.NameFiles(r.Uncommitted)))
	}
	if r.Phase.Status == task.PhaseInReview {
		e.next(ctx, s, "%s", e.afterReview(ctx, s, r))
	}
	return nil
}

// afterReview says what a review leads to: a verdict, if that is what comes next for
// the phase; else what comes before it.
func (e *env) afterReview(ctx context.Context, s *workflow.Service, r workflow.PhaseReview) string {
	doc := newChange(ctx, s, r.Task, r.Phase, nil)
	if approve := doc.Next.Command; strings.HasPrefix(approve, "git brew phase approve") && strings.HasSuffix(approve, " "+r.Phase.ID) {
		return ui.Safe(approve) + ", or git brew phase reject " + ui.Safe(r.Phase.ID) + " -m WHY"
	}
	return e.hint(route.Step(doc.Next))
}

func (e *env) printRange(style ui.Style, of workflow.PhaseReview, r workflow.ReviewRange) error {
	phase, _ := of.Task.FindPhase(r.Phase)
	changed := 0
	for _, f := range r.Files {
		if f.Status != "" {
			changed++
		}
	}
	since := ""
	if r.From != "" && len(r.Services) == 0 {
		since = " since " + ui.Short(r.From)
	}
	noun := "files"
	if changed == 1 {
		noun = "file"
	}
	words := "; " + r.Words()
	if r.Planned() { // else it fits into the line
		words = "\n  " + r.Words()
	}
	e.tell("%s: %d %s changed%s, +%d -%d%s\n", style.Bright("Phase "+ui.Safe(phase.ID)+" "+ui.Safe(phase.Title)), changed, noun, since, r.Added, r.Deleted, words)
	if r.Rewritten {
		e.say("  %s", rewrittenWords(r.DiffRange))
	}
	for _, path := range r.Missing {
		e.say("  not checked out here, and left out: %s", ui.Safe(path))
	}
	table := e.facts("  ")
	table.Right, table.Give = map[int]bool{2: true, 3: true}, []int{1}
	for _, f := range r.Files {
		path := ui.Safe(f.Path)
		if f.From != "" {
			path = ui.Safe(f.From) + " -> " + path
		}
		table.Add(statusLetter(f.Status), path, lines("+", f.Added), lines("-", f.Deleted), strings.TrimPrefix(verdictWords(style, f)+impactWords(style, of, f.Path), "; "))
	}
	if err := table.Write(e.Out); err != nil {
		return err
	}
	for _, t := range r.Tasks {
		if words := taskWords(t.Verdict); words != "" {
			e.tell("  %s: %s%s\n", ui.Safe(t.Title), words, impactWords(style, of, t.Title))
		}
	}
	for _, refused := range r.Refused {
		e.tell("  %s:%d: %q is no path that counts: %s\n", ui.Safe(r.Plan), refused.Line, ui.Safe(refused.Text), refused.Why)
	}
	return nil
}

// taskWords says of a planned task what is not as planned.
func taskWords(v workflow.Verdict) string {
	switch v {
	case workflow.VerdictMissing:
		return "nothing that it names was changed"
	case workflow.VerdictDeviation:
		return "only a part of what it names was changed"
	case workflow.VerdictMatch:
	}
	return ""
}

// impactWords say what a review said about something that is not as planned, behind
// what it is.
func impactWords(style ui.Style, r workflow.PhaseReview, what string) string {
	d, ok := r.Deviation(what)
	if !ok {
		return ""
	}
	words := string(d.Impact)
	switch d.Impact {
	case task.ImpactHigh:
		words = style.Bad(words)
	case task.ImpactMedium:
		words = style.Warn(words)
	case task.ImpactLow:
	}
	if d.Reason != "" {
		words += ", " + ui.Safe(d.Reason)
	}
	return "; " + words
}

func statusLetter(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// lines is a number of lines with its sign, "" for none.
func lines(sign string, n int) string {
	if n <= 0 {
		return ""
	}
	return sign + strconv.Itoa(n)
}

func verdictWords(style ui.Style, f workflow.ReviewFile) string {
	switch f.Verdict {
	case workflow.VerdictMatch:
		return style.Good("as planned")
	case workflow.VerdictDeviation:
		return style.Warn("not planned")
	case workflow.VerdictMissing:
		return style.Bad("planned, not changed")
	}
	return ""
}

// recordReview is the porcelain: phase, status, path, added, deleted, verdict,
// impact, why.
func (e *env) recordReview(r workflow.PhaseReview) error {
	for _, span := range r.Ranges {
		for _, f := range span.Files {
			said, _ := r.Deviation(f.Path)
			err := ui.Record(e.Out, span.Phase, f.Status, f.Path, strconv.Itoa(f.Added), strconv.Itoa(f.Deleted), string(f.Verdict), string(said.Impact), said.Reason)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
