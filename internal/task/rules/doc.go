// Package rules says what may be done to a task, and what the task becomes by it. It is
// pure, as package task is, whose states it reads and makes.
//
// A Task is a fold: Apply(state, operation) -> state, total and deterministic.
// Transitions are literal tables (table.go). What an operation does, one rule says
// (kinds.go): it refuses or changes the state. Apply leaves out what it refuses; Check
// shows the refusal, and asks besides what is owed where an operation is made.
package rules
