// Package task is the domain: what a task is, which operations change it, and
// what they do. It is pure. It knows no git, no files, no clock, no streams.
//
// A Task is a fold: Apply(state, operation) -> state, total and deterministic.
// Transitions are literal tables (transition.go). What an operation does, one rule says
// (kinds.go): it refuses or changes the state. Apply leaves out what it refuses; Check
// shows the refusal, and asks besides what is owed where an operation is made.
//
// What comes next is package route's, texts made from states are package report's, the
// lock is package lease's.
//
// Glossary
//
//	task      a unit of work with its own branch and its own ref
//	phase     a step of a task; named by the operation that added it (UID),
//	          shown under an id that the fold gives (2, 2V, 2.1, FR)
//	status    where the task, or a phase, stands
//	stage     clarify, research, plan, execute, complete
//	document  a text of the task: spec, plan, context, a phase's plan
//	report    what an agent wrote about one iteration of a phase
//	question an open question: an unchecked box in context.md
package task
