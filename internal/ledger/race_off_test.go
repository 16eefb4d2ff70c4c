//go:build !race

package ledger

// raced: everything takes some times as long.
const raced = false
