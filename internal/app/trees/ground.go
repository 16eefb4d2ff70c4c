package trees

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Ground is what decides how git reads, checks out and merges, and lies in no commit: what each
// file was when the run began, by its path.
type Ground map[string]string

// maxGround is how much of a file is looked at.
const maxGround = 4 << 20

// maxHooks is how many files of a directory are looked at.
const maxHooks = 1000

// Outside are the files beyond the repository that decide the same, each with whether it has
// settings: the person's, what they include, by whatever condition, and what they name. They may be
// missing yet.
func (a *Trees) Outside(ctx context.Context) (files map[string]bool, err error) {
	git := a.git()
	out, err := bounded(ctx, git, nil, "config", "--list", "--show-origin", "-z")
	if err != nil {
		return nil, err
	}
	files = map[string]bool{}
	home := git.Env.Home()
	add := func(path, from string, settings bool) {
		if rest, is := strings.CutPrefix(path, "~/"); is {
			path = filepath.Join(home, rest)
		}
		if !filepath.IsAbs(path) && from != "" {
			path = filepath.Join(filepath.Dir(from), path)
		}
		if path = filepath.Clean(path); filepath.IsAbs(path) {
			files[path] = files[path] || settings
		}
	}
	shared := cmp.Or(git.Env.Get("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	for _, name := range []string{"config", "attributes", "ignore"} {
		add(filepath.Join(shared, "git", name), "", name == "config")
	}
	add(cmp.Or(git.Env.Get("GIT_CONFIG_GLOBAL"), filepath.Join(home, ".gitconfig")), "", true)
	fields := strings.Split(string(out), "\x00") // "<origin>", "<key>\n<value>"
	for i := 0; i+1 < len(fields); i += 2 {
		origin, is := strings.CutPrefix(fields[i], "file:")
		if !is { // of the command line, or the environment
			continue
		}
		if !filepath.IsAbs(origin) {
			origin = filepath.Join(git.Dir, origin)
		}
		add(origin, "", true)
		switch key, value, _ := strings.Cut(fields[i+1], "\n"); {
		case key == "core.hookspath", key == "core.attributesfile", key == "core.excludesfile":
			add(value, "", false)
		case key == "include.path", strings.HasPrefix(key, "includeif.") && strings.HasSuffix(key, ".path"):
			add(value, origin, true)
		}
	}
	return files, nil
}

// ReadGround reads what the ground is now: files of the repository, by its common directory, and
// others outside of it. Settings of git brew's own, and those of branches and notes, change while
// workers are at work, and decide nothing of that.
func ReadGround(common string, outside map[string]bool) Ground {
	names := maps.Clone(outside)
	if names == nil {
		names = map[string]bool{}
	}
	for _, name := range []string{
		"config.worktree", "hooks", "info/attributes", "info/exclude", "info/sparse-checkout", "info/grafts",
		"objects/info/alternates",
	} {
		names[filepath.Join(common, filepath.FromSlash(name))] = false
	}
	names[filepath.Join(common, "config")] = true
	all := Ground{}
	for name, settings := range names {
		all[name] = printOf(name, settings)
		hooks, _ := os.ReadDir(name) // none in what is no directory
		for _, hook := range hooks[:min(len(hooks), maxHooks)] {
			all[filepath.Join(name, hook.Name())] = printOf(filepath.Join(name, hook.Name()), false)
		}
	}
	return all
}

// printOf is a hash of a file, of settings without git brew's own; of what is none, what it is.
func printOf(path string, settings bool) string {
	at, err := os.Stat(path) // a hook may be a link
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return "unreadable"
	case !at.Mode().IsRegular():
		return at.Mode().Type().String()
	}
	file, err := os.Open(path)
	if err != nil {
		return "unreadable"
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxGround))
	if err != nil {
		return "unreadable"
	}
	size := int(at.Size())
	if settings {
		data = withoutOwn(data)
		size = len(data)
	}
	return fmt.Sprintf("%d %x", size, sha256.Sum256(data))
}

// withoutOwn is a file of git's settings without the sections brew, branch and notes. A section whose
// first line has anything more than its name stays.
func withoutOwn(data []byte) []byte {
	own := regexp.MustCompile(`^(?i)\[(brew|branch|notes)([ \t]+"[^"\]\\]*")?\]$`)
	var rest strings.Builder
	left := false
	for line := range strings.Lines(string(data)) {
		if bare := strings.TrimSpace(line); strings.HasPrefix(bare, "[") {
			left = own.MatchString(bare)
		}
		if !left {
			rest.WriteString(line)
		}
	}
	return []byte(rest.String())
}

// ChangedSince names a file that is not as it was, "" for none.
func (g Ground) ChangedSince(was Ground) string {
	all := maps.Clone(was)
	maps.Copy(all, g)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if was[name] != g[name] {
			return name
		}
	}
	return ""
}
