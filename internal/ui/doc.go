// Package ui prints: times and durations for people, markers, tables that are
// aligned by what a terminal shows, colours, and the two forms for programs,
// JSON and porcelain. It is pure: it gets values and returns text. It loads
// nothing, decides nothing about a task, and knows no clock and no terminal;
// the caller passes in the time, the width, and whether to colour.
//
// Glossary
//
//	style      how text is emphasised; without colour it is the identity
//	safe       text in which no control character is left
//	width      how many columns a terminal needs for a text
//	record     a line of porcelain: fields parted by tabs
//	document   one JSON object with the version of its schema
package ui
