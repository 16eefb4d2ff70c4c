package workflow

// Phases plans and moves the phases of a task.
type Phases struct {
	clone     *Clone
	code      *Code
	config    *Config
	documents *Documents
	engine    *Engine
	journal   *Journal
	knowledge *Knowledge
	place     *Place
	records   *Records
	reviews   *Reviews
	tasks     *Tasks
}
