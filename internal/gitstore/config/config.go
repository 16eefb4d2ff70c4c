package config

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
)

// Config is git's configuration as this repository sees it: system, person,
// repository, work tree, environment and "git -c", with includes, in the order
// in which later ones win. It does not change.
type Config struct {
	Settings []place.Setting
	watched  []statcache.File
}

// Get gives the value that counts, the last one. A key is written as git
// prints it: section and name in lower case, the subsection as it is.
func (c *Config) Get(key string) (string, bool) {
	for _, v := range slices.Backward(c.Settings) {
		if v.Key == key {
			return v.Value, true
		}
	}
	return "", false
}

// All gives every value of a key, in order.
func (c *Config) All(key string) []string {
	var values []string
	for _, s := range c.Settings {
		if s.Key == key {
			values = append(values, s.Value)
		}
	}
	return values
}

// WithPrefix gives the values of all keys that start with prefix.
func (c *Config) WithPrefix(prefix string) map[string][]string {
	found := map[string][]string{}
	for _, s := range c.Settings {
		if strings.HasPrefix(s.Key, prefix) {
			found[s.Key] = append(found[s.Key], s.Value)
		}
	}
	return found
}

// Remotes are the names of the remotes that have an address, sorted.
func (c *Config) Remotes() []string {
	var names []string
	for _, s := range c.Settings {
		named, ours := strings.CutPrefix(s.Key, "remote.")
		if name, address := strings.CutSuffix(named, ".url"); ours && address && name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Bool reads a boolean as git does; absent, or not a boolean, is otherwise.
func (c *Config) Bool(key string, otherwise bool) bool {
	text, ok := c.Get(key)
	if value, boolean := place.ParseBool(text); ok && boolean {
		return value
	}
	return otherwise
}

// listConfig asks git for all settings, and which files they came from, or might
// have come from.
func (r *Store) listConfig(ctx context.Context) (list string, settings []place.Setting, files []string, err error) {
	args := []string{"config", "--list", "--show-origin", "-z"}
	cmd := r.at.Git.Command(ctx, args...)
	// Relative origins are relative to the top, wherever git is run.
	cmd.Dir = r.at.WorkTree
	if cmd.Dir == "" || !gitfile.IsDir(cmd.Dir) {
		cmd.Dir = r.at.GitDir
	}
	cmd.Env = gitcmd.Environ(cmd.Env).With("LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	out, err := gitcmd.Output(ctx, cmd, nil, args)
	if err != nil {
		return "", nil, nil, err
	}
	list = string(out)
	settings, origins, err := parseList(list)
	for i, s := range settings {
		if file, ok := strings.CutPrefix(origins[i], "file:"); ok {
			origin := place.AbsFrom(cmd.Dir, file)
			files = append(files, origin)
			if path := r.included(s.Key, s.Value, origin); path != "" {
				files = append(files, path)
			}
		}
		if strings.HasPrefix(s.Key, "includeif.onbranch:") {
			files = append(files, filepath.Join(r.at.GitDir, "HEAD"))
		}
	}
	return list, settings, files, err
}

// parseList reads what git lists: an origin, and a setting, by turns.
func parseList(list string) (settings []place.Setting, origins []string, err error) {
	fields := strings.Split(list, "\x00")
	if len(fields)%2 == 0 || fields[len(fields)-1] != "" {
		return nil, nil, errors.New("git config: unexpected answer")
	}
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, assigned := strings.Cut(fields[i+1], "\n")
		if !assigned {
			value = "true"
		}
		settings, origins = append(settings, place.Setting{Key: key, Value: value}), append(origins, fields[i])
	}
	return settings, origins, nil
}

// included is the file that an include names, "" for any other setting. It
// matters even when it is not there, or when its condition does not hold.
func (r *Store) included(key, value, origin string) string {
	if key != "include.path" && (!strings.HasPrefix(key, "includeif.") || !strings.HasSuffix(key, ".path")) {
		return ""
	}
	if rest, ok := strings.CutPrefix(value, "~/"); ok {
		return place.AbsFrom(r.at.Git.Env.Home(), rest)
	}
	return place.AbsFrom(filepath.Dir(origin), value)
}

// Set gives a key one value in the repository's own configuration.
func (r *Store) Set(ctx context.Context, key, value string) error {
	_, err := r.write(ctx, key, "--replace-all", key, value)
	return err
}

// Add gives a key one value more.
func (r *Store) Add(ctx context.Context, key, value string) error {
	_, err := r.write(ctx, key, "--add", key, value)
	return err
}

// Unset removes a key with all its values, and reports whether it had any.
func (r *Store) Unset(ctx context.Context, key string) (was bool, err error) {
	return r.write(ctx, key, "--unset-all", key)
}

// UnsetValue removes a value of a key; one that is not there is no error.
func (r *Store) UnsetValue(ctx context.Context, key, value string) error {
	_, err := r.write(ctx, key, "--fixed-value", "--unset-all", key, value)
	return err
}

// notSet is git config's exit status for a key, or value, that is not there.
const notSet = 5

// write changes the repository's own configuration; false: there was nothing to do. It
// waits for another process that changes it.
func (r *Store) write(ctx context.Context, key string, args ...string) (done bool, err error) {
	if section, _, ok := strings.Cut(key, "."); !ok || section == "" || !place.IsAlpha(section[0]) {
		return false, fmt.Errorf("configure %.100q: not a key", key)
	}
	const pause = 20 * time.Millisecond
	for left := place.LockPatience; ; left -= pause {
		_, err = r.at.Git.Run(ctx, append([]string{"config", "--local"}, args...)...)
		if gitcmd.ExitCode(err) == notSet {
			return false, nil
		}
		if command, ok := errors.AsType[*gitcmd.CommandError](err); ok && strings.Contains(command.Stderr, "File exists") {
			if left > 0 && ctx.Err() == nil {
				time.Sleep(pause)
				continue
			}
			err = &plumbing.LockedError{Path: filepath.Join(r.at.CommonDir, "config.lock")}
		}
		if err != nil {
			return false, fmt.Errorf("configure %s: %w", key, err)
		}
		return true, nil
	}
}

// Files are the configuration files that count here, or would if they were there:
// system-wide, the person's, the repository's, and what these include.
func (c *Config) Files() []string {
	paths := make([]string, len(c.watched))
	for i, w := range c.watched {
		paths[i] = w.Path
	}
	return paths
}

// NoSync tells whether the person gave up durability for speed.
func (r *Store) NoSync(ctx context.Context) bool {
	if on, ok := place.ParseBool(r.at.Git.Env.Get("GIT_TEST_FSYNC")); ok && !on &&
		r.at.Git.Env.Get("GIT_TEST_FSYNC") != "" {
		return true
	}
	config, err := r.Read(ctx)
	if err != nil {
		return false
	}
	value, _ := config.Get("core.fsync")
	return value == "none"
}

// Partial tells whether objects may be missing here that a remote has promised
// (a partial clone).
func (r *Store) Partial(ctx context.Context) bool {
	config, err := r.Read(ctx)
	if err != nil {
		return false
	}
	for _, s := range config.Settings {
		promisor := strings.HasPrefix(s.Key, "remote.") && strings.HasSuffix(s.Key, ".promisor")
		if yes, ok := place.ParseBool(s.Value); promisor && ok && yes || s.Key == "extensions.partialclone" {
			return true
		}
	}
	return false
}
