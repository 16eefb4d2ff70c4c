// Package worker is what an agent's program says while it works on a phase: its client's
// own events, read line by line, and the signals in what the model wrote. It starts
// nothing and decides nothing.
package worker
