//go:build race

package fleet

// raced: everything takes some times as long.
const raced = true
