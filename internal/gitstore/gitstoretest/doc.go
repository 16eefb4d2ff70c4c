// Package gitstoretest makes hermetic git repositories for tests: a home
// directory of their own, no system configuration, a fixed identity, the
// default branch "main". When a test ends, its repositories are checked:
// "git fsck --strict" finds nothing, and every ref resolves.
//
// By default nothing is synced to disk, for speed; Durable changes that.
package gitstoretest
