package cli

import (
	"fmt"
	"slices"
)

// Check refuses options that exclude each other.
func (f *GlobalFlags) Check() error {
	if f.JSON && f.Porcelain {
		return &UsageError{"--json and --porcelain exclude each other", "give one of them"}
	}
	if f.Color != "" && !slices.Contains([]string{"always", "never", "auto"}, f.Color) {
		return &UsageError{fmt.Sprintf("--color %q is unknown", f.Color), "give always, never or auto"}
	}
	return nil
}
