// Package gitstore is a git repository as an object store and a ref store.
// It knows git and nothing of what is kept there.
//
// A Repo is made of parts, a package each: Place (where it is), Git (processes),
// Config, Objects, Refs, History, Branches, Tree, Remote and Cache.
//
// What is acknowledged is durable: files and directories are synced before a
// ref moves, and the ref before the call returns. A process that is killed at
// any point leaves the old state or the new one.
//
// Glossary
//
//	oid         object id; the zero OID is "absent"
//	git dir     private to a work tree; common dir: shared by all of them
//	update      compare-and-swap of a ref: old and new value always given
//	loose       in a file of its own; packed: in a pack, or in packed-refs
//	stamp       stat data of a file, to tell whether a cache may be believed
//	settled     older than the clock's grain, so that a stamp can be trusted
//
// It never opens a pack, never writes a ref through go-git, never links
// go-git's root package, never goes to the network by itself, and never starts
// a shell.
package gitstore
