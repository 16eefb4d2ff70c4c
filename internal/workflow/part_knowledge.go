package workflow

// Knowledge keeps what was learned, and the backlog.
type Knowledge struct {
	clone   *Clone
	config  *Config
	engine  *Engine
	journal *Journal
	records *Records
}
