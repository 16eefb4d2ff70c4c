package place

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// RunsHere says why git, started in dir, an absolute directory, may run a program
// that the repository there names: as the end of a sentence, "" where it does not. It
// starts no process. Repositories whose directory is a trusted one, or below it, as
// those of linked work trees and submodules are, run what the user had them run; of
// any other the configuration and the hooks are somebody else's. Where git finds none,
// it runs nothing.
func RunsHere(dir string, environment []string, trusted ...string) string {
	// A shell goes up from a link as it is written, git as the system does.
	var dirs []string
	for _, d := range []string{dir, filepath.Clean(dir)} {
		if real, err := filepath.EvalSymlinks(d); err == nil && !slices.Contains(dirs, real) {
			dirs = append(dirs, real)
		}
	}
	if len(dirs) == 0 {
		return "the directory can't be read"
	}
	for _, d := range dirs {
		switch f, err := search(d, gitcmd.Environ(environment)); {
		case err != nil:
			return "it is not clear which repository git takes there"
		case f.gitDir != "" && !(liesIn(f.gitDir, trusted) && liesIn(f.common, trusted)):
			return "the repository there is not the session's own"
		}
	}
	return ""
}

// liesIn reports whether a path is one of some directories, or lies below one.
func liesIn(path string, dirs []string) bool {
	real, err := filepath.EvalSymlinks(path)
	return err == nil && slices.ContainsFunc(dirs, func(dir string) bool {
		base, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return false
		}
		rel, err := filepath.Rel(base, real)
		return err == nil && filepath.IsLocal(rel)
	})
}

// trustPatience is how long git may take to say whether it trusts a repository.
const trustPatience = 10 * time.Second

// checkOwner refuses a repository that git refuses because it belongs to
// somebody else, who could have planted it. As in git, paths are those that led
// here: the ".git" file, the work tree, the git directory. git itself is asked
// only where one of them is not the caller's: safe.directory may allow it.
func checkOwner(dir string, env gitcmd.Environ, paths ...string) error {
	foreign, _ := ParseBool(env.Get("GIT_TEST_ASSUME_DIFFERENT_OWNER"))
	for _, path := range paths {
		foreign = foreign || !ownedByCaller(path, env)
	}
	if !foreign {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), trustPatience)
	defer cancel()
	_, err := (&gitcmd.Runner{Dir: dir, Env: env}).Run(ctx, "rev-parse", "--git-dir")
	var refusal *gitcmd.CommandError
	if errors.As(err, &refusal) {
		return fmt.Errorf("%w: %s", plumbing.ErrNotTrusted, strings.TrimPrefix(strings.TrimSpace(refusal.Stderr), "fatal: "))
	}
	if err != nil {
		return fmt.Errorf("open repository: %w", err)
	}
	return nil
}
