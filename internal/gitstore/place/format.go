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
	unsupported := func(what, value string) (Format, error) {
		return Format{}, fmt.Errorf("%w: %s %.40s in %s", plumbing.ErrUnsupported, what, value, path)
	}
	version, unknown := "0", ""
	for _, s := range settings {
		switch s.Key {
		case "core.repositoryformatversion":
			version = s.Value
		case "extensions.noop", "extensions.noop-v1", "extensions.preciousobjects", "extensions.partialclone",
			"extensions.relativeworktrees":
		case "extensions.worktreeconfig":
			f.WorktreeConfig, _ = ParseBool(s.Value)
		case "extensions.objectformat":
			if s.Value != "sha1" {
				return unsupported("object format", strconv.Quote(s.Value))
			}
		case "extensions.compatobjectformat":
			return unsupported("second object format", strconv.Quote(s.Value))
		case "extensions.refstorage":
			storage, _, _ := strings.Cut(s.Value, ":")
			if f.Reftable = storage == "reftable"; !f.Reftable && storage != "files" {
				return unsupported("ref storage", strconv.Quote(s.Value))
			}
		default:
			if name, is := strings.CutPrefix(s.Key, "extensions."); is {
				unknown = name
			}
			f.core(s)
		}
	}
	switch {
	case version != "0" && version != "1":
		return unsupported("repository format version", version)
	case version == "1" && unknown != "": // in format 0 git ignores extensions that it does not know
		return unsupported("extension", strconv.Quote(unknown))
	case !f.WorktreeConfig:
		return f, nil
	}
	settings, err = readConfigFile(filepath.Join(gitDir, "config.worktree"))
	for _, s := range settings {
		f.core(s)
	}
	return f, err
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
