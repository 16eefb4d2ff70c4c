// Package refsync exchanges records with a git remote: fetch, settle, push,
// and again while others push meanwhile.
//
// It moves refs, and knows of a record only its name and its tips. What two tips
// of one record make together is decided by Records, which the use cases
// implement. It never reads a record, never prints, and waits for the network
// only outside the lock that all writers of a repository queue on.
//
// Glossary
//
//	remote     a configured remote of git, and the prefix that records have there
//	seen       what a remote had when it was last asked: the tracking ref
//	accept     a check of what a stranger sent, before anything is made of it
//	settle     the decision what a record's ref becomes here, and there
//	lease      a push says what it believes the remote has; it moves nothing else
//	round      one fetch, settle and push; the next one is for what moved meanwhile
package refsync
