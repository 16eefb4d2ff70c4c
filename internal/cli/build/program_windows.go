package build

import (
	"hash/fnv"
	"os"
	"strconv"
)

// programFile tells the program's file from others, in one word; "" where there is
// none. Where packages get one fixed time, they lie in places of their own.
func programFile() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	where := fnv.New64a()
	_, _ = where.Write([]byte(path)) // never fails
	return strconv.FormatInt(info.Size(), 36) + "." + strconv.FormatInt(info.ModTime().UnixNano(), 36) + "." +
		strconv.FormatUint(where.Sum64(), 36)
}
