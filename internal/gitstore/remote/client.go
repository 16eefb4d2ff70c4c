// Package remote runs the git processes that talk to a remote, and those that outlive
// this one.
package remote

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
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
	cmd.Env = env.With("GIT_DIR=" + r.at.CommonDir).With(r.Silence(ctx)...).With(variables...)
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
	main := r.at.WorkTree
	if r.at.GitDir != r.at.CommonDir {
		main = ""
		if !r.at.Format.Bare && filepath.Base(r.at.CommonDir) == ".git" {
			main = filepath.Dir(r.at.CommonDir)
		}
	}
	return cmp.Or(main, r.at.CommonDir)
}

// RunScratch runs git as Run does, in a bare repository that is made for it and
// removed afterwards: it has r's objects and configuration, and these refs and
// no others. What git does to refs there is lost.
//
// It is for `git push`. What that looks for it compares with every ref of both
// sides, by six rules each: five hundred names beside ten thousand refs take
// minutes. With a pattern, and no refs but those that are meant, it takes none.
func (r *Client) RunScratch(ctx context.Context, p Patience, refs map[plumbing.RefName]plumbing.OID,
	args ...string,
) ([]byte, error) {
	config, err := r.config.Read(ctx)
	if err != nil {
		return nil, err
	}
	settings, whole := scratchConfig(config)
	dir, err := r.at.MakeScratch()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w", gitcmd.CommandName(args), err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what stays goes with the next one
	if err := r.fillScratch(dir, settings, refs); err != nil {
		return nil, fmt.Errorf("run git %s: %w", gitcmd.CommandName(args), err)
	}
	command := func(ctx context.Context, args []string) *exec.Cmd {
		cmd := r.at.Git.Command(ctx, args...)
		if gitfile.IsDir(r.at.WorkTree) {
			cmd.Dir = r.at.WorkTree // where git goes by itself: addresses may be relative
		}
		const alternates = "GIT_ALTERNATE_OBJECT_DIRECTORIES=" // of the objects, that are the repository's
		cmd.Env = gitcmd.Environ(gitcmd.WithoutPlace(cmd.Env, nil)).With("GIT_DIR="+dir,
			"GIT_OBJECT_DIRECTORY="+r.at.ObjectDir,
			alternates+gitcmd.Environ(cmd.Env).Get(strings.TrimSuffix(alternates, "=")),
			"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
		if whole {
			cmd.Env = gitcmd.Environ(slices.DeleteFunc(cmd.Env, func(pair string) bool {
				return strings.HasPrefix(pair, "GIT_CONFIG_")
			})).With("GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		}
		return cmd
	}
	return r.online(ctx, p, args, command)
}

// fillScratch makes the directory a bare repository. Its configuration includes the
// repository's, of which git takes the format and the work tree from no included file.
func (r *Client) fillScratch(dir, settings string, refs map[plumbing.RefName]plumbing.OID) error {
	var packed strings.Builder
	packed.WriteString("# pack-refs with: sorted \n")
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if _, err := plumbing.ParseRefName(string(name)); err != nil {
			return err
		}
		packed.WriteString(refs[name].String() + " " + string(name) + "\n")
	}
	include := []string{filepath.Join(r.at.CommonDir, "config")}
	if r.at.Format.WorktreeConfig {
		include = append(include, filepath.Join(r.at.GitDir, "config.worktree"))
	}
	if settings == "" {
		settings = "[include]\n"
		for _, file := range include {
			settings += "\tpath = \"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(file) + "\"\n"
		}
	}
	settings += "[core]\n\tbare = true\n\tfsync = none\n"
	files := map[string]string{"HEAD": "ref: refs/heads/none\n", "packed-refs": packed.String(), "config": settings}
	copied := map[string]string{"shallow": r.at.CommonDir} // where a clone is shallow, its objects end somewhere
	if !r.at.Format.Reftable {
		copied["HEAD"] = r.at.GitDir // settings may count on one branch only
	}
	for name, from := range copied {
		if text, err := gitfile.ReadFile(filepath.Join(from, name)); err == nil {
			files[name] = string(text)
		}
	}
	for _, sub := range []string{"refs", "objects"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			return err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// scratchConfig is the whole configuration in one file, where some of it is included by
// the place of the git directory: a scratch repository has another. Else it is "", and git
// reads the files where they are.
func scratchConfig(c *config.Config) (text string, whole bool) {
	var b strings.Builder
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	for _, s := range c.Settings {
		section, name, _ := strings.Cut(s.Key, ".")
		whole = whole || section == "includeif" && strings.HasPrefix(name, "gitdir")
		if section == "include" || section == "includeif" || section == "extensions" || s.Key == "core.worktree" {
			continue
		}
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
			section += ` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name[:dot]) + `"`
			name = name[dot+1:]
		}
		fmt.Fprintf(&b, "[%s]\n\t%s = \"%s\"\n", section, name, quoted.Replace(s.Value))
	}
	if !whole {
		return "", false
	}
	return b.String(), true
}
