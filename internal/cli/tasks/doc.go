// Package tasks has the commands about a task as a whole: they make, list and end tasks,
// take and release their locks, go from one to another, and take a change back.
package tasks
