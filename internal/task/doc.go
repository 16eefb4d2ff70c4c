// Package task is the domain: what a task is, how its state is written and read, what
// stands where in it, and what operations carry, within which bounds. It is pure. It
// knows no git, no files, no clock, no streams.
//
// What operations do to a state, and when they may, is package rules'.
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
