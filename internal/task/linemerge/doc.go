// Package linemerge compares texts line by line, and merges two that were made from one.
// What it comes to depends on the texts alone: every clone merges the same.
package linemerge
