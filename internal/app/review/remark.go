package review

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// RemarkRequest is what a reviewer found.
type RemarkRequest struct {
	On string // a document, or a phase
	// Reviewer is who found it; empty: the user.
	Reviewer string
	Severity task.Severity
	Text     string
	// Where is the place in a file, FILE or FILE:LINE; empty: none.
	Where string
}

// BoardResult is a board after a change.
type BoardResult struct {
	Task    task.Task
	Tally   rules.Tally
	Remarks []int // the numbers of those that the change was about
}

// AddRemark records what a reviewer found.
func (s *Reviews) AddRemark(ctx context.Context, id task.ID, r RemarkRequest) (BoardResult, error) {
	file, line, err := fileAt(r.Where)
	if err != nil {
		return BoardResult{}, err
	}
	who, err := s.reviewer(ctx, r.Reviewer)
	if err != nil {
		return BoardResult{}, err
	}
	text := s.Journal.WithoutSecrets("text", strings.TrimSpace(r.Text))
	return s.onBoard(ctx, id, func(ctx context.Context, c *change.Tx) (task.BoardName, []int, error) {
		on, err := task.ParseBoard(c.Task, r.On)
		if err != nil {
			return "", nil, err
		}
		err = c.Do(ctx, change.Op(task.OpRemarkAdd, task.RemarkAddPayload{
			On: on, Reviewer: who.Name, Voter: who.Voter, Severity: r.Severity, Text: text, File: file, Line: line,
			Seen: rules.SeenOn(c.Task, on),
		}))
		return on, []int{len(c.Task.Remarks)}, err
	})
}

// fileAt reads FILE:LINE; what follows the last colon is a line where it is a number.
func fileAt(where string) (file string, line int, err error) {
	at := strings.LastIndexByte(where, ':')
	line, err = strconv.Atoi(where[at+1:])
	switch {
	case at < 0 || errors.Is(err, strconv.ErrSyntax):
		return where, 0, nil
	case line < 1 || line > task.MaxLine:
		return "", 0, clone.Invalid("lines count from 1", "%.64q is no line of a file", where[at+1:])
	}
	return where[:at], line, nil
}

// VoteRequest is what is said about remarks, or about a whole board.
type VoteRequest struct {
	// About are remarks by their numbers, or one board.
	About    []string
	Reviewer string // empty: the user
	// Against: the remarks are not right, or, by the user's word, nothing is to be done.
	Against bool
	Reason  string
}

// Vote says that remarks are right, or not: a reviewer's vote, or the user's word. That
// a board is right says that nothing grave is left there, or that the user takes it as
// it is.
func (s *Reviews) Vote(ctx context.Context, id task.ID, r VoteRequest) (BoardResult, error) {
	who, err := s.reviewer(ctx, r.Reviewer)
	if err != nil {
		return BoardResult{}, err
	}
	reason := strings.TrimSpace(r.Reason)
	return s.onBoard(ctx, id, func(ctx context.Context, c *change.Tx) (task.BoardName, []int, error) {
		if len(r.About) == 1 && !r.Against {
			if on, ok := boardMeant(c.Task, r.About[0]); ok {
				return on, nil, c.Do(ctx, change.Op(task.OpBoardReady, task.BoardReadyPayload{
					On: on, Reviewer: who.Name, Voter: who.Voter, Seen: rules.SeenOn(c.Task, on), Reason: reason,
				}))
			}
		}
		return eachRemark(c, r.About, func(remark task.Remark) error {
			return c.Do(ctx, change.Op(task.OpRemarkVote, task.RemarkVotePayload{
				Remark: remark.UID, Reviewer: who.Name, Voter: who.Voter, Seen: rules.SeenOn(c.Task, remark.On), Against: r.Against,
				Reason: reason,
			}))
		})
	})
}

// boardMeant finds the board that somebody means where remarks can be meant, too:
// a number alone is a remark's.
func boardMeant(t task.Task, arg string) (task.BoardName, bool) {
	if _, _, err := t.FindRemark(arg); err == nil || task.IsNumber(strings.TrimPrefix(arg, "#")) {
		return "", false
	}
	on, err := task.ParseBoard(t, arg)
	return on, err == nil
}

