package workflow

// Archive puts ended tasks away and finds them again.
type Archive struct {
	clone   *Clone
	config  *Config
	locks   *Locks
	records *Records
}
