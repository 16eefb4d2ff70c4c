//go:build (!linux && !darwin) || unwatched

package main

import "github.com/git-brew/git-brew/internal/hooks"

// processOf looks nothing up: the environment alone tells. So it is, too, in the
// program that our own tests build (unwatched), which an agent may run.
func processOf(int) (hooks.Process, bool) { return hooks.Process{}, false }
