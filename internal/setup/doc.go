// Package setup plans what init and uninit change in a person's files, and
// carries a plan out: the repository's git configuration, the agent's settings,
// the list of files that git leaves alone, git's post-rewrite and pre-push
// hooks. A plan is made without touching anything, can be shown as a diff, and
// is applied file by file, each atomically; where one fails, those before it go
// back.
//
// It never follows a symbolic link out of the repository, never edits a hook
// that git tracks or that other repositories use, and never takes out what it
// did not put in.
//
// Glossary
//
//	plan      the changes of files, in order, and remarks on what was left alone
//	change    one file as it is and as it is to be; or one moved
//	manifest  what init made that the files themselves don't tell
//	ours      put there by git brew
package setup
