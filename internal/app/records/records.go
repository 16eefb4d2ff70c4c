// Package records finds and reads the records of tasks, locks and the project: by id, by
// name, from an index, in the archive, at a time. It changes nothing.
package records

import "github.com/git-brew/git-brew/internal/app/clone"

// Records finds and reads the records of tasks, locks and the project.
type Records struct {
	Clone *clone.Clone
}
