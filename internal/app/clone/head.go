package clone

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Head is the work tree's HEAD, "" in a repository without commits.
func (s *Clone) Head(ctx context.Context) (string, error) {
	h, err := s.Repo.Refs.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return "", err
	}
	if h.OID.IsZero() {
		return "", nil
	}
	return h.OID.String(), nil
}

func HeadBranch(h gitstore.Head) string {
	if h.Branch == "" {
		return h.Rebasing
	}
	return h.Branch
}

// CountIn counts the commits in a range of a repository.
func CountIn(ctx context.Context, repo *gitstore.Repo, revs ...string) (int, error) {
	out, err := repo.Git.Run(ctx, append([]string{"rev-list", "--count"}, append(revs, "--")...)...)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(string(bytes.TrimSpace(out)))
	if err != nil {
		return 0, fmt.Errorf("git rev-list: %w", err)
	}
	return n, nil
}
