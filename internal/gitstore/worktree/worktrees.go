package worktree

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// WorkTreeInfo is one work tree of the repository.
type WorkTreeInfo struct {
	Path     string
	HEAD     plumbing.OID // zero: bare, or no commit yet
	Branch   string       // short; "" when bare or detached
	Bare     bool
	Detached bool
	Locked   bool
	Prunable bool // its directory is gone
}

// List lists the work trees, the main one first.
func (r *Tree) List(ctx context.Context) ([]WorkTreeInfo, error) {
	end := "\x00"
	out, err := r.at.Git.Run(ctx, "worktree", "list", "--porcelain", "-z")
	if gitcmd.ExitCode(err) == 129 { // older than 2.36
		end = "\n"
		out, err = r.at.Git.Run(ctx, "worktree", "list", "--porcelain")
	}
	if err != nil {
		return nil, fmt.Errorf("list work trees: %w", err)
	}
	var trees []WorkTreeInfo
	for record := range strings.SplitSeq(string(out), end+end) {
		if strings.Trim(record, end) == "" {
			continue
		}
		tree, err := parseWorkTree(strings.Split(strings.Trim(record, end), end))
		if err != nil {
			return nil, fmt.Errorf("list work trees: %w", err)
		}
		trees = append(trees, tree)
	}
	return trees, nil
}

func parseWorkTree(lines []string) (WorkTreeInfo, error) {
	var tree WorkTreeInfo
	for _, line := range lines {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "worktree":
			tree.Path = value
		case "HEAD":
			id, err := plumbing.ParseOID(value)
			if err != nil {
				return WorkTreeInfo{}, err
			}
			tree.HEAD = id
		case "branch":
			tree.Branch = plumbing.RefName(value).Branch()
		case "bare":
			tree.Bare = true
		case "detached":
			tree.Detached = true
		case "locked":
			tree.Locked = true
		case "prunable":
			tree.Prunable = true
		}
	}
	if tree.Path == "" {
		return WorkTreeInfo{}, errors.New("git worktree list: a record without a path")
	}
	return tree, nil
}
