// Package task is the domain: what a task is, which operations change it, and
// what they do. It is pure. It knows no git, no files, no clock, no streams.
//
// A Task is a fold: Apply(state, operation) -> state, total and deterministic.
// Transitions are literal tables (transition.go); an operation that no longer
// applies changes nothing. Whether an operation is allowed *now* is asked
// before it is made (Check); once it is in history, Apply decides alone.
//
// Glossary
//
//	task      a unit of work with its own branch and its own ref
//	phase     a step of a task; named by the operation that added it (UID),
//	          shown under an id that the fold gives (2, 2V, 2.1, FR)
//	status    where the task, or a phase, stands
//	stage     discussion, research, planning, execution, complete
//	document  a text of the task: spec, plan, context, a phase's plan
//	report    what an agent wrote about one iteration of a phase
//	lock      who may change what is guarded; fence, claim, lease
//	question an open question: an unchecked box in context.md
package task
