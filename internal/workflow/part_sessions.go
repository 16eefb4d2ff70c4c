package workflow

// Sessions keeps what agents' sessions are at: their mode, their view, their end.
type Sessions struct {
	claims  *Claims
	clone   *Clone
	code    *Code
	config  *Config
	engine  *Engine
	journal *Journal
	locks   *Locks
	place   *Place
	records *Records
}
