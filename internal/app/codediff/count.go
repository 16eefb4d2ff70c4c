// Package codediff looks at the commits of a task: its range, diffs, what was rewritten,
// and what is handed over for review.
package codediff

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
)

// counts is the memo of what was counted, maxCounts how many it keeps: some for
// every task that is looked at.
const (
	counts    = "counts"
	maxCounts = 200
)

// Count counts the commits in a range of commits named by their ids. The answer
// can't change, so it is kept: git takes as long for it as a whole command of
// ours.
func (s *Code) Count(ctx context.Context, revs ...string) (int, error) {
	if len(revs) == 2 && revs[1] == "^"+revs[0] {
		return 0, nil
	}
	if s.Clone.Repo.Shallow() {
		return clone.CountIn(ctx, s.Clone.Repo, revs...)
	}
	span := strings.Join(revs, " ")
	kept := map[string]int{}
	piece, _ := s.Clone.Repo.Cache.GetPiece(counts, statcache.Watch{})
	_ = json.Unmarshal([]byte(piece), &kept) // it is only a cache
	if n, known := kept[span]; known {
		return n, nil
	}
	n, err := clone.CountIn(ctx, s.Clone.Repo, revs...)
	if err != nil {
		return 0, err
	}
	if kept == nil || len(kept) >= maxCounts {
		kept = map[string]int{}
	}
	kept[span] = n
	if data, err := json.Marshal(kept); err == nil {
		s.Clone.Repo.Cache.PutPiece(counts, statcache.Watch{}, data)
	}
	return n, nil
}

// Apart counts the commits that only the first of two has, and only the second.
func (s *Code) Apart(ctx context.Context, ours, theirs string) (ahead, behind int, err error) {
	if ahead, err = s.Count(ctx, ours, "^"+theirs); err != nil {
		return 0, 0, err
	}
	behind, err = s.Count(ctx, theirs, "^"+ours)
	return ahead, behind, err
}

// Code looks at the commits of a task: ranges, diffs, hand-over.
type Code struct {
	Clone   *clone.Clone
	Config  *config.Config
	Place   *worktree.Place
	Records *records.Records
}
