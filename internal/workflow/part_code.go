package workflow

// Code looks at the commits of a task: ranges, diffs, hand-over.
type Code struct {
	clone   *Clone
	config  *Config
	place   *Place
	records *Records
}
