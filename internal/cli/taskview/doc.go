// Package taskview is how a task looks to people, wherever several commands show it: its
// standing, its phases, its lock, the plan of a step, and the words that they share.
package taskview
