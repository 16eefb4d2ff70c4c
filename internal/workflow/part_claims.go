package workflow

// Claims takes and gives back locks, at the arbiter where there is one.
type Claims struct {
	clone    *Clone
	config   *Config
	engine   *Engine
	exchange *Exchange
	locks    *Locks
	records  *Records
}
