package worktree

import (
	"context"
	"path/filepath"

	"github.com/git-brew/git-brew/internal/task"
)

// Handed is the work tree that a run makes for a phase, by its id, of a repository that has its
// directory of git there: beside the main work tree, for tools pass over what lies inside of .git.
func Handed(commonDir string, id task.ID, phase string) string {
	main := commonDir
	if filepath.Base(main) == ".git" {
		main = filepath.Dir(main)
	}
	return filepath.Join(main+".trees", string(id), phase)
}

// ofRun is the task of this repository for whose run the caller works; "" for none.
func (s *Place) ofRun(ctx context.Context) task.ID {
	id := s.Clone.Caller.Task
	if id == "" || !s.Clone.Ledger.HasTask(ctx, string(id)) {
		return ""
	}
	return id
}

// IsHanded reports whether this is the work tree that a run handed to the caller: that works
// here without anybody's word.
func (s *Place) IsHanded(ctx context.Context) bool {
	c := s.Clone
	return s.ofRun(ctx) != "" && c.Repo.WorktreeID() != "" &&
		sameFile(c.Repo.WorkTree, Handed(c.Repo.CommonDir, c.Caller.Task, c.Caller.Phase))
}

// leaves says that a file lies in another work tree than the one that a run handed to the caller.
func (s *Place) leaves(file string) *Astray {
	c := s.Clone
	tree, other := Handed(c.Repo.CommonDir, c.Caller.Task, c.Caller.Phase), workTreeOf(file)
	if other == "" || below(file, tree) {
		return nil
	}
	return &Astray{
		What: "that is not this worker's work tree: " + other,
		Way:  "the run merges what is committed in " + tree,
	}
}
