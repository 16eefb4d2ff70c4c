// Package agent has the commands that an agent's client calls: hooks and the status line.
// They are on its way at every step, so they open no more than they need.
package agent
