package workflow

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// otherNamespaces are those that a remote has tasks under and this clone does not
// use, and whether it has some under the one that it uses.
func (s *Service) otherNamespaces(ctx context.Context, remote refsync.Remote, patience time.Duration) (others []string, ours bool, err error) {
	found, err := refsync.Namespaces(ctx, s.repo, remote, isTask, patience)
	others = slices.DeleteFunc(found, func(name string) bool {
		mine := name == string(remote.There(ledger.Prefix))
		ours = ours || mine
		return mine
	})
	return others, ours, err
}

// isTask reports whether a name is one that a task can have.
func isTask(id string) bool { _, err := task.ParseID(id); return err == nil }

// oneNamespace refuses to begin to share with a remote under another namespace
// than those do who share there already: nobody would see the others' tasks, and
// two would hold the same lock. Where both are in use it is said. What can't be
// asked the sync itself tells.
func (s *Service) oneNamespace(ctx context.Context, remote refsync.Remote) (note string, err error) {
	others, ours, err := s.otherNamespaces(ctx, remote, remotePatience)
	if err != nil || len(others) == 0 {
		return "", ctx.Err()
	}
	if ours {
		return apartWords(remote, others) + "; 'git brew doctor' says more", nil
	}
	return "", elsewhere(remote, others)
}

// notApart refuses to push to a remote that has no task under our namespace where it
// has some under another one: they were moved there, or here a setting is not what
// it was.
func (s *Service) notApart(ctx context.Context, remote refsync.Remote) error {
	others, ours, err := s.otherNamespaces(ctx, remote, remotePatience)
	if err != nil || ours || len(others) == 0 {
		return err
	}
	return elsewhere(remote, others)
}

// elsewhere is the refusal to share with a remote beside the others.
func elsewhere(remote refsync.Remote, others []string) error {
	return refuse(namespaceAdvice(others[0]), "%s has its tasks under %s", remote.Name, strings.TrimSuffix(others[0], "/"))
}

// namespaceAdvice is how a clone comes to use a namespace.
func namespaceAdvice(name string) string { return "'" + namespaceCommand(name) + "' and sync again" }

func namespaceCommand(name string) string {
	if name == ledger.Prefix {
		return "git config --unset brew.sync.namespace"
	}
	return "git config brew.sync.namespace " + strings.TrimSuffix(name, "/")
}

func apartWords(remote refsync.Remote, others []string) string {
	return remote.Name + " has tasks under " + strings.TrimSuffix(strings.Join(others, ", "), "/") + " too, which are not shared with this clone"
}
