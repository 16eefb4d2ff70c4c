// Package lease is a task's lock: who holds it, under which fence, and for how long. A
// lock is a record of its own, and tells nothing of the task's state.
package lease
