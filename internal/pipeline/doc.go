// Package pipeline is the schema of pipeline.json: which steps there are, which
// workflow each one follows, where a person is asked, and what runs around them.
//
// It reads and checks a document, gives the built-in one, finds the step that
// the routing table means, and puts the hooks around a step in their order. It
// opens no file and runs nothing: what is in the project it is told.
//
//   - A pipeline is a list of steps. "main" leads to the phases,
//     "phase-execution" is gone through for each of them.
//   - A workflow is a text that an agent follows: one of git brew's own, by its
//     bare name, or a file of the project, by a path with a slash.
//   - A hook is what is done before or after a step: a workflow, or a program
//     that git brew runs.
package pipeline
