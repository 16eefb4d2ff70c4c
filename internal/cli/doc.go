// Package cli is what all commands share: what a command may touch of the outside world
// (Env), the frame in which one runs and answers (Call, Answer), the table of errors and
// exit codes (exit.go), options that several take, and what is said around an answer: hints,
// notes, progress.
//
// The commands are below it, a package for each group. A command is an adapter: it parses,
// builds a request, calls one method of a use case, and prints. It never decides anything
// about a task. The groups don't know of each other; what several print of a task is in
// package taskview.
package cli
