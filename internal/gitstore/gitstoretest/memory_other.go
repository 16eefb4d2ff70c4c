//go:build !linux

package gitstoretest

// InMemory does nothing here: there is no such place.
func InMemory() {}
