// Package route says what comes next in a task: for the task as a whole, for who works
// on one of its phases, for who takes one. It reads a state and changes none.
//
// The routing table (table.go) is the one place where that is decided; the first row
// that fits wins. Who is asked to take a step, and in which words, is derived from its
// row (Step.For).
package route
