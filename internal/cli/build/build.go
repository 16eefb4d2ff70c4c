package build

import (
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// Version is `version --json`.
type Version struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// Current is what the Go toolchain wrote into the binary.
func Current() Version {
	v := Version{Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if made := info.Main.Version; made != "" && made != "(devel)" {
		v.Version = strings.TrimPrefix(made, "v")
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			v.Commit = setting.Value
		}
	}
	return v
}

// Program tells this build of the program from others, in one word: by its file, for
// builds of one version differ while somebody works on it. Its time alone does not: there
// are stores of packages that give each file the same one. What nobody sets is the file's
// number and when that was changed; where the system keeps neither, packages lie in places
// of their own. What the version says is read where there is no file, as after an update.
func Program() string {
	path, _ := os.Executable() // without it there is no file
	if word := wordOf(path); word != "" {
		return word
	}
	v := Current()
	return v.Version + "." + v.Commit
}

func wordOf(path string) string {
	file, err := gitfile.ReadStamp(path)
	if err != nil || !file.Exists() {
		return ""
	}
	where := fnv.New64a()
	_, _ = where.Write([]byte(path)) // never fails
	return fmt.Sprintf("%x.%x.%x.%x.%x", where.Sum64(), file.Inode, file.Size, file.Mtime, file.Ctime)
}

func (v Version) Detail() string {
	if len(v.Commit) < 7 {
		return v.Go
	}
	return v.Commit[:7] + ", " + v.Go
}
