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
//	generation   a journal that was closed; its number is the time of its first
//	             event in nanoseconds, or later, and never comes twice
//	seal         close the journal, hand its lines to be stored, remove it
//	segment      a generation as it is stored, under a name made of its number:
//	             storing one twice stores it once
//	correlation  8 hexadecimal digits that tie the sessions of a task together
//	execution    one run of a hook
//
// A generation that could not be stored stays beside the journal and is handed
// out again, first, by the next seal.
package event
