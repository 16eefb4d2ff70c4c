package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// found is a git directory, and the way that led there.
type found struct {
	gitDir, common string
	top            string   // the work tree that follows from the place; "" for none
	owned          []string // what has to be the caller's own; see checkOwner
}

// discover finds a repository as git does, and looks how it is laid out.
func discover(dir string, env gitcmd.Environ) (Place, error) {
	f, err := search(dir, env)
	if err != nil {
		return Place{}, err
	}
	if f.gitDir == "" {
		return Place{}, fmt.Errorf("%w: %s, nor any of the parent directories", plumbing.ErrNotRepository, dir)
	}
	if err := checkOwner(dir, env, f.owned...); err != nil {
		return Place{}, err
	}
	return open(f, dir, env)
}

// search finds a git directory as git does: GIT_DIR, else the first of dir and
// its parents that is, or has, one. The zero value: there is none.
func search(dir string, env gitcmd.Environ) (found, error) {
	if explicit := env.Get("GIT_DIR"); explicit != "" {
		gitDir, err := followGitFile(AbsFrom(dir, explicit))
		if err != nil {
			return found{}, err
		}
		common, ok := isGitDir(gitDir, dir, env)
		if !ok {
			return found{}, fmt.Errorf("%w: %s", plumbing.ErrNotRepository, gitDir)
		}
		return found{gitDir: gitDir, common: common, top: dir}, nil
	}
	ceilings := ceilingDirs(env.Get("GIT_CEILING_DIRECTORIES"))
	across, _ := ParseBool(env.Get("GIT_DISCOVERY_ACROSS_FILESYSTEM"))
	device, err := gitfile.DeviceOf(dir)
	if err != nil {
		return found{}, fmt.Errorf("open repository: %w", err)
	}
	for at := dir; ; {
		dotGit := filepath.Join(at, ".git")
		if info, err := os.Stat(dotGit); err == nil {
			gitDir := dotGit
			if !info.IsDir() {
				if gitDir, err = followGitFile(dotGit); err != nil {
					return found{}, err
				}
			}
			if common, ok := isGitDir(gitDir, dir, env); ok {
				return found{gitDir, common, at, []string{at, dotGit, gitDir}}, nil
			}
			if gitDir != dotGit {
				return found{}, fmt.Errorf("%w: %s points to %s, which is none", plumbing.ErrNotRepository, dotGit, gitDir)
			}
		}
		if common, ok := isGitDir(at, dir, env); ok {
			return found{at, common, "", []string{at}}, nil
		}
		parent := filepath.Dir(at)
		up, err := gitfile.DeviceOf(parent)
		switch {
		case err != nil:
			return found{}, fmt.Errorf("open repository: %w", err)
		case parent == at, ceilings[at], ceilings[parent], up != device && !across:
			return found{}, nil
		}
		at = parent
	}
}

// open completes the place from a git directory.
func open(f found, dir string, env gitcmd.Environ) (Place, error) {
	gitDir, common := f.gitDir, f.common
	l := Place{GitDir: gitDir, CommonDir: common, WorkTree: f.top}
	err := gitfile.WaitsForNobody(filepath.Join(gitDir, "HEAD"), filepath.Join(common, "shallow"))
	if err != nil {
		return Place{}, &plumbing.UnreadableError{CommonDir: common, Err: fmt.Errorf("open repository: %w", err)}
	}
	if l.Format, err = readFormat(common, gitDir); err != nil {
		return Place{}, &plumbing.UnreadableError{CommonDir: common, Err: err}
	}
	l.ObjectDir = filepath.Join(common, "objects")
	if objects := env.Get("GIT_OBJECT_DIRECTORY"); objects != "" {
		l.ObjectDir = AbsFrom(dir, objects)
	}
	linked := gitDir != common
	switch tree := env.Get("GIT_WORK_TREE"); {
	case tree != "":
		l.WorkTree = AbsFrom(dir, tree)
	case l.Format.workTree != "" && !linked && !l.Format.Bare:
		l.WorkTree = AbsFrom(gitDir, l.Format.workTree)
	case l.Format.Bare && !linked:
		l.WorkTree = ""
	}
	return l, nil
}

// isGitDir has git's own test: a HEAD, objects and refs, whatever they are. It gives
// the common directory.
func isGitDir(gitDir, dir string, env gitcmd.Environ) (common string, ok bool) {
	head, err := os.Lstat(filepath.Join(gitDir, "HEAD"))
	if err != nil || head.IsDir() {
		return "", false
	}
	if common, err = commonDirOf(gitDir, dir, env); err != nil {
		return "", false
	}
	if env.Get("GIT_OBJECT_DIRECTORY") == "" && !exists(filepath.Join(common, "objects")) {
		return "", false
	}
	return common, exists(filepath.Join(common, "refs"))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func commonDirOf(gitDir, dir string, env gitcmd.Environ) (string, error) {
	if common := env.Get("GIT_COMMON_DIR"); common != "" {
		return AbsFrom(dir, common), nil
	}
	data, err := gitfile.ReadFile(filepath.Join(gitDir, "commondir"))
	switch {
	case errors.Is(err, fs.ErrNotExist), gitfile.IsNotDir(err):
		return gitDir, nil
	case err != nil:
		return "", fmt.Errorf("open repository: %w", err)
	}
	return AbsFrom(gitDir, strings.TrimRight(string(data), "\r\n")), nil
}

// followGitFile gives the directory that a ".git" file points to; a directory
// is returned as it is.
func followGitFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%w: %w", plumbing.ErrNotRepository, err)
	}
	if info.IsDir() {
		return path, nil
	}
	if !info.Mode().IsRegular() || info.Size() > 1<<16 {
		return "", fmt.Errorf("%w: %s is neither a directory nor a file that points to one", plumbing.ErrNotRepository, path)
	}
	data, err := gitfile.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("open repository: %w", err)
	}
	target, ok := strings.CutPrefix(string(data), "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	if !ok || target == "" {
		return "", fmt.Errorf("%w: %s does not start with \"gitdir: \"", plumbing.ErrNotRepository, path)
	}
	return AbsFrom(filepath.Dir(path), target), nil
}

func ceilingDirs(list string) map[string]bool {
	dirs := map[string]bool{}
	for _, dir := range filepath.SplitList(list) {
		if filepath.IsAbs(dir) {
			dirs[filepath.Clean(dir)] = true
		}
	}
	return dirs
}

func AbsFrom(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}
