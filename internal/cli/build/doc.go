// Package build says which build of the program this is: its version, and a word that
// tells it from other builds of that version.
package build
