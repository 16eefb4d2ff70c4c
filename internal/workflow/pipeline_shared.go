package workflow

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
)

// CodePipeline: a pipeline does not hold together.
const CodePipeline task.Code = "pipeline"

// keyPipeline is where the shared configuration keeps a pipeline. It is a
// document and no setting: 'config' does not know it.
const keyPipeline = "pipeline"

func pipelineContent(text string) Content {
	return Content{Kind: TrustPipeline, Key: keyPipeline, Text: []string{text}}
}

// sharedPipeline is the shared pipeline, as it stands, and what is to be
// trusted of it; "" where there is none. Where the shared configuration can't
// be read, there is none: that is told elsewhere.
func (s *Service) sharedPipeline(ctx context.Context) (string, Content, error) {
	values, err := s.sharedConfig(ctx)
	var broken *RecordError
	if errors.As(err, &broken) {
		return "", Content{}, nil
	}
	if err != nil || len(values[keyPipeline]) == 0 {
		return "", Content{}, err
	}
	text := values[keyPipeline][0]
	return text, pipelineContent(text), nil
}

// SetPipeline shares a pipeline with everybody: it must hold together, and what it
// requires must be here, else no step can be taken with it. A person who shares
// it trusts it by that. It gives what else was found in it.
func (s *Service) SetPipeline(ctx context.Context, text []byte) ([]pipeline.Finding, error) {
	found, err := s.CheckPipeline(ctx, text)
	if err != nil {
		return found, err
	}
	if bad := pipeline.Errors(found); len(bad) > 0 {
		refused := &task.RefusedError{Code: CodePipeline, Msg: "the pipeline can't be used: " + bad[0].String() + andMore(bad), Hint: "'git brew pipeline check FILE' says all that is wrong"}
		for _, f := range bad {
			refused.Findings = append(refused.Findings, f.String())
		}
		return found, refused
	}
	if err := s.replacesPipeline(ctx, string(text)); err != nil {
		return found, err
	}
	c := pipelineContent(string(text))
	return found, s.changeShared(ctx, ledger.Draft{Kind: opConfigSet, Payload: configPayload{Key: keyPipeline, Values: c.Text}}, c)
}

// UnsetPipeline takes the shared pipeline back: the built-in one is in force
// again, where a work tree has none of its own.
func (s *Service) UnsetPipeline(ctx context.Context) error {
	if err := s.replacesPipeline(ctx, ""); err != nil {
		return err
	}
	return s.changeShared(ctx, ledger.Draft{Kind: opConfigUnset, Payload: configPayload{Key: keyPipeline}})
}

// replacesPipeline refuses an agent that would put text in the shared pipeline's
// place, be it to take it back: what is required around steps would be gone, and
// in no branch would it show.
func (s *Service) replacesPipeline(ctx context.Context, text string) error {
	if !s.caller.agent() {
		return nil
	}
	have, _, err := s.sharedPipeline(ctx)
	if err != nil || have == "" || have == text {
		return err
	}
	return refuse("the user sets it, in a terminal", "an agent can't replace the shared pipeline")
}
