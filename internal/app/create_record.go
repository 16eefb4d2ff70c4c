package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// record makes the task: its creation, documents and phases, in one step, which
// is written, or tried by a dry run.
func (s *Tasks) record(ctx context.Context, step recordStep, p task.CreatePayload, r CreateRequest, prd prd,
	before task.ID,
) (made task.Task, ended []string, err error) {
	err = step(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		c := &change.Tx{Engine: s.Engine, Ledger: tx, ID: p.ID, Bare: true}
		if err := c.Do(ctx, change.Op(task.OpCreate, p)); err != nil {
			return err
		}
		for _, d := range r.documents() {
			if len(d.text) == 0 {
				continue
			}
			if err := c.SetDocument(ctx, d.name, d.text); err != nil {
				return err
			}
		}
		for _, title := range r.Phases {
			if err := c.Do(ctx, change.Op(task.OpPhaseAdd,
				task.PhaseAddPayload{Title: title, Kind: task.KindExecution})); err != nil {
				return err
			}
		}
		if err := s.addStories(ctx, c, prd); err != nil {
			return err
		}
		made = c.Task
		if !r.NoSwitch {
			note, err := s.Place.MeanHere(ctx, tx, made, before)
			if err != nil {
				return err
			}
			if ended = nil; note != "" {
				ended = []string{note}
			}
		}
		return s.Clone.TrustWhatIsSet(ctx, tx, s.trust.MadeHere(made.Phases, r.Plan))
	})
	return made, ended, err
}

// A recordStep writes what a function changes, or only tries it.
type recordStep func(context.Context, func(context.Context, *ledger.Tx) error) error

// checkTexts refuses a text that was given and is none.
func checkTexts(r CreateRequest) error {
	for _, d := range append(r.documents(), given{"PRD", r.PRD}) {
		if d.text == nil {
			continue
		}
		if err := task.CheckText(d.text); err != nil {
			return fmt.Errorf("the %s: %w", d.name, err)
		}
	}
	return nil
}

// knownType refuses what is probably a slip: records hold any word, since other
// programs have types of their own.
func knownType(typ string) error {
	if slices.Contains(task.Types, typ) {
		return nil
	}
	return clone.Invalid("one of "+strings.Join(task.Types, ", "), "%q is no type of task", typ)
}
