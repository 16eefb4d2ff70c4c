package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// maxConfigFile bounds a configuration that somebody else may have written.
const maxConfigFile = 1 << 20

// RunsHere says why git, started in dir, an absolute directory, may run a program
// that the repository there names: as the end of a sentence, "" where it does not. It
// starts no process. A repository whose common directory is trusted is not looked
// into, nor is what is not there. Where it is not clear which repository git takes,
// that is said too.
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
		if why := runsIn(d, gitcmd.Environ(environment), trusted); why != "" {
			return why
		}
	}
	return ""
}

// runsIn goes up from a directory as git does; see discover. A level counts where git
// may take it: this test lets more through than git's own, so that nothing which git
// takes is passed over, and what git may not take is a reason.
func runsIn(dir string, env gitcmd.Environ, trusted []string) string {
	if explicit := env.Get("GIT_DIR"); explicit != "" {
		gitDir, err := followGitFile(AbsFrom(dir, explicit))
		if err != nil {
			return "its git directory can't be read"
		}
		return runsFrom(gitDir, "", dir, env, trusted)
	}
	ceilings := ceilingDirs(env.Get("GIT_CEILING_DIRECTORIES"))
	across, _ := ParseBool(env.Get("GIT_DISCOVERY_ACROSS_FILESYSTEM"))
	device, err := gitfile.DeviceOf(dir)
	if err != nil {
		return "the directory can't be read"
	}
	for at := dir; ; {
		dotGit := filepath.Join(at, ".git")
		switch info, err := os.Stat(dotGit); {
		case err == nil && !info.IsDir():
			gitDir, err := followGitFile(dotGit)
			if err != nil {
				return "its .git file can't be read"
			}
			return runsFrom(gitDir, at, dir, env, trusted)
		case err == nil && mayBeGitDir(dotGit, env):
			return runsFrom(dotGit, at, dir, env, trusted)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "its .git can't be read"
		}
		if mayBeGitDir(at, env) {
			return runsInside(at, dir, env, trusted)
		}
		parent := filepath.Dir(at)
		if parent == at || ceilings[at] || ceilings[parent] {
			return ""
		}
		if up, err := gitfile.DeviceOf(parent); err != nil || up != device && !across {
			return ""
		}
		at = parent
	}
}

// mayBeGitDir reports whether git may take a directory for a git directory.
func mayBeGitDir(dir string, env gitcmd.Environ) bool {
	if !there(filepath.Join(dir, "HEAD")) {
		return false
	}
	if there(filepath.Join(dir, "commondir")) || env.Get("GIT_COMMON_DIR") != "" {
		return true
	}
	objects := env.Get("GIT_OBJECT_DIRECTORY") != "" || there(filepath.Join(dir, "objects"))
	return objects && there(filepath.Join(dir, "refs"))
}

// there reports whether something has that name, or nobody can tell.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil || !errors.Is(err, fs.ErrNotExist) && !gitfile.IsNotDir(err)
}

// runsInside is about a directory that is a git directory itself. One may be made of
// plain files anywhere in a work tree, and goes before the repository around: so it is
// trusted only as the .git of a trusted one.
func runsInside(at, dir string, env gitcmd.Environ, trusted []string) string {
	if common, ok := isGitDir(at, dir, env); ok && filepath.Base(at) == ".git" && isTrusted(at, common, trusted) {
		return ""
	}
	return "it is a bare repository"
}

// isTrusted reports whether a git directory is that of a trusted repository, or of a
// linked work tree that it keeps.
func isTrusted(gitDir, common string, trusted []string) bool {
	return slices.ContainsFunc(trusted, func(t string) bool {
		one, err := os.Stat(t)
		other, oerr := os.Stat(common)
		if err != nil || oerr != nil || !os.SameFile(one, other) {
			return false
		}
		real, err := filepath.EvalSymlinks(gitDir)
		if err != nil {
			return false
		}
		if base, err := filepath.EvalSymlinks(common); err == nil {
			return real == base || filepath.Dir(real) == filepath.Join(base, "worktrees")
		}
		return false
	})
}

// runsFrom is about the repository of a git directory that was found for the work
// tree at top, "" where GIT_DIR says which.
func runsFrom(gitDir, top, dir string, env gitcmd.Environ, trusted []string) string {
	common, ok := isGitDir(gitDir, dir, env)
	if !ok || !plainHead(gitDir) {
		return "it is not clear which repository git takes there"
	}
	if isTrusted(gitDir, common, trusted) {
		return ""
	}
	for _, file := range []string{filepath.Join(common, "config"), filepath.Join(gitDir, "config.worktree")} {
		if why := namesProgram(file, gitDir, top); why != "" {
			return why
		}
	}
	hooks, err := os.ReadDir(filepath.Join(common, "hooks"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "its hooks can't be read"
	}
	for _, h := range hooks {
		if !strings.HasSuffix(h.Name(), ".sample") {
			return fmt.Sprintf("it has a hook (%.40s)", h.Name())
		}
	}
	return ""
}

// plainHead reports whether a git directory's HEAD is one that git takes: the name of
// a ref, or a commit.
func plainHead(gitDir string) bool {
	path := filepath.Join(gitDir, "HEAD")
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<12 {
		return false
	}
	data, err := gitfile.ReadFile(path)
	if err != nil {
		return false
	}
	if name, ok := strings.CutPrefix(string(data), "ref:"); ok {
		return strings.HasPrefix(strings.TrimLeft(name, " \t\n\r"), "refs/")
	}
	_, err = plumbing.ParseOID(strings.TrimSpace(string(data)))
	return err == nil
}

// namesProgram says what a configuration file holds beside the keys that can name no
// program; "" for nothing. Includes are not followed: one is a reason.
func namesProgram(path, gitDir, top string) string {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil || !info.Mode().IsRegular() || info.Size() > maxConfigFile:
		return "its configuration can't be read"
	}
	settings, err := readConfigFile(path)
	if err != nil {
		return "its configuration can't be read"
	}
	for _, s := range settings {
		if !s.harmless(gitDir, top) {
			return fmt.Sprintf("its configuration has %.60s, which may name a program", s.Key)
		}
	}
	return ""
}
