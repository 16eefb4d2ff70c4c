package gitstore

import (
	"bytes"
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

// watch is a file that the configuration depends on, and the stamp it had
// before git read it.
type watch struct {
	path  string
	stamp Stamp
}

// The cache is lines, for reading it is on the way of every command:
//
//	gitstore config 1 <sha256 of what follows>
//	w<mtime> <ctime> <size> <inode> <dev> <path>   hexadecimal, the path quoted
//	s<key> <value>                                 both quoted
const cacheHeader = "gitstore config 1 "

// maxCaches keeps one-off environments ("git -c") from piling up files.
const maxCaches = 8

// current tells whether every file is still what it was.
func (c *Config) current() bool {
	for _, w := range c.watched {
		now, err := ReadStamp(w.path)
		if err != nil || now != w.stamp {
			return false
		}
	}
	return true
}

func (r *Repo) loadConfig(ctx context.Context) (*Config, error) {
	path := r.configCache()
	if c := readConfigCache(path); c != nil && c.current() {
		return c, nil
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

func stampAll(paths []string) []watch {
	watched := make([]watch, 0, len(paths))
	for _, path := range paths {
		stamp, err := ReadStamp(path)
		if err != nil {
			stamp = Stamp{Size: -1} // never equal to what is read later
		}
		watched = append(watched, watch{path: path, stamp: stamp})
	}
	return watched
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

// configCache is the cache's path: one for each environment and work tree
// that git's answer may depend on.
func (r *Repo) configCache() string {
	sum := sha256.New()
	for _, part := range []string{r.gitDir, r.workTree, r.dir, r.env.home(), r.env.get("XDG_CONFIG_HOME"), r.env.get("GIT_DIR")} {
		sum.Write([]byte(strconv.Quote(part)))
	}
	var relevant []string
	for _, pair := range r.env {
		if strings.HasPrefix(pair, "GIT_CONFIG") {
			relevant = append(relevant, pair)
		}
	}
	for _, pair := range relevant {
		sum.Write([]byte(strconv.Quote(pair)))
	}
	return filepath.Join(r.CacheDir(), "config-"+hex.EncodeToString(sum.Sum(nil)[:8]))
}

// readConfigCache gives nil for anything but a whole cache, written by this
// version, whose files were all settled when it was written.
func readConfigCache(path string) *Config {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	head, body, ok := bytes.Cut(data, []byte{'\n'})
	want, ours := strings.CutPrefix(string(head), cacheHeader)
	if !ok || !ours || want != sumOf(body) {
		return nil
	}
	c := &Config{}
	for line := range strings.Lines(string(body)) {
		if !c.parseCacheLine(strings.TrimSuffix(line, "\n")) {
			return nil
		}
	}
	return c
}

func (c *Config) parseCacheLine(line string) bool {
	if len(line) < 2 {
		return false
	}
	text := line[1:]
	switch line[0] {
	case 'w':
		fields := strings.SplitN(text, " ", 6)
		if len(fields) != 6 {
			return false
		}
		var n [5]uint64
		for i := range n {
			var err error
			if n[i], err = strconv.ParseUint(fields[i], 16, 64); err != nil {
				return false
			}
		}
		path, err := strconv.Unquote(fields[5])
		stamp := Stamp{Mtime: int64(n[0]), Ctime: int64(n[1]), Size: int64(n[2]), Inode: n[3], Dev: n[4]}
		c.watched = append(c.watched, watch{path: path, stamp: stamp})
		return err == nil
	case 's':
		key, err := strconv.QuotedPrefix(text)
		if err != nil {
			return false
		}
		value, err := strconv.Unquote(strings.TrimPrefix(text[len(key):], " "))
		if err != nil {
			return false
		}
		if key, err = strconv.Unquote(key); err != nil {
			return false
		}
		c.settings = append(c.settings, setting{key: key, value: value})
		return true
	}
	return false
}

// saveConfigCache writes the cache, if that is possible: a repository that
// can't be written to works without one. A file that is younger than the
// clock's grain could change without showing it, so then none is written.
func (r *Repo) saveConfigCache(path string, c *Config) {
	temp, err := r.createCacheFile("config-")
	if err != nil {
		return
	}
	defer os.Remove(temp.Name())
	defer temp.Close()
	info, err := temp.Stat()
	if err != nil {
		return
	}
	var body bytes.Buffer
	for _, w := range c.watched {
		// The clock of the file system that holds the cache, now.
		if !w.stamp.Settled(info.ModTime().UnixNano()) || w.stamp.Size < 0 {
			return
		}
		s := w.stamp
		body.WriteByte('w')
		for _, n := range []uint64{uint64(s.Mtime), uint64(s.Ctime), uint64(s.Size), s.Inode, s.Dev} {
			body.WriteString(strconv.FormatUint(n, 16))
			body.WriteByte(' ')
		}
		body.WriteString(strconv.Quote(w.path) + "\n")
	}
	for _, s := range c.settings {
		body.WriteString("s" + strconv.Quote(s.key) + " " + strconv.Quote(s.value) + "\n")
	}
	if _, err := temp.WriteString(cacheHeader + sumOf(body.Bytes()) + "\n"); err != nil {
		return
	}
	if _, err := temp.Write(body.Bytes()); err != nil || temp.Close() != nil {
		return
	}
	if os.Rename(temp.Name(), path) == nil {
		pruneCaches(filepath.Dir(path))
	}
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// createCacheFile makes a temporary file under CacheDir that nobody else reads: a
// person may keep secrets in the configuration.
func (r *Repo) createCacheFile(prefix string) (*os.File, error) {
	temp, err := os.CreateTemp(r.CacheDir(), prefix+"*.tmp")
	if errors.Is(err, fs.ErrNotExist) {
		if err := r.makeDir(r.CacheDir()); err != nil {
			return nil, err
		}
		temp, err = os.CreateTemp(r.CacheDir(), prefix+"*.tmp")
	}
	if err != nil {
		return nil, err
	}
	return temp, nil
}

// pruneCaches removes the oldest caches, and temporary files of the dead.
func pruneCaches(dir string) {
	paths, err := filepath.Glob(filepath.Join(dir, "config-*"))
	if err != nil || len(paths) <= maxCaches {
		return
	}
	age := map[string]int64{}
	for _, path := range paths {
		stamp, err := ReadStamp(path)
		if err == nil {
			age[path] = stamp.Mtime
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return int(min(max(age[b]-age[a], -1), 1)) })
	for _, path := range paths[maxCaches:] {
		_ = os.Remove(path)
	}
}