// ResolveRemarks says that something was done about remarks.
func (s *Reviews) ResolveRemarks(ctx context.Context, id task.ID, about []string, reason string) (BoardResult, error) {
	reason = strings.TrimSpace(reason)
	return s.onBoard(ctx, id, func(ctx context.Context, c *change.Tx) (task.BoardName, []int, error) {
		return eachRemark(c, about, func(r task.Remark) error {
			return c.Do(ctx, change.Op(task.OpRemarkResolve, task.RemarkResolvePayload{Remark: r.UID, Reason: reason}))
		})
	})
}

// eachRemark does something to remarks that a person named; the board is that of
// the last one.
func eachRemark(c *change.Tx, args []string, does func(task.Remark) error) (on task.BoardName, about []int, err error) {
	for _, arg := range args {
		r, n, err := c.Task.FindRemark(arg)
		if err == nil {
			err = does(r)
		}
		if err != nil {
			return on, about, err
		}
		on, about = r.On, append(about, n)
	}
	return on, about, nil
}

// onBoard changes what was said on a board, and counts it.
func (s *Reviews) onBoard(ctx context.Context, id task.ID,
	decide func(ctx context.Context, c *change.Tx) (task.BoardName, []int, error),
) (BoardResult, error) {
	var on task.BoardName
	var about []int
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) (err error) {
		on, about, err = decide(ctx, c)
		return err
	})
	return BoardResult{Task: after, Tally: rules.TallyOf(after, on), Remarks: about}, err
}

// Tallies counts what was said on a board, or on all that somebody spoke on where
// on is empty.
func (s *Reviews) Tallies(ctx context.Context, id task.ID, on string) ([]rules.Tally, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil || on == "" {
		return rules.Tallies(t), err
	}
	board, err := task.ParseBoard(t, on)
	return []rules.Tally{rules.TallyOf(t, board)}, err
}

// Remark finds a remark, as its board sees it.
func (s *Reviews) Remark(ctx context.Context, id task.ID, arg string) (rules.TalliedRemark, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return rules.TalliedRemark{}, err
	}
	r, n, err := t.FindRemark(arg)
	if err != nil {
		return rules.TalliedRemark{}, err
	}
	all := rules.TallyOf(t, r.On).Remarks
	return all[slices.IndexFunc(all, func(o rules.TalliedRemark) bool { return o.N == n })], nil
}

// DecisionRequest is something that was decided.
type DecisionRequest struct {
	Title, Why string
	Rejected   []string // "ALTERNATIVE: why"
	Phase      string   // as people name it; empty: none
	// Supersedes is the decision whose place it takes; empty: none.
	Supersedes string
}

// AddDecision records a decision, in another's place where that is named.
func (s *Reviews) AddDecision(ctx context.Context, id task.ID, r DecisionRequest) (task.Task, task.Decision, error) {
	p := task.DecisionAddPayload{Title: strings.TrimSpace(r.Title), Why: strings.TrimSpace(r.Why)}
	for _, a := range r.Rejected {
		what, why, _ := strings.Cut(a, ": ")
		p.Rejected = append(p.Rejected, task.Alternative{What: strings.TrimSpace(what), Why: strings.TrimSpace(why)})
	}
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if r.Phase != "" {
			phase, err := c.Task.FindPhase(r.Phase)
			if err != nil {
				return err
			}
			p.Phase = phase.UID
		}
		if r.Supersedes != "" {
			old, err := c.Task.FindDecision(r.Supersedes)
			if err != nil {
				return err
			}
			p.Supersedes = old.UID
		}
		return c.Do(ctx, change.Op(task.OpDecisionAdd, p))
	})
	if err != nil {
		return after, task.Decision{}, err
	}
	return after, after.Decisions[len(after.Decisions)-1], nil
}

// RevokeDecision says that a decision holds no more, and that nothing takes its
// place.
func (s *Reviews) RevokeDecision(ctx context.Context, id task.ID, arg, reason string) (task.Task, task.Decision,
	error,
) {
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		d, err := c.Task.FindDecision(arg)
		if err != nil {
			return err
		}
		return c.Do(ctx, change.Op(task.OpDecisionRevoke,
			task.DecisionRevokePayload{Decision: d.UID, Reason: strings.TrimSpace(reason)}))
	})
	if err != nil {
		return after, task.Decision{}, err
	}
	d, err := after.FindDecision(arg)
	return after, d, err
}
