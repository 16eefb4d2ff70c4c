package gitstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// configMemos is what the names of the configuration's memos begin with, each
// for one environment and work tree; maxConfigs keeps one-off environments
// ("git -c") from piling up files.
const (
	configMemos = "config-"
	maxConfigs  = 64
)

func (r *Repo) loadConfig(ctx context.Context) (*Config, error) {
	path := r.configCache()
	if m := readMemo(path); m != nil && current(m.watched) {
		if c := parseConfigMemo(m); c != nil {
			return c, nil
		}
	}
	return r.refreshConfig(ctx, path)
}

// refreshConfig asks git. Stamps are taken before git reads the files: a change
// in between makes the result look old, never new.
func (r *Repo) refreshConfig(ctx context.Context, cache string) (*Config, error) {
	candidates := r.configCandidates()
	before := stampAll(candidates)
	settings, origins, err := r.listConfig(ctx)
	if err != nil {
		return nil, err
	}
	onBranch := slices.ContainsFunc(settings, func(s setting) bool {
		return strings.HasPrefix(s.key, "includeif.onbranch:")
	})
	if onBranch {
		origins = append(origins, filepath.Join(r.gitDir, "HEAD"))
	}
	var unforeseen []string
	for _, origin := range origins {
		if !slices.Contains(candidates, origin) && !slices.Contains(unforeseen, origin) {
			unforeseen = append(unforeseen, origin)
		}
	}
	if len(unforeseen) > 0 {
		// Included files are known only now: stamp all, then ask once more.
		before = stampAll(append(candidates, unforeseen...))
		if settings, _, err = r.listConfig(ctx); err != nil {
			return nil, err
		}
	}
	c := &Config{settings: settings, watched: before}
	r.saveConfigCache(cache, c)
	return c, nil
}

// configCandidates are the files that git may read first, there or not.
func (r *Repo) configCandidates() []string {
	paths := []string{filepath.Join(r.commonDir, "config")}
	if r.format.worktreeConfig {
		paths = append(paths, filepath.Join(r.gitDir, "config.worktree"))
	}
	if system := r.env.get("GIT_CONFIG_SYSTEM"); system != "" {
		paths = append(paths, absFrom(r.dir, system))
	} else if skip, _ := parseBool(r.env.get("GIT_CONFIG_NOSYSTEM")); !skip {
		paths = append(paths, systemConfigs()...)
	}
	if global := r.env.get("GIT_CONFIG_GLOBAL"); global != "" {
		return append(paths, absFrom(r.dir, global))
	}
	home := r.env.home()
	if xdg := r.env.get("XDG_CONFIG_HOME"); xdg != "" {
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

// configCache is the path of the configuration's memo: one for each environment
// and work tree that git's answer may depend on, and for each directory where
// git is told to look for a file from there.
func (r *Repo) configCache() string {
	sum := sha256.New()
	add := func(part string) { sum.Write([]byte(strconv.Quote(part))) }
	add(r.gitDir)
	add(r.workTree)
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		path := r.env.get(name)
		add(path)
		if path != "" && !filepath.IsAbs(path) {
			add(r.dir)
		}
	}
	add(r.env.get("GIT_DIR"))
	for _, pair := range r.env {
		if strings.HasPrefix(pair, "GIT_CONFIG") {
			add(pair)
		}
	}
	return filepath.Join(r.CacheDir(), configMemos+hex.EncodeToString(sum.Sum(nil)[:8]))
}

// parseConfigMemo reads the settings, nil where they are none of this version's.
func parseConfigMemo(m *memo) *Config {
	c := &Config{watched: m.watched}
	for _, line := range m.lines {
		key, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil
		}
		value, err := strconv.Unquote(strings.TrimPrefix(line[len(key):], " "))
		if err != nil {
			return nil
		}
		if key, err = strconv.Unquote(key); err != nil {
			return nil
		}
		c.settings = append(c.settings, setting{key: key, value: value})
	}
	return c
}

// saveConfigCache writes the memo, if that is possible: a repository that can't
// be written to works without one. Nobody else may read it: a person may keep
// secrets in the configuration.
func (r *Repo) saveConfigCache(path string, c *Config) {
	m := &memo{watched: c.watched}
	for _, s := range c.settings {
		m.lines = append(m.lines, strconv.Quote(s.key)+" "+strconv.Quote(s.value))
	}
	temp, err := os.CreateTemp(r.CacheDir(), configMemos+"*.tmp")
	if errors.Is(err, fs.ErrNotExist) && r.MakeDir(r.CacheDir()) == nil {
		temp, err = os.CreateTemp(r.CacheDir(), configMemos+"*.tmp")
	}
	if err == nil && m.write(temp, path) {
		pruneMemos(r.CacheDir(), configMemos, maxConfigs)
	}
}
