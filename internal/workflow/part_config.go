package workflow

// Config reads and sets the settings, and says which remote state is shared with.
type Config struct {
	settings *Settings // read on first use
	clone    *Clone
}
