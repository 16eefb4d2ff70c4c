package place

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Format is what a repository's own configuration says about its layout.
type Format struct {
	Bare           bool
	workTree       string // core.worktree, as written
	Reftable       bool
	WorktreeConfig bool
	Share          share
}

// share is core.sharedRepository: which permission bits files get beside the
// process's umask.
type share struct {
	mode    fs.FileMode // bits added, or the whole mode
	replace bool        // mode is the whole mode
}

// readFormat reads what git reads first: the repository's own file, without
// includes, then this work tree's.
func readFormat(commonDir, gitDir string) (Format, error) {
	var f Format
	path := filepath.Join(commonDir, "config")
	settings, err := readConfigFile(path)
	if err != nil {
		return Format{}, err
	}
	version := 0
	var unknown []string
	for _, s := range settings {
		switch s.Key {
		case "core.repositoryformatversion":
			if version, err = strconv.Atoi(s.Value); err != nil {
				return Format{}, fmt.Errorf("%w: repository format version %.20q in %s", plumbing.ErrUnsupported, s.Value, path)
			}
		default:
			if name, ok := strings.CutPrefix(s.Key, "extensions."); ok {
				if err := f.extension(name, s.Value, &unknown); err != nil {
					return Format{}, fmt.Errorf("%w in %s", err, path)
				}
				continue
			}
			f.core(s)
		}
	}
	if version > 1 || version < 0 {
		return Format{}, fmt.Errorf("%w: repository format version %d in %s", plumbing.ErrUnsupported, version, path)
	}
	// In format 0 git ignores extensions that it does not know.
	if version == 1 && len(unknown) > 0 {
		return Format{}, fmt.Errorf("%w: extension %q in %s", plumbing.ErrUnsupported, unknown[0], path)
	}
	if !f.WorktreeConfig {
		return f, nil
	}
	settings, err = readConfigFile(filepath.Join(gitDir, "config.worktree"))
	if err != nil {
		return Format{}, err
	}
	for _, s := range settings {
		f.core(s)
	}
	return f, nil
}

func (f *Format) extension(name, value string, unknown *[]string) error {
	switch name {
	case "noop", "noop-v1", "preciousobjects", "partialclone", "relativeworktrees":
	case "worktreeconfig":
		f.WorktreeConfig, _ = ParseBool(value)
	case "objectformat":
		if value != "sha1" {
			return fmt.Errorf("%w: object format %.20q", plumbing.ErrUnsupported, value)
		}
	case "compatobjectformat":
		return fmt.Errorf("%w: second object format %.20q", plumbing.ErrUnsupported, value)
	case "refstorage":
		switch storage, _, _ := strings.Cut(value, ":"); storage {
		case "files":
		case "reftable":
			f.Reftable = true
		default:
			return fmt.Errorf("%w: ref storage %.20q", plumbing.ErrUnsupported, value)
		}
	default:
		*unknown = append(*unknown, name)
	}
	return nil
}

func (f *Format) core(s Setting) {
	switch s.Key {
	case "core.bare":
		f.Bare, _ = ParseBool(s.Value)
	case "core.worktree":
		f.workTree = s.Value
	case "core.sharedrepository":
		f.Share = parseShare(s.Value)
	}
}

func parseShare(value string) share {
	switch strings.ToLower(value) {
	case "group", "1", "true", "yes", "on":
		return share{mode: 0o660}
	case "all", "world", "everybody", "2":
		return share{mode: 0o664}
	}
	mode, err := strconv.ParseUint(value, 8, 32)
	if err != nil || mode&0o600 != 0o600 {
		return share{} // the umask decides
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

// Apply gives a new file what the others of a shared repository need.
func (s share) Apply(file *os.File) error {
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

func readConfigFile(path string) ([]Setting, error) {
	data, err := gitfile.ReadFile(path)
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
