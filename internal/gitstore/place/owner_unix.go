//go:build unix

package place

import (
	"os"
	"strconv"
	"syscall"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
)

// ownedByCaller has git's own test: root also owns what belongs to the person
// that sudo made root.
func ownedByCaller(path string, env gitcmd.Environ) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	caller := os.Geteuid()
	if int(stat.Uid) == caller {
		return true
	}
	if caller != 0 {
		return false
	}
	person, err := strconv.Atoi(env.Get("SUDO_UID"))
	return err == nil && int(stat.Uid) == person
}
