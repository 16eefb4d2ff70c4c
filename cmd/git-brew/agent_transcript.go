package main

import (
	"context"

	"github.com/git-brew/git-brew/internal/hooks"
)

// HandTranscript hands a sub-agent its share of the session's transcript.
func (a *agent) HandTranscript(ctx context.Context, p hooks.Place, path, call string) (hooks.Handed, error) {
	s, err := a.at(p)
	if err != nil {
		return hooks.Handed{}, err
	}
	h, err := s.HandTranscript(ctx, path, call)
	return hooks.Handed{Files: h.Files, Cut: h.Cut}, err
}
