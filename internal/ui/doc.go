// Package ui prints: times and durations for people, markers, tables that are
// aligned by what a terminal shows, colours, and the two forms for programs,
// JSON and porcelain. It is pure: it gets values and returns text. It loads
// nothing, decides nothing about a task, and knows no clock and no terminal;
// the caller passes in the time, the width, and whether to colour.
package ui
