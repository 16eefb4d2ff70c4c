package steps

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
)

// CodePipeline: a pipeline does not hold together.
const CodePipeline task.Code = "pipeline"

// keyPipeline is where the shared configuration keeps a pipeline. It is a
// document and no setting: 'config' does not know it.
const keyPipeline = "pipeline"

func pipelineContent(text string) clone.Content {
	return clone.Content{Kind: clone.TrustPipeline, Key: keyPipeline, Text: []string{text}}
}

// sharedPipeline is the shared pipeline, as it stands, and what is to be
// trusted of it; "" where there is none. Where the shared configuration can't
// be read, there is none: that is told elsewhere.
func (s *Pipelines) sharedPipeline(ctx context.Context) (string, clone.Content, error) {
	values, err := s.Config.Shared(ctx)
	if _, ok := errors.AsType[*clone.RecordError](err); ok {
		return "", clone.Content{}, nil
	}
	if err != nil || len(values[keyPipeline]) == 0 {
		return "", clone.Content{}, err
	}
	text := values[keyPipeline][0]
	return text, pipelineContent(text), nil
}

// SetPipeline shares a pipeline with everybody: it must hold together, and what it
// requires must be here, else no step can be taken with it. A person who shares
// it trusts it by that. It gives what else was found in it.
func (s *Pipelines) SetPipeline(ctx context.Context, text []byte) ([]pipeline.Finding, error) {
	found, err := s.CheckPipeline(ctx, text)
	if err != nil {
		return found, err
	}
	if bad := pipeline.Errors(found); len(bad) > 0 {
		refused := &task.RefusedError{Code: CodePipeline, Msg: "the pipeline can't be used: " + bad[0].String() +
			andMore(bad), Hint: "'git brew pipeline check FILE' says all that is wrong"}
		for _, f := range bad {
			refused.Findings = append(refused.Findings, f.String())
		}
		return found, refused
	}
	if err := s.replacesPipeline(ctx, string(text)); err != nil {
		return found, err
	}
	c := pipelineContent(string(text))
	return found, s.Config.ChangeShared(ctx,
		ledger.Draft{Kind: config.OpSet, Payload: config.Payload{Key: keyPipeline, Values: c.Text}}, c)
}

// UnsetPipeline takes the shared pipeline back: the built-in one is in force
// again, where a work tree has none of its own. Whoever takes it back does not trust
// it any more by that, so that only others are told (see takenBack).
func (s *Pipelines) UnsetPipeline(ctx context.Context) error {
	if err := s.replacesPipeline(ctx, ""); err != nil {
		return err
	}
	text, c, err := s.sharedPipeline(ctx)
	if err != nil {
		return err
	}
	return s.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		if text != "" {
			err := s.Clone.DistrustIn(ctx, tx, c.Hash())
			if _, broken := errors.AsType[*clone.RecordError](err); err != nil && !broken {
				return err
			}
		}
		return s.Config.ChangeSharedIn(ctx, tx, ledger.Draft{Kind: config.OpUnset, Payload: config.Payload{Key: keyPipeline}})
	})
}

// PipelineTold is Pipeline, and whether that is so because one was taken back.
func (s *Pipelines) PipelineTold(ctx context.Context) (Pipeline, error) {
	p, err := s.Pipeline(ctx)
	if err == nil && p.From == FromDefault && p.Waiting == "" {
		p.TakenBack, err = s.takenBack(ctx)
	}
	return p, err
}

// takenBack is the hash of the pipeline that was shared last, where none is any
// more and this clone's person trusts it still: somebody else took it back. A record
// that can't be read tells nothing here.
func (s *Pipelines) takenBack(ctx context.Context) (string, error) {
	clone, err := s.Clone.State(ctx)
	if err != nil || len(clone.Trusted) == 0 {
		return "", err
	}
	tip, err := s.Clone.Ledger.Tip(ctx, ledger.ConfigRef)
	if err != nil || tip.IsZero() {
		return "", ctx.Err()
	}
	steps, err := s.Clone.Ledger.History(ctx, tip)
	if err != nil {
		return "", ctx.Err()
	}
	for _, step := range steps { // the latest first
		var p config.Payload
		if step.Op == nil || step.Op.Kind != config.OpSet || json.Unmarshal(step.Op.Payload, &p) != nil ||
			!strings.EqualFold(p.Key, keyPipeline) || len(p.Values) == 0 {
			continue
		}
		if hash := pipelineContent(p.Values[0]).Hash(); clone.Trusts(hash) {
			return hash, nil
		}
		return "", nil
	}
	return "", nil
}

// replacesPipeline refuses an agent that would put text in the shared pipeline's
// place, be it to take it back: what is required around steps would be gone, and
// in no branch would it show.
func (s *Pipelines) replacesPipeline(ctx context.Context, text string) error {
	if !s.Clone.Caller.Reached().Agent() {
		return nil
	}
	have, _, err := s.sharedPipeline(ctx)
	if err != nil || have == "" || have == text {
		return err
	}
	return s.Clone.Caller.ForPeople("replace the shared pipeline", "the user sets it")
}
