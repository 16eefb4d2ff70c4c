// Package learn keeps what was learned, and the backlog.
package learn

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Knowledge keeps what was learned, of a task or, where its id is "", of the project, and the
// backlog.
type Knowledge struct {
	*change.Engine
}

// Learned is an entry that was remembered. Known: it was already.
type Learned struct {
	knowledge.Entry
	Known bool
}

// Learn remembers an entry, once. It never compacts: what is said goes in.
func (s *Knowledge) Learn(ctx context.Context, in task.ID, e knowledge.Entry) (Learned, error) {
	e, err := s.Entry(e)
	if err != nil {
		return Learned{Entry: e}, err
	}
	if e.ID, err = operation.NewID(s.Clone.Random); err != nil {
		return Learned{Entry: e}, err
	}
	learned := Learned{}
	err = s.changeKnowledge(ctx, in, func(have []knowledge.Entry) ([]ledger.Draft, error) {
		if learned.Entry, learned.Known = knowledge.Known(have, e); learned.Known {
			return nil, nil
		}
		learned.Entry = e
		return []ledger.Draft{AddDraft(e)}, nil
	})
	return learned, err
}

// Entry is what is asked to be remembered, of now, checked, secrets taken out.
func (s *Knowledge) Entry(e knowledge.Entry) (knowledge.Entry, error) {
	e.TS, e.Txt = s.now(), s.Journal.WithoutSecrets("text", e.Txt)
	return knowledge.Validate(e)
}

// now is the time to the nanosecond: of a burst of entries too, the newest wins.
func (s *Knowledge) now() string { return s.Clone.Now().UTC().Format(time.RFC3339Nano) }

// AddDraft is the operation that adds an entry, to a task or to the project.
func AddDraft(e knowledge.Entry) ledger.Draft {
	return ledger.Draft{
		ID: e.ID, Kind: knowledge.OpAdd,
		Payload: task.KnowledgeAddPayload{TS: e.TS, T: string(e.T), Txt: e.Txt, Src: e.Src, Paths: e.Paths},
	}
}

func removeDraft(ids []operation.ID, why string) ledger.Draft {
	return ledger.Draft{Kind: knowledge.OpRemove, Payload: knowledge.RemovePayload{IDs: ids, Reason: why}}
}

// changeKnowledge runs decide on the entries of a scope and makes the
// operations that it answers.
func (s *Knowledge) changeKnowledge(ctx context.Context, in task.ID,
	decide func([]knowledge.Entry) ([]ledger.Draft, error),
) error {
	if in == "" {
		return s.ChangeProject(ctx, func(p knowledge.State) ([]ledger.Draft, error) { return decide(p.Entries) })
	}
	_, err := s.Engine.Update(ctx, in, func(ctx context.Context, c *change.Tx) error {
		drafts, err := decide(c.Task.Knowledge)
		if err == nil {
			err = c.Do(ctx, drafts...)
		}
		return err
	})
	return err
}

// ChangeProject runs decide on the project's record.
func (s *Knowledge) ChangeProject(ctx context.Context, decide func(knowledge.State) ([]ledger.Draft, error)) error {
	return s.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return s.changeProjectIn(ctx, tx, decide)
	})
}

// changeProjectIn is ChangeProject as a part of a change of a task.
func (s *Knowledge) changeProjectIn(ctx context.Context, tx *ledger.Tx,
	decide func(knowledge.State) ([]ledger.Draft, error),
) error {
	tip, err := tx.Tip(ctx, ledger.KnowledgeRef)
	if err != nil {
		return err
	}
	p, err := ledger.Load(ctx, s.Clone.Ledger, records.ProjectLaw(), tip)
	if err != nil {
		return err
	}
	drafts, err := decide(p)
	if err != nil || len(drafts) == 0 {
		return err
	}
	_, err = ledger.Append(ctx, tx, records.ProjectLaw(), ledger.KnowledgeRef, p,
		ledger.Stamp{Session: s.Clone.Caller.Session}, drafts...)
	return err
}

