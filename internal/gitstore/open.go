package gitstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// discover finds a repository as git does: GIT_DIR, else the first of dir and
// its parents that is, or has, a git directory.
func discover(dir string, env environ) (layout, error) {
	if explicit := env.get("GIT_DIR"); explicit != "" {
		gitDir, err := followGitFile(absFrom(dir, explicit))
		if err != nil {
			return layout{}, err
		}
		common, ok := isGitDir(gitDir, dir, env)
		if !ok {
			return layout{}, fmt.Errorf("%w: %s", ErrNotRepository, gitDir)
		}
		return open(gitDir, common, dir, dir, env)
	}
	ceilings := ceilingDirs(env.get("GIT_CEILING_DIRECTORIES"))
	across, _ := parseBool(env.get("GIT_DISCOVERY_ACROSS_FILESYSTEM"))
	device, err := deviceOf(dir)
	if err != nil {
		return layout{}, fmt.Errorf("open repository: %w", err)
	}
	for at := dir; ; {
		dotGit := filepath.Join(at, ".git")
		if info, err := os.Stat(dotGit); err == nil {
			gitDir := dotGit
			if !info.IsDir() {
				if gitDir, err = followGitFile(dotGit); err != nil {
					return layout{}, err
				}
			}
			if common, ok := isGitDir(gitDir, dir, env); ok {
				if err := checkOwner(dir, env, at, dotGit, gitDir); err != nil {
					return layout{}, err
				}
				return open(gitDir, common, at, dir, env)
			}
			if gitDir != dotGit {
				return layout{}, fmt.Errorf("%w: %s points to %s, which is none", ErrNotRepository, dotGit, gitDir)
			}
		}
		if common, ok := isGitDir(at, dir, env); ok {
			if err := checkOwner(dir, env, at); err != nil {
				return layout{}, err
			}
			return open(at, common, "", dir, env)
		}
		parent := filepath.Dir(at)
		if parent == at || ceilings[at] || ceilings[parent] {
			return layout{}, fmt.Errorf("%w: %s, nor any of the parent directories", ErrNotRepository, dir)
		}
		if up, err := deviceOf(parent); err != nil || up != device && !across {
			return layout{}, fmt.Errorf("%w: %s, nor any of the parent directories on this file system", ErrNotRepository, dir)
		}
		at = parent
	}
}

// open completes the layout from a git directory. top is the work tree that
// follows from the place where it was found, "" for none.
func open(gitDir, common, top, dir string, env environ) (layout, error) {
	l := layout{gitDir: gitDir, commonDir: common, workTree: top}
	err := waitsForNobody(filepath.Join(gitDir, "HEAD"), filepath.Join(common, "shallow"))
	if err != nil {
		return layout{}, &UnreadableError{CommonDir: common, Err: fmt.Errorf("open repository: %w", err)}
	}
	if l.format, err = readFormat(common, gitDir); err != nil {
		return layout{}, &UnreadableError{CommonDir: common, Err: err}
	}
	l.objectDir = filepath.Join(common, "objects")
	if objects := env.get("GIT_OBJECT_DIRECTORY"); objects != "" {
		l.objectDir = absFrom(dir, objects)
	}
	linked := gitDir != common
	switch tree := env.get("GIT_WORK_TREE"); {
	case tree != "":
		l.workTree = absFrom(dir, tree)
	case l.format.workTree != "" && !linked && !l.format.bare:
		l.workTree = absFrom(gitDir, l.format.workTree)
	case l.format.bare && !linked:
		l.workTree = ""
	}
	return l, nil
}

// isGitDir has git's own test: a plausible HEAD, objects and refs. It gives
// the common directory.
func isGitDir(gitDir, dir string, env environ) (common string, ok bool) {
	head, err := os.Lstat(filepath.Join(gitDir, "HEAD"))
	if err != nil || head.IsDir() {
		return "", false
	}
	if common, err = commonDirOf(gitDir, dir, env); err != nil {
		return "", false
	}
	if env.get("GIT_OBJECT_DIRECTORY") == "" && !isDir(filepath.Join(common, "objects")) {
		return "", false
	}
	return common, isDir(filepath.Join(common, "refs"))
}

func commonDirOf(gitDir, dir string, env environ) (string, error) {
	if common := env.get("GIT_COMMON_DIR"); common != "" {
		return absFrom(dir, common), nil
	}
	data, err := ReadFile(filepath.Join(gitDir, "commondir"))
	switch {
	case errors.Is(err, fs.ErrNotExist), isNotDir(err):
		return gitDir, nil
	case err != nil:
		return "", fmt.Errorf("open repository: %w", err)
	}
	return absFrom(gitDir, strings.TrimRight(string(data), "\r\n")), nil
}

// followGitFile gives the directory that a ".git" file points to; a directory
// is returned as it is.
func followGitFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNotRepository, err)
	}
	if info.IsDir() {
		return path, nil
	}
	if !info.Mode().IsRegular() || info.Size() > 1<<16 {
		return "", fmt.Errorf("%w: %s is neither a directory nor a file that points to one", ErrNotRepository, path)
	}
	data, err := ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("open repository: %w", err)
	}
	target, ok := strings.CutPrefix(string(data), "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	if !ok || target == "" {
		return "", fmt.Errorf("%w: %s does not start with \"gitdir: \"", ErrNotRepository, path)
	}
	return absFrom(filepath.Dir(path), target), nil
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

func absFrom(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}
