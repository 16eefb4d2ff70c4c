//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// Size says whether f is a terminal, and how many columns and rows it has (0:
// unknown).
func Size(f *os.File) (columns, rows int, terminal bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0, false
	}
	return int(size.Col), int(size.Row), true
}
