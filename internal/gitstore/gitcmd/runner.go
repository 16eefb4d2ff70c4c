// Package gitcmd runs git processes: it is the one place where one is described.
package gitcmd

// Runner runs git for one repository.
type Runner struct {
	Dir string // absolute; where git is run
	Env Environ
	// NoLazyFetch keeps git from fetching the missing objects of a partial clone.
	NoLazyFetch bool
}
