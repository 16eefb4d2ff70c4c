// Command git-brew keeps the state of coding tasks in the repository's own
// object database, under refs/brew. `git brew X` and `git-brew X` are the same.
//
// This package is the roof: cobra, streams, environment, exit codes. A command
// is an adapter: it parses, builds a request, calls one method of package
// workflow, and prints. It never decides anything about a task.
//
// main.go starts run; run.go sends hooks and status lines straight to their
// handlers, everything else through cobra's tree (root.go). env.go holds what a
// command may touch of the outside world: only main.go and env.go know package
// os's streams, environment and clock. exit.go turns errors into exit codes.
// deps_test.go holds the rules of who may import whom.
package main
