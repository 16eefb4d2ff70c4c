// Package view makes the JSON documents that commands answer with: pure functions from what
// the application knows to values whose keys are a contract. What the domain
// or the application already says with tags of its own is its own document.
package view
