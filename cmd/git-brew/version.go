package main

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// versionDocument is `version --json`.
type versionDocument struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func newVersionCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  between(0, 0),
		RunE:  func(*cobra.Command, []string) error { return printVersion(e) },
	}
}

func printVersion(e *env) error {
	v := buildVersion()
	c := &call{env: e}
	return c.print(answer{JSON: v, Records: record(v.Version, v.Commit, v.Go), Text: func() {
		c.line("git-brew version " + v.Version + " (" + v.detail() + ")")
	}})
}

// buildVersion is what the Go toolchain wrote into the binary.
func buildVersion() versionDocument {
	v := versionDocument{Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
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

// programID tells this build of the program from others, in one word: by its file, for
// builds of one version differ while somebody works on it. What the version says is
// read where there is no file.
func programID() string {
	if file := programFile(); file != "" {
		return file
	}
	v := buildVersion()
	return v.Version + "." + v.Commit
}

func (v versionDocument) detail() string {
	if len(v.Commit) < 7 {
		return v.Go
	}
	return v.Commit[:7] + ", " + v.Go
}
