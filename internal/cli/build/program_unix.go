//go:build unix

package build

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// runningFile is the file that runs, where the system tells it: also one that was
// replaced since.
const runningFile = "/proc/self/exe"

// programFile tells the program's file from others, in one word; "" where there is
// none. Its time alone does not: there are file systems, and stores of packages, that
// give each file the same one. What nobody sets is the file's number and when that
// was changed.
func programFile() string {
	path, _ := os.Executable() // without it: the file that runs
	var st unix.Stat_t
	if unix.Stat(runningFile, &st) != nil && (path == "" || unix.Stat(path, &st) != nil) {
		return ""
	}
	return fileWord(&st)
}

func fileWord(st *unix.Stat_t) string {
	word := make([]string, 0, 4)
	for _, n := range [...]uint64{uint64(st.Ino), uint64(st.Size), uint64(st.Mtim.Nano()), uint64(st.Ctim.Nano())} {
		word = append(word, strconv.FormatUint(n, 36))
	}
	return strings.Join(word, ".")
}
