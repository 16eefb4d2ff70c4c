// Command git-brew keeps the state of coding tasks in the repository's own
// object database, under refs/brew. `git brew X` and `git-brew X` are the same.
//
// This package is the roof: the tree of all commands, help, completion, and the
// system as it is. The commands are below internal/cli, a package for each group.
//
// main.go sends hooks and status lines straight to their handlers, everything
// else through cobra's tree (root.go). env.go makes the
// cli.Env that a command may touch of the outside world: only main.go and env.go
// know package os's streams, environment and clock. deps_test.go holds the rules
// of who may import whom.
package main
