package refsync

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Found is what a remote says that it has.
type Found struct {
	Tasks   int // live ones
	Archive bool
	// Under is the namespace of those tasks where the remote has none, and no
	// archive, under the one that this clone uses; see Namespaces.
	Under string
}

// Any reports whether there is anything.
func (f Found) Any() bool { return f.Tasks > 0 || f.Archive }

// Ask asks a remote what it has, for so long, without asking the person for
// anything and without taking anything. IsTask is Namespaces'. The error is a
// *RemoteError.
func Ask(ctx context.Context, repo *gitstore.Repo, remote Remote, isTask func(id string) bool,
	patience time.Duration,
) (Found, error) {
	silent := repo.Silent(ctx)
	defer func() { _ = silent.Close() }()
	config, err := repo.Config.Read(ctx)
	if err != nil {
		return Found{}, err
	}
	if err := remote.check(ctx, config); err != nil {
		return Found{}, err
	}
	args := append(remote.settings(config), "ls-remote", "--quiet", "--", remote.Name,
		tasksBelow()+anything, string(remote.There(ledger.ArchiveRef)))
	out, err := remote.within(ctx, silent, patience, args)
	if err != nil {
		return Found{}, err
	}
	var f Found
	elsewhere := map[string]int{}
	for line := range strings.Lines(string(out)) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		switch {
		case strings.HasPrefix(name, string(remote.There(ledger.TaskRef("")))):
			f.Tasks++
		case name == string(remote.There(ledger.ArchiveRef)):
			f.Archive = true
		default:
			if namespace := namespaceOf(name, isTask); namespace != "" {
				elsewhere[namespace]++
			}
		}
	}
	if f.Any() || len(elsewhere) == 0 {
		return f, nil
	}
	f.Under = slices.Min(slices.Collect(maps.Keys(elsewhere)))
	f.Tasks = elsewhere[f.Under]
	return f, nil
}
