// Package terminal says whether a file is a terminal, and how wide it is.
package terminal
