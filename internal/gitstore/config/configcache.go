// Package config reads and changes git's configuration, and says who the person is by it.
package config

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
)

// configMemos is what the names of the configuration's memos begin with, each
// for one environment and work tree; maxConfigs keeps one-off environments
// ("git -c") from piling up files.
const (
	configMemos = "config-"
	maxConfigs  = 64
)

// Read reads the configuration. It starts git only when the cache that it
// keeps under CacheDir can't be believed.
func (r *Store) Read(ctx context.Context) (*Config, error) {
	r.configMu.Lock()
	defer r.configMu.Unlock()
	if r.config != nil && statcache.Current(r.config.watched) {
		return r.config, nil
	}
	memo := r.cachePath()
	if files, list, ok := statcache.Load(memo); ok && statcache.Current(files) {
		if settings, _, err := parseList(list); err == nil {
			r.config = &Config{Settings: settings, watched: files}
			return r.config, nil
		}
	}
	c, err := r.ask(ctx, memo)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	r.config = c
	return c, nil
}

// ask asks git. Stamps are taken before git reads the files, or of included files, which
// are known only then, right after: what is kept for other processes is what had not
// changed since. It is kept if that is possible: a repository that can't be written to
// works without. Nobody else may read it: a person may keep secrets in the configuration.
func (r *Store) ask(ctx context.Context, memo string) (*Config, error) {
	begun := r.at.Now()
	candidates := r.configCandidates()
	watched := statcache.Stamps(candidates)
	list, settings, origins, err := r.listConfig(ctx)
	if err != nil {
		return nil, err
	}
	slices.Sort(origins)
	origins = slices.DeleteFunc(slices.Compact(origins), func(o string) bool { return slices.Contains(candidates, o) })
	watched = append(watched, statcache.Stamps(origins)...)
	ago := max(0, r.at.Now().Sub(begun))
	if temp, err := r.at.TempFile(r.at.CacheDir(), configMemos); err == nil && temp.Chmod(0o600) == nil {
		r.prune()
		statcache.Save(temp, memo, watched, ago, func(int64) []byte { return []byte(list) })
	}
	return &Config{Settings: settings, watched: watched}, nil
}

// prune removes the memos where they are many, and none that is being written now.
func (r *Store) prune() {
	memos, _ := fs.Glob(os.DirFS(r.at.CacheDir()), configMemos+"*[0-9a-f]")
	if len(memos) <= maxConfigs {
		return
	}
	for _, name := range memos {
		_ = os.Remove(filepath.Join(r.at.CacheDir(), name))
	}
}

// configCandidates are the files that git may read first, there or not.
func (r *Store) configCandidates() []string {
	paths := []string{filepath.Join(r.at.CommonDir, "config")}
	if r.at.Format.WorktreeConfig {
		paths = append(paths, filepath.Join(r.at.GitDir, "config.worktree"))
	}
	if system := r.at.Git.Env.Get("GIT_CONFIG_SYSTEM"); system != "" {
		paths = append(paths, place.AbsFrom(r.at.Git.Dir, system))
	} else if skip, _ := place.ParseBool(r.at.Git.Env.Get("GIT_CONFIG_NOSYSTEM")); !skip {
		paths = append(paths, systemConfigs()...)
	}
	if global := r.at.Git.Env.Get("GIT_CONFIG_GLOBAL"); global != "" {
		return append(paths, place.AbsFrom(r.at.Git.Dir, global))
	}
	home := r.at.Git.Env.Home()
	if xdg := r.at.Git.Env.Get("XDG_CONFIG_HOME"); xdg != "" {
		paths = append(paths, filepath.Join(xdg, "git", "config"))
	} else if home != "" {
		paths = append(paths, filepath.Join(home, ".config", "git", "config"))
	}
	if home != "" {
		paths = append(paths, filepath.Join(home, ".gitconfig"))
	}
	return paths
}

// systemConfigs are the usual places of git's system-wide file: /etc, or etc
// beside the directory that git is in. Where it is elsewhere, git names it as
// soon as it holds anything.
func systemConfigs() []string {
	paths := []string{"/etc/gitconfig"}
	if git, err := exec.LookPath("git"); err == nil {
		paths = append(paths, filepath.Join(filepath.Dir(filepath.Dir(git)), "etc", "gitconfig"))
	}
	return paths
}

// cachePath is the path of the configuration's memo: one for each environment
// and work tree that git's answer may depend on, and for each directory where
// git is told to look for a file from there.
func (r *Store) cachePath() string {
	sum := sha256.New()
	add := func(part string) { sum.Write([]byte(strconv.Quote(part))) }
	add(r.at.GitDir)
	add(r.at.WorkTree)
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		path := r.at.Git.Env.Get(name)
		add(path)
		if path != "" && !filepath.IsAbs(path) {
			add(r.at.Git.Dir)
		}
	}
	add(r.at.Git.Env.Get("GIT_DIR"))
	for _, pair := range r.at.Git.Env {
		if strings.HasPrefix(pair, "GIT_CONFIG") {
			add(pair)
		}
	}
	return filepath.Join(r.at.CacheDir(), configMemos+hex.EncodeToString(sum.Sum(nil)[:8]))
}

// Store is the configuration of a repository.
type Store struct {
	at *place.Place

	configMu sync.Mutex // guards config; held while git is asked
	config   *Config
}

// New is the configuration of a repository; nothing is read yet.
func New(at *place.Place) *Store { return &Store{at: at} }

// Identity is the author that git would write into a commit made now:
// GIT_AUTHOR_*, author.*, user.*, and what git itself finds out. It is
// ErrNoIdentity when git knows nobody.
func (r *Store) Identity(ctx context.Context) (plumbing.Signature, error) {
	config, err := r.Read(ctx)
	if err != nil {
		return plumbing.Signature{}, fmt.Errorf("identity: %w", err)
	}
	pick := func(variable, field string) string {
		author, _ := config.Get("author." + field)
		user, _ := config.Get("user." + field)
		return cmp.Or(r.at.Git.Env.Get(variable), author, user)
	}
	s := plumbing.Signature{
		Name:  plumbing.CleanIdent(pick("GIT_AUTHOR_NAME", "name")),
		Email: plumbing.CleanIdent(cmp.Or(pick("GIT_AUTHOR_EMAIL", "email"), r.at.Git.Env.Get("EMAIL"))),
		When:  r.at.Now(),
	}
	if s.Name != "" && s.Email != "" && r.at.Git.Env.Get("GIT_AUTHOR_DATE") == "" {
		s.When = s.When.Truncate(time.Second)
		return s, nil
	}
	out, err := r.at.Git.Run(ctx, "var", "GIT_AUTHOR_IDENT")
	if err != nil {
		return plumbing.Signature{}, noIdentity(err)
	}
	s, err = plumbing.ParseSignature(strings.TrimSpace(string(out)))
	if err != nil {
		return plumbing.Signature{}, fmt.Errorf("identity: git var: %w", err)
	}
	return s, nil
}

// noIdentity is git's refusal to say who somebody is, by its last words: before
// them it gives advice, over many lines.
func noIdentity(err error) error {
	var git *gitcmd.CommandError
	if !errors.As(err, &git) {
		return fmt.Errorf("identity: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(git.Stderr), "\n")
	why := strings.TrimPrefix(lines[len(lines)-1], "fatal: ")
	if strings.Contains(why, "date") {
		return fmt.Errorf("identity: %s", why)
	}
	return fmt.Errorf("%w: git doesn't know who you are: %s", plumbing.ErrNoIdentity, why)
}
