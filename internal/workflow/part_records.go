package workflow

// Records finds and reads the records of tasks, locks and the project.
type Records struct {
	clone *Clone
}
