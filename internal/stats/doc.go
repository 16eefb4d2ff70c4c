// Package stats sums up what events tell: time in each mode, calls of tools and
// how long they took, denials, sessions; by day and by task. It is fed one event
// after the other and knows no file, no git and no clock.
//
// Glossary
//
//	key    a day (UTC), a task and a session: the finest that is asked for
//	cell   what happened under a key
//	sum    cells, and the last event of each session, which the next is joined to
//	time   between two events of a session, in the mode that the first one told;
//	       longer than Pause and nobody was there
package stats
