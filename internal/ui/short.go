package ui

import (
	"strconv"
	"strings"
)

// Short is a commit's id as people see it.
func Short(commit string) string { return commit[:min(7, len(commit))] }

// Words is a name of the records as people read it: in progress.
func Words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Plural is a number of things: 1 phase, 2 phases.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
