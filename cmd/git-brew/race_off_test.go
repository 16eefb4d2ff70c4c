//go:build !race

package main

// raced: the race detector is in this binary.
const raced = false
