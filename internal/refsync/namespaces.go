package refsync

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Namespaces asks a remote, for so long, under which namespaces it has tasks,
// whatever the one is that this clone uses: what their names begin with, each
// with a slash at its end, sorted. IsTask says whether a name is one that a task
// can have. The error is a *RemoteError.
func Namespaces(ctx context.Context, repo *gitstore.Repo, remote Remote, isTask func(id string) bool, patience time.Duration) ([]string, error) {
	config, err := repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	if err := remote.check(ctx, config); err != nil {
		return nil, err
	}
	args := append(remote.settings(config), "ls-remote", "--quiet", "--", remote.Name, tasksBelow()+anything)
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

// namespaceOf is what the name of a task on a remote begins with, "" where it is
// no task's.
func namespaceOf(name string, isTask func(id string) bool) string {
	at := strings.LastIndexByte(name, '/') + 1
	namespace, ok := strings.CutSuffix(name[:at], "/"+tasksBelow())
	// Tracking refs of the remote's own are not what it has.
	if !ok || !isTask(name[at:]) || !strings.HasPrefix(namespace, "refs/") || strings.HasPrefix(namespace, strings.TrimSuffix(ledger.AllTracking, "/")) {
		return ""
	}
	return namespace + "/"
}
