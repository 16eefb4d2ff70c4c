package build

import (
	"runtime"
	"runtime/debug"
	"strings"
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
// builds of one version differ while somebody works on it. What the version says is
// read where there is no file.
func Program() string {
	if file := programFile(); file != "" {
		return file
	}
	v := Current()
	return v.Version + "." + v.Commit
}

func (v Version) Detail() string {
	if len(v.Commit) < 7 {
		return v.Go
	}
	return v.Commit[:7] + ", " + v.Go
}
