package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Config is git's configuration as this repository sees it: system, person,
// repository, work tree, environment and "git -c", with includes, in the order
// in which later ones win. It does not change.
type Config struct {
	settings []setting
	watched  []watch
}

// Get gives the value that counts, the last one. A key is written as git
// prints it: section and name in lower case, the subsection as it is.
func (c *Config) Get(key string) (string, bool) {
	for i := len(c.settings) - 1; i >= 0; i-- {
		if c.settings[i].key == key {
			return c.settings[i].value, true
		}
	}
	return "", false
}

// All gives every value of a key, in order.
func (c *Config) All(key string) []string {
	var values []string
	for _, s := range c.settings {
		if s.key == key {
			values = append(values, s.value)
		}
	}
	return values
}

// WithPrefix gives the values of all keys that start with prefix.
func (c *Config) WithPrefix(prefix string) map[string][]string {
	found := map[string][]string{}
	for _, s := range c.settings {
		if strings.HasPrefix(s.key, prefix) {
			found[s.key] = append(found[s.key], s.value)
		}
	}
	return found
}

// Bool reads a boolean as git does; absent, or not a boolean, is otherwise.
func (c *Config) Bool(key string, otherwise bool) bool {
	text, ok := c.Get(key)
	if !ok {
		return otherwise
	}
	value, ok := parseBool(text)
	if !ok {
		return otherwise
	}
	return value
}

// Config reads the configuration. It starts git only when the cache that it
// keeps under CacheDir can't be believed.
func (r *Repo) Config(ctx context.Context) (*Config, error) {
	r.configMu.Lock()
	defer r.configMu.Unlock()
	if r.config != nil && current(r.config.watched) {
		return r.config, nil
	}
	c, err := r.loadConfig(ctx)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	r.config = c
	return c, nil
}

// listConfig asks git for all settings, and which files they came from.
func (r *Repo) listConfig(ctx context.Context) ([]setting, []string, error) {
	args := []string{"config", "--list", "--show-origin", "-z"}
	cmd := r.command(ctx, args...)
	// Relative origins are relative to the top, wherever git is run.
	cmd.Dir = r.workTree
	if cmd.Dir == "" || !isDir(cmd.Dir) {
		cmd.Dir = r.gitDir
	}
	cmd.Env = environ(cmd.Env).with("LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	out, err := output(ctx, cmd, nil, args)
	if err != nil {
		return nil, nil, err
	}
	var settings []setting
	var files []string
	origin := ""
	for len(out) > 0 {
		from, rest, ok := bytes.Cut(out, []byte{0})
		entry, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 {
			return nil, nil, errors.New("git config: unexpected answer")
		}
		out = rest
		key, value, assigned := strings.Cut(string(entry), "\n")
		if !assigned {
			value = "true"
		}
		settings = append(settings, setting{key: key, value: value})
		if file, ok := strings.CutPrefix(string(from), "file:"); ok {
			origin = absFrom(cmd.Dir, file)
			files = append(files, origin)
			if path := r.included(key, value, origin); path != "" {
				files = append(files, path)
			}
		}
	}
	return settings, files, nil
}

// included is the file that an include names, "" for any other setting. It
// matters even when it is not there, or when its condition does not hold.
func (r *Repo) included(key, value, origin string) string {
	if key != "include.path" && (!strings.HasPrefix(key, "includeif.") || !strings.HasSuffix(key, ".path")) {
		return ""
	}
	if rest, ok := strings.CutPrefix(value, "~/"); ok {
		return absFrom(r.env.home(), rest)
	}
	return absFrom(filepath.Dir(origin), value)
}

// SetConfig gives a key one value in the repository's own configuration.
func (r *Repo) SetConfig(ctx context.Context, key, value string) error {
	return r.writeConfig(ctx, key, "--replace-all", key, value)
}

// AddConfig gives a key one value more.
func (r *Repo) AddConfig(ctx context.Context, key, value string) error {
	return r.writeConfig(ctx, key, "--add", key, value)
}

// UnsetConfig removes a key with all its values, or only the values given. One
// that is not set is no error.
func (r *Repo) UnsetConfig(ctx context.Context, key string, values ...string) error {
	if len(values) == 0 {
		return r.writeConfig(ctx, key, "--unset-all", key)
	}
	for _, value := range values {
		if err := r.writeConfig(ctx, key, "--fixed-value", "--unset-all", key, value); err != nil {
			return err
		}
	}
	return nil
}

// git config's exit status for a key, or value, that is not there.
const configNotSet = 5

func (r *Repo) writeConfig(ctx context.Context, key string, args ...string) error {
	if section, _, ok := strings.Cut(key, "."); !ok || section == "" || !isAlpha(section[0]) {
		return fmt.Errorf("configure %.100q: not a key", key)
	}
	args = append([]string{"config", "--local"}, args...)
	timeout := time.NewTimer(lockPatience)
	defer timeout.Stop()
	for {
		_, err := r.Git(ctx, args...)
		if err == nil || exitCode(err) == configNotSet {
			return nil
		}
		var command *CommandError
		held := errors.As(err, &command) && strings.Contains(command.Stderr, "could not lock config file") &&
			strings.Contains(command.Stderr, "File exists")
		if !held {
			return fmt.Errorf("configure %s: %w", key, err)
		}
		select {
		case <-timeout.C:
			return fmt.Errorf("configure %s: %w", key, &LockedError{Path: filepath.Join(r.commonDir, "config.lock")})
		case <-ctx.Done():
			return fmt.Errorf("configure %s: %w", key, context.Cause(ctx))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Files are the configuration files that count here, or would if they were there:
// system-wide, the person's, the repository's, and what these include.
func (c *Config) Files() []string {
	paths := make([]string, len(c.watched))
	for i, w := range c.watched {
		paths[i] = w.path
	}
	return paths
}

// noSync tells whether the person gave up durability for speed.
func (r *Repo) noSync(ctx context.Context) bool {
	if on, ok := parseBool(r.env.get("GIT_TEST_FSYNC")); ok && !on && r.env.get("GIT_TEST_FSYNC") != "" {
		return true
	}
	config, err := r.Config(ctx)
	if err != nil {
		return false
	}
	value, _ := config.Get("core.fsync")
	return value == "none"
}

// Partial tells whether objects may be missing here that a remote has promised
// (a partial clone).
func (r *Repo) Partial(ctx context.Context) bool {
	config, err := r.Config(ctx)
	if err != nil {
		return false
	}
	for _, s := range config.settings {
		promisor := strings.HasPrefix(s.key, "remote.") && strings.HasSuffix(s.key, ".promisor")
		if yes, ok := parseBool(s.value); promisor && ok && yes || s.key == "extensions.partialclone" {
			return true
		}
	}
	return false
}
