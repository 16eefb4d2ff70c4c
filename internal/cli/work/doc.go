// Package work has the commands about what is done for a task: its phases and their
// reviews, verification, documents, questions, decisions, remarks, reports, and the
// pipeline around its steps.
package work