// Project reads the project's whole record.
func (s *Knowledge) Project(ctx context.Context) (knowledge.State, error) {
	tip, err := s.Clone.Ledger.Tip(ctx, ledger.KnowledgeRef)
	if err != nil {
		return knowledge.State{}, err
	}
	return ledger.Load(ctx, s.Clone.Ledger, records.ProjectLaw(), tip)
}

// Knowledge returns the entries of a scope, the most valuable first.
func (s *Knowledge) Knowledge(ctx context.Context, in task.ID) ([]knowledge.Entry, error) {
	if in == "" {
		p, err := s.Project(ctx)
		return knowledge.Top(p.Entries, len(p.Entries)), err
	}
	t, err := s.Records.Task(ctx, in)
	return knowledge.Top(t.Knowledge, len(t.Knowledge)), err
}

// Digest is the block of knowledge that an agent is shown: the task's and the
// project's together, cut to the budget.
func (s *Knowledge) Digest(ctx context.Context, id task.ID, paths ...string) (string, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return "", err
	}
	var mine []knowledge.Entry
	if id != "" {
		b, _, err := s.Records.Brief(ctx, id)
		if err != nil {
			return "", err
		}
		mine = b.Top
	}
	all, err := s.Records.Project(ctx)
	return knowledge.Digest(knowledge.Merge(mine, all.Top), set.Count(config.KeyMaxTokens), paths...), err
}

// fittingEntries is how much of what is known a worker is told.
const fittingEntries = 5

// Fitting is Digest of the few entries of a task and of the project that fit a text best.
func (s *Knowledge) Fitting(ctx context.Context, t task.Task, text string) (string, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return "", err
	}
	all, err := s.Project(ctx)
	entries := knowledge.Fitting(slices.Concat(t.Knowledge, all.Entries), text, fittingEntries)
	return knowledge.Digest(entries, set.Count(config.KeyMaxTokens)), err
}

// Forget takes one entry out, by its id or a unique beginning of it.
func (s *Knowledge) Forget(ctx context.Context, in task.ID, arg string) (knowledge.Entry, error) {
	var gone knowledge.Entry
	err := s.changeKnowledge(ctx, in, func(entries []knowledge.Entry) (_ []ledger.Draft, err error) {
		id := func(e knowledge.Entry) operation.ID { return e.ID }
		if gone, err = named(entries, id, arg, "entries", "knowledge list"); err != nil {
			return nil, err
		}
		return []ledger.Draft{removeDraft([]operation.ID{gone.ID}, "removed by hand")}, nil
	})
	return gone, err
}

// ImportResult is what an import took in.
type ImportResult struct {
	Added    int
	Known    int // said already
	Rejected []string
}

// Import takes in entries of a JSONL file: ours, or Brewcode's. What is known
// already is passed over, so importing twice adds nothing. What has no time is of now.
func (s *Knowledge) Import(ctx context.Context, in task.ID, data []byte) (ImportResult, error) {
	entries, bad := knowledge.DecodeLines(data)
	var r ImportResult
	err := s.changeKnowledge(ctx, in, func(have []knowledge.Entry) ([]ledger.Draft, error) {
		r = ImportResult{}
		for _, line := range bad {
			r.Rejected = append(r.Rejected, line.Error())
		}
		known := map[string]bool{}
		for _, e := range have {
			known[knowledge.Normalize(e.Txt)] = true
		}
		var drafts []ledger.Draft
		for _, e := range entries {
			e.Txt = s.Journal.WithoutSecrets("text", e.Txt)
			good, err := knowledge.Validate(e)
			if err != nil {
				r.Rejected = append(r.Rejected, err.Error())
				continue
			}
			if known[knowledge.Normalize(good.Txt)] {
				r.Known++
				continue
			}
			known[knowledge.Normalize(good.Txt)] = true
			good.TS = cmp.Or(good.TS, s.now())
			if good.ID, err = operation.NewID(s.Clone.Random); err != nil {
				return nil, err
			}
			drafts = append(drafts, AddDraft(good))
		}
		r.Added = len(drafts)
		return drafts, nil
	})
	return r, err
}
