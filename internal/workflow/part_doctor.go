package workflow

// Doctor checks what is recorded here, and mends it.
type Doctor struct {
	claims   *Claims
	clone    *Clone
	config   *Config
	exchange *Exchange
	journal  *Journal
	locks    *Locks
	place    *Place
	records  *Records
	trust    *Trust
}
