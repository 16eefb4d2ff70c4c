package workflow

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// head is the work tree's HEAD, "" in a repository without commits.
func (s *Service) head(ctx context.Context) (string, error) {
	h, err := s.repo.Refs.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return "", err
	}
	if h.OID.IsZero() {
		return "", nil
	}
	return h.OID.String(), nil
}

func headBranch(h gitstore.Head) string {
	if h.Branch == "" {
		return h.Rebasing
	}
	return h.Branch
}
