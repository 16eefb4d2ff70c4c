// Package look has the commands that only look: at a task, its history and its code, and
// at sessions, events and statistics.
package look
