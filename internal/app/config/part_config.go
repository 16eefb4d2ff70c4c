package config

import "github.com/git-brew/git-brew/internal/app/clone"

// Config reads and sets the settings, and says which remote state is shared with.
type Config struct {
	settings *Settings // read on first use
	Clone    *clone.Clone
}
