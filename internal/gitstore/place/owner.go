package place

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

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
