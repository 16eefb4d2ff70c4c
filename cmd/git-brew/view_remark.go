package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// boardDocument is a board in JSON.
type boardDocument struct {
	Board   string       `json:"board"`
	Verdict task.Verdict `json:"verdict"`
	Why     string       `json:"why"`
	// Changed: the document is another since somebody spoke about it.
	Changed bool   `json:"changed"`
	Command string `json:"command"` // what comes next; empty where it is READY
	Round   int    `json:"round"`
	Rounds  int    `json:"rounds"`
	// Seats is how many reviewers have to speak, Needs how many votes make a
	// remark count, ReadyNeeds how many have to say that it is ready.
	Seats      int                `json:"seats"`
	Needs      int                `json:"needs"`
	ReadyNeeds int                `json:"ready_needs"`
	Reviewers  []reviewerDocument `json:"reviewers"`
	// Waived: the user took it as it is, for this reason.
	Waived  *waiverDocument  `json:"waived"`
	Remarks []remarkDocument `json:"remarks"`
}

// newBoardDocuments are the boards that somebody spoke on.
func newBoardDocuments(t task.Task) []boardDocument {
	docs := []boardDocument{}
	for _, on := range task.Boards(t) {
		docs = append(docs, newBoardDocument(task.TallyOf(t, on)))
	}
	return docs
}

type reviewerDocument struct {
	Name  string `json:"name"`
	Ready bool   `json:"ready"`
	// Seat is the agent's whose vote it is, a session or a sub-agent of one; empty:
	// a person's.
	Seat task.Seat `json:"seat,omitempty"`
}

type waiverDocument struct {
	Reason string `json:"reason"`
	At     string `json:"at"`
}

// remarkDocument is a remark in JSON.
type remarkDocument struct {
	N        int            `json:"n"`
	Board    string         `json:"board"`
	Round    int            `json:"round"`
	Severity task.Severity  `json:"severity"`
	Text     string         `json:"text"`
	File     string         `json:"file"`
	Line     int            `json:"line"`
	At       string         `json:"at"`
	State    string         `json:"state"`  // open, resolved, rejected
	Ruling   task.Ruling    `json:"ruling"` // the user's: accepted, rejected, or empty
	Reason   string         `json:"reason"`
	Counts   bool           `json:"counts"`
	Blocks   bool           `json:"blocks"`
	Votes    []voteDocument `json:"votes"`
}

type voteDocument struct {
	Reviewer string    `json:"reviewer"`
	Seat     task.Seat `json:"seat,omitempty"`
	Confirms bool      `json:"confirms"`
	Reason   string    `json:"reason,omitempty"` // why not
}

func newBoardDocument(t task.Tally) boardDocument {
	doc := boardDocument{
		Board: t.Name, Verdict: t.Verdict, Why: t.Why, Changed: t.Changed, Command: t.Command, Round: t.Round, Rounds: task.MaxRounds,
		Seats: t.Seats, Needs: t.Needs, ReadyNeeds: t.ReadyNeeds, Reviewers: []reviewerDocument{}, Remarks: []remarkDocument{},
	}
	for _, v := range t.Voices {
		doc.Reviewers = append(doc.Reviewers, reviewerDocument{v.Reviewer, v.Ready, v.Seat})
	}
	if t.Waived != nil {
		doc.Waived = &waiverDocument{t.Waived.Reason, t.Waived.At}
	}
	for _, r := range t.Remarks {
		doc.Remarks = append(doc.Remarks, newRemarkDocument(t, r))
	}
	return doc
}

func newRemarkDocument(t task.Tally, r task.TalliedRemark) remarkDocument {
	doc := remarkDocument{
		N: r.N, Board: t.Name, Round: r.Round, Severity: r.Severity, Text: r.Text, File: r.File, Line: r.Line, At: r.At,
		State: remarkState(r), Ruling: r.Ruling, Reason: r.Reason, Counts: r.Counts, Blocks: r.Blocks, Votes: []voteDocument{},
	}
	for _, v := range r.Votes {
		doc.Votes = append(doc.Votes, voteDocument{v.Reviewer, v.Seat, v.Against == "", v.Against})
	}
	return doc
}

func remarkState(r task.TalliedRemark) string {
	switch {
	case r.Resolved:
		return "resolved"
	case r.Ruling == task.Rejected:
		return "rejected"
	}
	return "open"
}

func recordBoard(e *env, t task.Tally) error {
	return ui.Record(e.Out, t.Name, string(t.Verdict), strconv.Itoa(t.Round), strconv.Itoa(len(t.Voices)), strconv.Itoa(t.Seats), t.Why)
}

func recordRemark(e *env, t task.Tally, r task.TalliedRemark) error {
	return ui.Record(e.Out, strconv.Itoa(r.N), t.Name, string(r.Severity), remarkState(r), strconv.FormatBool(r.Counts),
		strings.Join(r.For(), ","), where(r), r.Text)
}

// where is the place that a remark is about, "" for none.
func where(r task.TalliedRemark) string {
	if r.Line == 0 {
		return r.File
	}
	return fmt.Sprintf("%s:%d", r.File, r.Line)
}

