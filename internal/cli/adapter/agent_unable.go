package adapter

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks/place"
)

// OldestGit is the oldest git that knows all that is asked of it.
var OldestGit = [2]int{2, 30}

// TooOld reports whether git, by the version that it names, is older than that.
// What can't be read is not.
func TooOld(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return err1 == nil && err2 == nil && (major < OldestGit[0] || major == OldestGit[0] && minor < OldestGit[1])
}

// VersionOfGit is the version that git names, such as 2.39.5.
func VersionOfGit(ctx context.Context, s *app.App) (string, error) {
	out, err := s.Clone.Repo.Git.Run(ctx, "version")
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "git version "), err
}

// unable marks an error that every hook here would meet again (place.ErrUnable).
// Where a command of git failed, git is asked how old it is.
func unable(ctx context.Context, s *app.App, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, gitstore.ErrNoGit) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w", place.ErrUnable, err)
	}
	if _, failed := errors.AsType[*gitstore.CommandError](err); failed && s != nil {
		if version, verr := VersionOfGit(ctx, s); verr == nil && TooOld(version) {
			return fmt.Errorf("%w: git %s is too old; install git %d.%d or newer", place.ErrUnable, version, OldestGit[0],
				OldestGit[1])
		}
	}
	return err
}
