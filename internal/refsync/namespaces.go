package refsync

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Namespaces asks a remote, for so long, under which namespaces it has records,
// whatever the one is that this clone uses: what their names begin with, each
// with a slash at its end, sorted. IsTask says whether a name is one that a task
// can have. The error is a *RemoteError.
func Namespaces(ctx context.Context, repo *gitstore.Repo, remote Remote, isTask func(id string) bool,
	patience time.Duration,
) ([]string, error) {
	config, err := repo.Config.Read(ctx)
	if err != nil {
		return nil, err
	}
	if err := remote.check(ctx, config); err != nil {
		return nil, err
	}
	args := append(remote.settings(config), "ls-remote", "--quiet", "--", remote.Name, tasksBelow()+anything,
		locksBelow()+anything,
		string(ledger.ArchiveRef), branches+"archive")
	out, err := remote.within(ctx, repo, patience, args)
	if err != nil {
		return nil, err
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if namespace := namespaceOf(name, isTask); namespace != "" {
			found = append(found, namespace)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// tasksBelow is where the names of tasks are below a namespace.
func tasksBelow() string { return strings.TrimPrefix(string(ledger.TaskRef("")), ledger.Prefix) }

// locksBelow is where the names of locks are below a namespace.
func locksBelow() string { return strings.TrimPrefix(string(ledger.LockRef("")), ledger.Prefix) }

// branches is the namespace of those who share where branches alone are taken.
const branches = "refs/heads/brew/"

// namespaceOf is what the name of a task's record or lock on a remote begins with, or
// that of an archive where it can only be ours; "" where it is none.
func namespaceOf(name string, isTask func(id string) bool) string {
	switch name {
	case string(ledger.ArchiveRef):
		return ledger.Prefix
	case branches + "archive":
		return branches
	}
	at := strings.LastIndexByte(name, '/') + 1
	namespace, ok := strings.CutSuffix(name[:at], "/"+tasksBelow())
	if !ok {
		namespace, ok = strings.CutSuffix(name[:at], "/"+locksBelow())
	}
	// Tracking refs of the remote's own are not what it has.
	if !ok || !isTask(name[at:]) || !strings.HasPrefix(namespace, "refs/") ||
		strings.HasPrefix(namespace, strings.TrimSuffix(ledger.AllTracking, "/")) {
		return ""
	}
	return namespace + "/"
}
