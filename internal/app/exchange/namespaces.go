package exchange

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// OtherNamespaces are those that a remote has tasks under and this clone does not
// use, and whether it has some under the one that it uses.
func (s *Exchange) OtherNamespaces(ctx context.Context, remote refsync.Remote,
	patience time.Duration,
) (others []string, ours bool, err error) {
	found, err := refsync.Ask(ctx, s.Clone.Repo, remote, isTask, patience)
	mine := string(remote.There(ledger.Prefix))
	_, ours = found[mine]
	delete(found, mine)
	return slices.Sorted(maps.Keys(found)), ours, err
}

// isTask reports whether a name is one that a task can have.
func isTask(id string) bool { _, err := task.ParseID(id); return err == nil }

// settleNamespace decides under which namespace a sync by hand shares with a remote:
// under the one of the setting, to, where nobody shares there yet, or all who do use
// it; under the agreed one, with a note, where that is in use and the other is not.
// It refuses to begin beside those who share there already: nobody would see the
// others' tasks, and two would hold the same lock.
func (s *Exchange) settleNamespace(ctx context.Context, remote refsync.Remote, agreed bool,
	to string,
) (refsync.Remote, string, error) {
	before := remote
	remote.Namespace = to
	others, inUse, err := s.OtherNamespaces(ctx, remote, max(config.RemotePatience, remote.Silence))
	if err != nil {
		return before, "", err
	}
	if agreed && slices.Contains(others, before.Namespace) && !inUse {
		remote = before
		return remote, fmt.Sprintf("brew.sync.namespace says %s, and what is shared with %s stays under %s, as agreed",
			strings.TrimSuffix(to, "/"), remote.Name, strings.TrimSuffix(remote.Namespace, "/")), nil
	}
	switch {
	case len(others) == 0:
		return remote, "", nil
	case !inUse:
		return remote, "", elsewhere(remote, others)
	}
	return remote, s.noteApart(remote, others), nil
}

// noteApart remembers, and says, that a remote has other namespaces in use beside ours.
func (s *Exchange) noteApart(remote refsync.Remote, others []string) string {
	_ = s.Clone.Repo.WriteCache(clone.SyncApart, []byte(remote.Name+"\n"))
	return ApartWords(remote, others) + "; 'git brew doctor' says more"
}

// agreeing refuses to push to a remote that has nothing under our namespace where it
// has something under another one: it was moved there, or here a setting is not what
// it was. Where both are in use, that is noted, and no lock counts as confirmed.
func (s *Exchange) agreeing(ctx context.Context, remote refsync.Remote, out *SyncReport) error {
	others, ours, err := s.OtherNamespaces(ctx, remote, max(config.RemotePatience, remote.Silence))
	if err != nil {
		return err
	}
	if len(others) == 0 {
		_ = os.Remove(s.Clone.SyncFile(clone.SyncApart))
		return nil
	}
	if !ours {
		return elsewhere(remote, others)
	}
	if note := s.noteApart(remote, others); !slices.Contains(out.Notes, note) {
		out.Notes = append(out.Notes, note)
	}
	return nil
}

// IsApart reports whether a remote was last seen to have two namespaces in use: two may
// hold the same lock there.
func (s *Exchange) IsApart(remote refsync.Remote) bool {
	data, err := gitfile.ReadFile(s.Clone.SyncFile(clone.SyncApart))
	return err == nil && strings.TrimSpace(string(data)) == remote.Name
}

// elsewhere is the refusal to share with a remote beside the others.
func elsewhere(remote refsync.Remote, others []string) error {
	return clone.Refuse(namespaceAdvice(others[0]), "%s has its tasks under %s", remote.Name,
		strings.TrimSuffix(others[0], "/"))
}

// namespaceAdvice is how a clone comes to use a namespace.
func namespaceAdvice(name string) string { return "'" + NamespaceCommand(name) + "' and sync again" }

func NamespaceCommand(name string) string {
	if name == ledger.Prefix {
		return "git config --unset brew.sync.namespace"
	}
	return "git config brew.sync.namespace " + strings.TrimSuffix(name, "/")
}

func ApartWords(remote refsync.Remote, others []string) string {
	return remote.Name + " has tasks under " + strings.TrimSuffix(strings.Join(others, ", "), "/") +
		" too, which are not shared with this clone"
}
