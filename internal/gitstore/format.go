package gitstore

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// format is what a repository's own configuration says about its layout.
type format struct {
	bare           bool
	workTree       string // core.worktree, as written
	reftable       bool
	worktreeConfig bool
	share          share
}

// share is core.sharedRepository: which permission bits files get beside the
// process's umask.
type share struct {
	mode    fs.FileMode // bits added, or the whole mode
	replace bool        // mode is the whole mode
}

// readFormat reads what git reads first: the repository's own file, without
// includes, then this work tree's.
func readFormat(commonDir, gitDir string) (format, error) {
	var f format
	path := filepath.Join(commonDir, "config")
	settings, err := readConfigFile(path)
	if err != nil {
		return format{}, err
	}
	version := 0
	var unknown []string
	for _, s := range settings {
		switch s.key {
		case "core.repositoryformatversion":
			if version, err = strconv.Atoi(s.value); err != nil {
				return format{}, fmt.Errorf("%w: repository format version %.20q in %s", ErrUnsupported, s.value, path)
			}
		default:
			if name, ok := strings.CutPrefix(s.key, "extensions."); ok {
				if err := f.extension(name, s.value, &unknown); err != nil {
					return format{}, fmt.Errorf("%w in %s", err, path)
				}
				continue
			}
			f.core(s)
		}
	}
	if version > 1 || version < 0 {
		return format{}, fmt.Errorf("%w: repository format version %d in %s", ErrUnsupported, version, path)
	}
	// In format 0 git ignores extensions that it does not know.
	if version == 1 && len(unknown) > 0 {
		return format{}, fmt.Errorf("%w: extension %q in %s", ErrUnsupported, unknown[0], path)
	}
	if !f.worktreeConfig {
		return f, nil
	}
	settings, err = readConfigFile(filepath.Join(gitDir, "config.worktree"))
	if err != nil {
		return format{}, err
	}
	for _, s := range settings {
		f.core(s)
	}
	return f, nil
}

func (f *format) extension(name, value string, unknown *[]string) error {
	switch name {
	case "noop", "noop-v1", "preciousobjects", "partialclone", "relativeworktrees":
	case "worktreeconfig":
		f.worktreeConfig, _ = parseBool(value)
	case "objectformat":
		if value != "sha1" {
			return fmt.Errorf("%w: object format %.20q", ErrUnsupported, value)
		}
	case "compatobjectformat":
		return fmt.Errorf("%w: second object format %.20q", ErrUnsupported, value)
	case "refstorage":
		switch storage, _, _ := strings.Cut(value, ":"); storage {
		case "files":
		case "reftable":
			f.reftable = true
		default:
			return fmt.Errorf("%w: ref storage %.20q", ErrUnsupported, value)
		}
	default:
		*unknown = append(*unknown, name)
	}
	return nil
}

func (f *format) core(s setting) {
	switch s.key {
	case "core.bare":
		f.bare, _ = parseBool(s.value)
	case "core.worktree":
		f.workTree = s.value
	case "core.sharedrepository":
		f.share = parseShare(s.value)
	}
}

func parseShare(value string) share {
	switch strings.ToLower(value) {
	case "group", "1":
		return share{mode: 0o660}
	case "all", "world", "everybody", "2":
		return share{mode: 0o664}
	case "umask", "0":
		return share{}
	}
	if yes, ok := parseBool(value); ok {
		if yes {
			return share{mode: 0o660}
		}
		return share{}
	}
	mode, err := strconv.ParseUint(value, 8, 32)
	if err != nil || mode&0o600 != 0o600 {
		return share{}
	}
	return share{mode: fs.FileMode(mode) & 0o666, replace: true}
}

// file is the mode for a file that git would give have.
func (s share) file(have fs.FileMode) fs.FileMode {
	if s.mode == 0 {
		return have
	}
	tweak := s.mode
	if have&0o200 == 0 {
		tweak &^= 0o222
	}
	if s.replace {
		return have&^0o777 | tweak
	}
	return have | tweak
}

// apply gives a new file what the others of a shared repository need.
func (s share) apply(file *os.File) error {
	if s.mode == 0 {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if mode := s.file(info.Mode().Perm()); mode != info.Mode().Perm() {
		return file.Chmod(mode)
	}
	return nil
}

// dir is the mode for a directory: whoever may read it may enter it, and what
// is made in it belongs to its group.
func (s share) dir(have fs.FileMode) fs.FileMode {
	if s.mode == 0 {
		return have
	}
	mode := s.mode
	if !s.replace {
		mode |= have & 0o777
	}
	mode |= mode & 0o444 >> 2
	return mode | fs.ModeSetgid | 0o700
}

func readConfigFile(path string) ([]setting, error) {
	data, err := ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	settings, err := parseConfigFile(data)
	if err != nil {
		return nil, fmt.Errorf("open repository: read %s: %w", path, err)
	}
	return settings, nil
}
