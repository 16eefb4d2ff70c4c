package workflow

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
)

// whoSet is a content of the shared configuration with who set it last, as its
// history tells.
func (s *Service) whoSet(ctx context.Context, steps []ledger.Step, c Content) (TrustItem, error) {
	t := TrustItem{Content: c, Hash: c.Hash(), Where: []string{"shared settings"}}
	var latest *operation.Operation
	for _, step := range steps {
		var p configPayload
		if step.Op == nil || step.Op.Kind != opConfigSet || json.Unmarshal(step.Op.Payload, &p) != nil ||
			strings.ToLower(p.Key) != c.Key || !slices.Equal(p.Values, c.Text) || latest != nil && latest.Clock > step.Op.Clock {
			continue
		}
		latest = step.Op
		if err := s.wroteIt(ctx, &t, step); err != nil {
			return t, err
		}
	}
	return t, nil
}

// wroteIt fills in who made a step.
func (s *Service) wroteIt(ctx context.Context, t *TrustItem, step ledger.Step) error {
	c, err := s.repo.Commit(ctx, step.Commit)
	if err != nil {
		return err
	}
	t.Author, t.Commit, t.At = author(c.Author), step.Commit.String(), step.When.UTC().Format("2006-01-02T15:04:05Z")
	return nil
}
