// Package workflow holds the use cases: the only place where a task changes.
// Commands and hooks call the same methods, so a task started by a hook and
// one started by hand cannot differ.
//
// Every change is: take the writers' lock, read, decide by the domain's rules
// (packages task and knowledge), stage operations, move all refs at once. A
// method takes a request, returns a result, and prints nothing. Records under
// refs/brew are reached through package ledger only; the user's own repository
// (HEAD, branches, diffs) through gitstore.
//
// Glossary
//
//	here      the task of this work tree (see Service.Here)
//	caller    who asks: a person, or an agent's session
//	view      everything that a status or a hook looks at, read from snapshots
//	clone     this copy of the repository on this machine
package app
