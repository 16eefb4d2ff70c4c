package learn

import (
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// AddBacklog notes something to do later, outside any task. What an open item says already is
// noted once; so is what agents say again that brought it up in the same task.
func (s *Knowledge) AddBacklog(ctx context.Context, text, src string, from task.ID) (knowledge.Item, error) {
	items, err := s.AddItems(ctx, []string{text}, src, from)
	if err != nil {
		return knowledge.Item{}, err
	}
	return items[0], nil
}

// AddItems is AddBacklog for several, all or none: the items as they stand there then.
func (s *Knowledge) AddItems(ctx context.Context, texts []string, src string, from task.ID) ([]knowledge.Item, error) {
	items := make([]knowledge.Item, 0, len(texts))
	for _, text := range texts {
		text = invisible.Line(s.Journal.WithoutSecrets("text", text))
		if text == "" || len(text) > knowledge.MaxText {
			return nil, clone.Invalid("shorten it, or say what is to be done",
				"an item of the backlog has 1 to %d bytes", knowledge.MaxText)
		}
		id, err := operation.NewID(s.Clone.Random)
		if err != nil {
			return nil, err
		}
		items = append(items, knowledge.Item{ID: id, TS: s.Clone.Timestamp(), Txt: text, Src: src, Task: string(from)})
	}
	err := s.ChangeProject(ctx, func(p knowledge.State) ([]ledger.Draft, error) {
		known := map[string]knowledge.Item{}
		for _, have := range slices.Backward(p.Backlog) {
			if have.Open() || src != "" && have.Src != "" && have.Task == string(from) {
				known[knowledge.Normalize(have.Txt)] = have
			}
		}
		var drafts []ledger.Draft
		for i, item := range items {
			if have, is := known[knowledge.Normalize(item.Txt)]; is {
				items[i] = have
				continue
			}
			known[knowledge.Normalize(item.Txt)] = item
			drafts = append(drafts, ledger.Draft{
				ID: item.ID, Kind: knowledge.OpBacklogAdd,
				Payload: knowledge.BacklogAddPayload{TS: item.TS, Txt: item.Txt, Src: item.Src, Task: item.Task},
			})
		}
		return drafts, nil
	})
	return items, err
}

// Backlog lists the items that are open; all of them where all is set.
func (s *Knowledge) Backlog(ctx context.Context, all bool) ([]knowledge.Item, error) {
	p, err := s.Project(ctx)
	return slices.DeleteFunc(slices.Clone(p.Backlog), func(i knowledge.Item) bool { return !all && !i.Open() }), err
}

// FindItem finds an item by its id, or a unique beginning of it.
func FindItem(items []knowledge.Item, arg string) (knowledge.Item, error) {
	return named(items, func(i knowledge.Item) operation.ID { return i.ID }, arg, "items", "backlog list")
}

// named is the one of some whose id begins with what was typed.
func named[T any](all []T, id func(T) operation.ID, arg, what, list string) (found T, _ error) {
	n := 0
	for _, v := range all {
		if len(arg) >= 4 && strings.HasPrefix(string(id(v)), strings.ToLower(arg)) {
			found, n = v, n+1
		}
	}
	if n != 1 {
		var none T
		return none, clone.NotFound("give at least 4 characters of an id, see 'git brew "+list+"'",
			"%d %s begin with %q", n, what, arg)
	}
	return found, nil
}

// DoneBacklog says that an item is done.
func (s *Knowledge) DoneBacklog(ctx context.Context, arg string) (knowledge.Item, error) {
	var item knowledge.Item
	err := s.ChangeProject(ctx, func(p knowledge.State) (_ []ledger.Draft, err error) {
		if item, err = FindItem(p.Backlog, arg); err != nil || item.Done {
			return nil, err
		}
		return []ledger.Draft{{Kind: knowledge.OpBacklogDone, Payload: knowledge.BacklogItemPayload{Item: item.ID}}}, nil
	})
	return item, err
}

// Promote says, as a part of a change of a task, that an item became one of its phases.
func (s *Knowledge) Promote(
	ctx context.Context, c *change.Tx, arg string, phase task.UID,
) (item knowledge.Item, err error) {
	err = s.changeProjectIn(ctx, c.Ledger, func(p knowledge.State) (_ []ledger.Draft, err error) {
		if item, err = OpenItem(p.Backlog, arg); err != nil {
			return nil, err
		}
		return []ledger.Draft{{
			Kind:    knowledge.OpBacklogPromote,
			Payload: knowledge.BacklogItemPayload{Item: item.ID, Task: string(c.ID), Phase: phase},
		}}, nil
	})
	return item, err
}

// OpenItem is FindItem of one that nobody has taken up.
func OpenItem(items []knowledge.Item, arg string) (knowledge.Item, error) {
	item, err := FindItem(items, arg)
	if err == nil && !item.Open() {
		err = clone.Refuse("see 'git brew backlog list --all'", "that item is done, or work of a task already")
	}
	return item, err
}

// Reopen opens the items, as a part of a change of a task, which had become phases that are
// in it no more.
func (s *Knowledge) Reopen(ctx context.Context, c *change.Tx, was task.Task) error {
	gone := func(uid task.UID) bool {
		_, had := was.Phase(uid)
		_, has := c.Task.Phase(uid)
		return had && !has
	}
	if !slices.ContainsFunc(was.Phases, func(p task.Phase) bool { return gone(p.UID) }) {
		return nil
	}
	return s.changeProjectIn(ctx, c.Ledger, func(p knowledge.State) (drafts []ledger.Draft, _ error) {
		for _, item := range p.Backlog {
			if gone(item.Phase) {
				drafts = append(drafts, ledger.Draft{
					Kind: knowledge.OpBacklogPromote, Payload: knowledge.BacklogItemPayload{Item: item.ID, Phase: item.Phase},
				})
			}
		}
		return drafts, nil
	})
}
