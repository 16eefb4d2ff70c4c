// Package runner runs other people's programs: commands that verify a phase,
// executables around a step. A program gets its words as they are, never a
// shell that reads them; a process group of its own without a terminal, so that
// nothing it started outlives it; a time limit; and a pipe that keeps as much of
// what it says as somebody will read.
//
// It knows nothing of tasks, and decides nothing: whether a program may be run,
// in which directory and environment, is the caller's business.
package runner
