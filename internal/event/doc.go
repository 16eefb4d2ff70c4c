// Package event records what happened: one line of JSON an event, appended to
// a journal by every hook and sealed into segments that somebody else stores.
// It knows the journal's directory and nothing else: no git, no tasks, no
// clock.
//
// Nothing leaves a process before it is redacted, cleaned and cut (Encode).
// Lines that are read are strangers': they are cleaned again, and what is no
// event is counted and passed over.
//
// Glossary
//
//	journal      the file that events are appended to, one at a time
//	seal         close the journal, hand its lines to be stored, remove it
//	segment      the lines of a journal as they are stored
//	correlation  8 hexadecimal digits that tie the sessions of a task together
//	execution    one run of a hook
//
// A journal that could not be stored stays beside the new one and is handed out again,
// first, by the next seal.
package event
