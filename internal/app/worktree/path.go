package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLinks is how many symbolic links a path may lead through, as with most
// systems.
const maxLinks = 40

const maxPathBytes = 4096

// errNoPath is returned for what can't be a path, or leads nowhere.
var errNoPath = errors.New("no path that can be followed")

// ResolvePath follows an absolute path as the system does when a file is opened
// for writing: link by link, the last one and dangling ones too, ".." from where
// a link led. What does not exist is kept as it is written.
func ResolvePath(path string) (string, error) {
	if !filepath.IsAbs(path) || len(path) > maxPathBytes || strings.ContainsRune(path, 0) {
		return "", errNoPath
	}
	volume := filepath.VolumeName(path)
	todo := SplitPath(path[len(volume):])
	root := volume + string(filepath.Separator)
	at := root
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, part)
		target, err := os.Readlink(next)
		if err != nil {
			at = next // no link, or nothing there
			continue
		}
		if links++; links > maxLinks {
			return "", errNoPath
		}
		todo = slices.Concat(SplitPath(strings.TrimPrefix(target, volume)), todo)
		if filepath.IsAbs(target) {
			at = root
		}
	}
	return at, nil
}

func SplitPath(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}

// readings are the files that a path may mean to whoever writes it: as it stands
// or tidied up before it is followed, with ~ as the home directory, without the
// blanks around it. Relative ones start in dir.
func readings(path, dir, home string) ([]string, error) {
	var found, followed []string
	for _, text := range []string{path, strings.TrimSpace(path)} {
		spelled := []string{text}
		if rest, ok := strings.CutPrefix(text, "~"); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
			spelled = append(spelled, filepath.Join(home, rest))
		}
		if rest, ok := strings.CutPrefix(text, "file://"); ok {
			spelled = append(spelled, rest)
		}
		for _, p := range spelled {
			if p == "" || len(p) > maxPathBytes {
				return nil, errNoPath
			}
			if !filepath.IsAbs(p) {
				p = dir + string(filepath.Separator) + p
			}
			for _, p := range []string{p, filepath.Clean(p)} {
				if slices.Contains(followed, p) {
					continue
				}
				followed = append(followed, p)
				at, err := ResolvePath(p)
				if err != nil {
					return nil, err
				}
				if !slices.Contains(found, at) {
					found = append(found, at)
				}
			}
		}
	}
	return found, nil
}

// WorkTreesOf are the tops of the work trees that a path lies in that somebody is
// about to write: by what it may mean from dir, with ~ as the home directory.
func WorkTreesOf(path, dir, home string) []string {
	files, err := readings(path, dir, home)
	if err != nil {
		return nil // nothing can be written there either
	}
	var tops []string
	for _, file := range files {
		if top := workTreeOf(filepath.Join(file, "x")); top != "" && !slices.Contains(tops, top) {
			tops = append(tops, top)
		}
	}
	return tops
}

// Within gives the way from a directory to a path below it, with slashes; ".":
// the directory itself.
func Within(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// below reports whether a path is one of the directories, or lies below it, by
// whatever name: file systems that don't tell case, or have something mounted
// twice, call one file many names.
func below(path string, dirs ...string) bool {
	for _, dir := range dirs {
		if _, ok := Within(dir, path); ok {
			return true
		}
	}
	infos := make([]fs.FileInfo, 0, len(dirs))
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil {
			infos = append(infos, info)
		}
	}
	for at := path; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil {
			for _, dir := range infos {
				if os.SameFile(info, dir) {
					return true
				}
			}
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// oneOf tells whether a resolved path is one of the others, there or not, by
// whatever names.
func oneOf(path string) func(other string) bool {
	is, err := os.Stat(path)
	return func(other string) bool {
		if err != nil { // not there, so the other one may be it by its name alone
			real, err := ResolvePath(other)
			return err == nil && real == path
		}
		info, err := os.Stat(other)
		return err == nil && os.SameFile(is, info)
	}
}

// sameFile reports whether two paths are one file, there or not.
func sameFile(a, b string) bool { return a == b || oneOf(a)(b) }
