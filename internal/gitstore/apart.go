package gitstore

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// StartApart starts a program on this repository that outlives this process, its
// terminal and a linked work tree: in a session of its own, without streams, in
// the directory that the repository's own paths begin at. Its git asks nobody, as
// Silent's. Variables are added to its environment, each as "NAME=value". It
// waits for nothing.
func (r *Repo) StartApart(ctx context.Context, program string, args []string, variables ...string) error {
	env := environ(WithoutPlace(r.env, func(name string) bool { return name == "GIT_EDITOR" }))
	cmd := exec.Command(program, args...)
	cmd.Dir = r.lastingDir()
	cmd.Env = env.with("GIT_DIR=" + r.commonDir).with(r.silence(ctx)...).with(variables...)
	standAlone(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", program, err)
	}
	return cmd.Process.Release()
}

// lastingDir is where git resolves relative addresses of remotes from, as long as
// there is a repository: the top of the main work tree, else the common directory.
// A linked work tree may go at any time.
func (r *Repo) lastingDir() string {
	main := r.workTree
	if r.gitDir != r.commonDir {
		main = ""
		if !r.format.bare && filepath.Base(r.commonDir) == ".git" {
			main = filepath.Dir(r.commonDir)
		}
	}
	if main == "" {
		return r.commonDir
	}
	return main
}
