// Package knowledge is what was learned: entries worth remembering, the
// backlog beside them, and what is done with both. It is pure. It knows no
// git, no files, no clock, no streams.
//
// Entries live in a task's state or in the project's record (State). Both are
// folds: an entry is named by the operation that added it, so two machines
// never mean different entries by one name, and a removal names what it
// removes. Whether a text is worth keeping is asked before it is recorded
// (Validate); once it is in history, Apply looks at its form alone.
//
// Glossary
//
//	entry     one remembered sentence, with its kind, time and source
//	kind      avoid, practice or fact, in the order of their value
//	hand-off  a fact that marks a compaction of the agent's context; it is
//	          kept beside knowledge and never counted as such
//	rank      by kind, then newest first, then by id; total
//	digest    the few entries that stand in front of a prompt
//	rules     Markdown tables under .claude/rules that entries are moved to
//	backlog   what was noticed and is somebody's work later
//	record    the project's knowledge and backlog: refs/brew/knowledge
package knowledge
