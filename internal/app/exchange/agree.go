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
	note, err := s.beside(remote, others, inUse)
	return remote, note, err
}

// beside refuses to push to a remote that has nothing under our namespace where it
// has something under another one: it was moved there, or here a setting is not what
// it was. Where both are in use, that is noted, and no lock counts as confirmed.
func (s *Exchange) beside(remote refsync.Remote, others []string, ours bool) (note string, err error) {
	switch {
	case len(others) == 0:
		_ = os.Remove(s.Clone.SyncFile(clone.SyncApart))
		return "", nil
	case !ours:
		return "", clone.Refuse("'"+NamespaceCommand(others[0])+"' and sync again", "%s has its tasks under %s",
			remote.Name, strings.TrimSuffix(others[0], "/"))
	}
	_ = s.Clone.Repo.WriteCache(clone.SyncApart, []byte(remote.Name+"\n"))
	return ApartWords(remote, others) + "; 'git brew doctor' says more", nil
}

// agreeing asks a remote before anything is pushed; see beside.
func (s *Exchange) agreeing(ctx context.Context, remote refsync.Remote, out *SyncReport) error {
	others, ours, err := s.OtherNamespaces(ctx, remote, max(config.RemotePatience, remote.Silence))
	if err != nil {
		return err
	}
	note, err := s.beside(remote, others, ours)
	if note != "" && !slices.Contains(out.Notes, note) {
		out.Notes = append(out.Notes, note)
	}
	return err
}

// IsApart reports whether a remote was last seen to have two namespaces in use: two may
// hold the same lock there.
func (s *Exchange) IsApart(remote refsync.Remote) bool {
	data, err := gitfile.ReadFile(s.Clone.SyncFile(clone.SyncApart))
	return err == nil && strings.TrimSpace(string(data)) == remote.Name
}

// NamespaceCommand is the command by which a clone comes to use a namespace.
func NamespaceCommand(name string) string {
	if name == ledger.Prefix {
		return "git config --unset brew.sync.namespace"
	}
	return "git config brew.sync.namespace " + strings.TrimSuffix(name, "/")
}

// ApartWords say that a remote has other namespaces in use beside ours.
func ApartWords(remote refsync.Remote, others []string) string {
	return remote.Name + " has tasks under " + strings.TrimSuffix(strings.Join(others, ", "), "/") +
		" too, which are not shared with this clone"
}

// arrange makes a remote one that state is shared with, where it is not: by the
// first sync of a person, or the next one where brew.remote was taken away or
// the names there are others now. It gives the remote with the namespace in force.
func (s *Exchange) arrange(ctx context.Context, remote refsync.Remote, r SyncRequest, agreed bool,
	out *SyncReport,
) (refsync.Remote, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return remote, err
	}
	named := r.Remote != "" || set.Text(config.KeyRemote) != ""
	if s.Clone.Caller.Agent() {
		if agreed && named {
			return remote, nil
		}
		agreed = false // nobody shares any more: an old word does not count
	} else if to := config.NamespaceOf(set); !agreed || to != remote.Namespace {
		before := remote
		var note string
		if remote, note, err = s.settleNamespace(ctx, remote, agreed, to); err != nil {
			return remote, err
		}
		if note != "" {
			out.Notes = append(out.Notes, note)
		}
		agreed = agreed && remote == before
	}
	out.First = !agreed
	if agreed && named {
		conf, err := s.Clone.Repo.Config.Read(ctx)
		if err != nil || fetchesFrom(conf.All("remote."+remote.Name+".fetch"), remote) {
			return remote, err
		}
	}
	return remote, s.agree(ctx, remote, r.Share)
}

// fetchesFrom reports that refspecs bring what is live on a remote, or nothing of ours.
func fetchesFrom(have []string, remote refsync.Remote) bool {
	ours := slices.ContainsFunc(have, func(spec string) bool {
		return strings.Contains(spec, ":"+ledger.TrackingPrefix(remote.Name))
	})
	return !ours || !slices.ContainsFunc(remote.FetchRefspecs(), func(spec string) bool {
		return !slices.Contains(have, spec)
	})
}

// agree records that the caller wants to share with a remote: a person does,
// by the first sync; an agent can't.
func (s *Exchange) agree(ctx context.Context, remote refsync.Remote,
	share func(ctx context.Context, remote refsync.Remote) error,
) error {
	if c := s.Clone.Caller.Reached(); c.Agent() {
		return clone.Refuse(c.InTerminal("the user runs 'git brew sync' once"), "nothing is shared with %s yet", remote.Name)
	}
	if share != nil {
		if err := share(ctx, remote); err != nil {
			return err
		}
	}
	s.Config.Forget()
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return err
	}
	if set.Text(config.KeyRemote) == "" {
		s.Config.Forget()
		if err := s.Clone.Repo.Config.Set(ctx, "brew."+string(config.KeyRemote), remote.Name); err != nil {
			return err
		}
	}
	return s.Clone.Consent(ctx, remote)
}