func (e *env) printTallies(ctx context.Context, s *workflow.Service, t task.Task, tallies []task.Tally) error {
	switch {
	case e.Flags.JSON:
		docs := []boardDocument{}
		for _, tally := range tallies {
			docs = append(docs, newBoardDocument(tally))
		}
		return ui.JSON(e.Out, struct {
			Task   task.ID         `json:"task"`
			Boards []boardDocument `json:"boards"`
		}{t.ID, docs})
	case e.Flags.Porcelain:
		for _, tally := range tallies {
			if err := recordBoard(e, tally); err != nil {
				return err
			}
		}
		return nil
	case len(tallies) == 0:
		e.hasNone(ctx, s, t.ID, "reviews", "git brew remark add BOARD TEXT --reviewer NAME")
		return nil
	}
	for i, tally := range tallies {
		if i > 0 {
			fmt.Fprintln(e.Out)
		}
		if err := e.printTally(ctx, s, tally); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) printTally(ctx context.Context, s *workflow.Service, t task.Tally) error {
	style := e.colours(s)
	verdict := style.Warn(string(t.Verdict))
	if t.Verdict == task.VerdictReady {
		verdict = style.Good(string(t.Verdict))
	}
	e.tell("%s  %s  round %d of %d\n", style.Bright(ui.Safe(t.Name)), verdict, t.Round, task.MaxRounds)
	facts := e.facts("  ")
	facts.Add("why", ui.Safe(t.Why))
	facts.Add("reviewers", ui.Safe(voices(t)))
	if err := facts.Write(e.Out); err != nil {
		return err
	}
	if err := e.remarkTable(style, t.Remarks).Write(e.Out); err != nil {
		return err
	}
	if t.Command != "" {
		e.next(ctx, s, "%s", ui.Safe(t.Command))
	}
	return nil
}

// voices says who spoke in the round, and who has not.
func voices(t task.Tally) string {
	var all []string
	for _, v := range t.Voices {
		name := v.Reviewer
		if v.Ready {
			name += " (ready)"
		}
		all = append(all, name)
	}
	if missing := t.Seats - len(t.Voices); missing > 0 {
		all = append(all, fmt.Sprintf("%d to come", missing))
	}
	return strings.Join(all, ", ")
}

// remarkTable is a line for each remark.
func (e *env) remarkTable(style ui.Style, remarks []task.TalliedRemark) *ui.Table {
	table := e.table("  ")
	table.Right, table.Leave, table.Give = map[int]bool{0: true}, []int{3}, []int{4}
	for _, r := range remarks {
		text := r.Text
		if at := where(r); at != "" {
			text = at + ": " + text
		}
		table.Add(style.Bright(strconv.Itoa(r.N)), string(r.Severity), remarkState(r), countsWords(r), ui.Safe(strings.Join(strings.Fields(text), " ")))
	}
	return table
}

// countsWords says whether a remark counts, and by whose word.
func countsWords(r task.TalliedRemark) string {
	votes := len(r.For())
	switch {
	case r.Ruling == task.Accepted:
		return "the user's"
	case r.Ruling == task.Rejected:
		return ""
	case r.Counts:
		return fmt.Sprintf("counts, %d", votes)
	}
	return fmt.Sprintf("%d alone", votes)
}

func (e *env) printRemarks(ctx context.Context, s *workflow.Service, id task.ID, tallies []task.Tally, open bool) error {
	docs := []remarkDocument{}
	var shown []task.TalliedRemark
	for _, t := range tallies {
		for _, r := range t.Remarks {
			if open && !r.Open() {
				continue
			}
			if e.Flags.Porcelain {
				if err := recordRemark(e, t, r); err != nil {
					return err
				}
				continue
			}
			docs, shown = append(docs, newRemarkDocument(t, r)), append(shown, r)
		}
	}
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, struct {
			Task    task.ID          `json:"task"`
			Remarks []remarkDocument `json:"remarks"`
		}{id, docs})
	case e.Flags.Porcelain:
		return nil
	case len(shown) == 0:
		e.hasNone(ctx, s, id, "remarks", "git brew remark add BOARD TEXT --reviewer NAME")
		return nil
	}
	slices.SortFunc(shown, func(a, b task.TalliedRemark) int { return a.N - b.N })
	return e.remarkTable(e.colours(s), shown).Write(e.Out)
}

func (e *env) printRemark(s *workflow.Service, id task.ID, t task.Tally, r task.TalliedRemark) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, struct {
			Task   task.ID        `json:"task"`
			Remark remarkDocument `json:"remark"`
		}{id, newRemarkDocument(t, r)})
	case e.Flags.Porcelain:
		return recordRemark(e, t, r)
	}
	style := e.colours(s)
	place := ""
	if at := where(r); at != "" {
		place = ", at " + ui.Safe(at)
	}
	e.tell("%s on %s, %s, %s%s\n", style.Bright(fmt.Sprintf("remark %d", r.N)), ui.Safe(t.Name), r.Severity, remarkState(r), place)
	e.tell("\n%s\n\n", ui.SafeLines(r.Text))
	facts := e.facts("  ")
	if r.Ruling != "" {
		facts.Add("the user", string(r.Ruling))
	}
	if r.Reason != "" {
		facts.Add("because", ui.Safe(r.Reason))
	}
	for _, v := range r.Votes {
		said := "confirms"
		if v.Against != "" {
			said = "rejects: " + v.Against
		}
		facts.Add(ui.Safe(v.Reviewer), ui.Safe(said))
	}
	return facts.Write(e.Out)
}
