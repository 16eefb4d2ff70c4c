// Package stats sums up what events tell: time in each mode, calls of tools and
// how long they took, denials, sessions; by day and by task. It is fed one event
// after the other and knows no file, no git and no clock.
//
// Glossary
//
//	key    a day (UTC), a task and a session: the finest that is asked for
//	cell   what happened under a key
//	sum    cells, and how each session begins and ends, so that what comes later
//	       can be joined to it; a sum of a day that is over never changes, and is
//	       kept as lines
//	time   between two events of a session, in the mode that the first one told;
//	       longer than Pause and nobody was there
package stats
