package records

import "github.com/git-brew/git-brew/internal/app/clone"

// Records finds and reads the records of tasks, locks and the project.
type Records struct {
	Clone *clone.Clone
}
