// Package remote runs the git processes that talk to a remote, and those that outlive
// this one.
package remote

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// Client runs git against the remotes of a repository.
type Client struct {
	at     *place.Place
	config *config.Store
}

// New is a client of a repository's remotes.
func New(at *place.Place, config *config.Store) *Client { return &Client{at: at, config: config} }

// StartDetached starts a program on this repository that outlives this process, its
// terminal and a linked work tree: in a session of its own, without streams, in
// the directory that the repository's own paths begin at. Its git asks nobody, as
// Silent's. Variables are added to its environment, each as "NAME=value". It
// waits for nothing.
func (r *Client) StartDetached(ctx context.Context, program string, args []string, variables ...string) error {
	env := gitcmd.Environ(gitcmd.WithoutPlace(r.at.Git.Env, func(name string) bool { return name == "GIT_EDITOR" }))
	cmd := exec.Command(program, args...)
	cmd.Dir = r.lastingDir()
	cmd.Env = env.With("GIT_DIR=" + r.at.CommonDir()).With(r.Silence(ctx)...).With(variables...)
	gitcmd.OwnSession(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", program, err)
	}
	return cmd.Process.Release()
}

// lastingDir is where git resolves relative addresses of remotes from, as long as
// there is a repository: the top of the main work tree, else the common directory.
// A linked work tree may go at any time.
func (r *Client) lastingDir() string {
	main := r.at.WorkTree()
	if r.at.GitDir() != r.at.CommonDir() {
		main = ""
		if !r.at.Format.Bare && filepath.Base(r.at.CommonDir()) == ".git" {
			main = filepath.Dir(r.at.CommonDir())
		}
	}
	if main == "" {
		return r.at.CommonDir()
	}
	return main
}
