package config

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// loginPatience is how long a person has to unlock a key for ssh: as long as its
// server waits for them.
const loginPatience = 2 * time.Minute

// Arbiter is the remote that decides who holds a lock: brew.remote, once a
// person agreed to share with it. False: there is none, and this clone decides
// for itself.
func (s *Config) Arbiter(ctx context.Context) (refsync.Remote, bool, error) {
	set, err := s.Settings(ctx)
	if err != nil {
		return refsync.Remote{}, false, err
	}
	name := set.Text(KeyRemote)
	if name == "" {
		return refsync.Remote{}, false, nil
	}
	agreed, err := s.Clone.Consented(ctx, name)
	if err != nil || !agreed {
		return refsync.Remote{}, false, err
	}
	remote, err := s.Remote(ctx, name)
	if err != nil {
		return refsync.Remote{}, false, nil //nolint:nilerr // a remote that is gone decides nothing; 'git brew sync' says so
	}
	return remote, true, nil
}

// SharedWith reports whether a remote, by its name or its address, is the one
// that state is shared with.
func (s *Config) SharedWith(ctx context.Context, names ...string) bool {
	remote, ok, err := s.Arbiter(ctx)
	if err != nil || !ok {
		return false
	}
	config, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return false
	}
	known := append(config.All("remote."+remote.Name+".url"), config.All("remote."+remote.Name+".pushurl")...)
	known = append(known, remote.Name)
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(known, name) })
}

// Remote is a configured remote, with the names that records have there: those that
// were agreed on, else those of the setting.
func (s *Config) Remote(ctx context.Context, name string) (refsync.Remote, error) {
	config, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return refsync.Remote{}, err
	}
	if names := config.Remotes(); !slices.Contains(names, name) {
		hint := "there is none yet: add one with 'git remote add NAME URL'"
		if len(names) > 0 {
			hint = "there is " + strings.Join(names, ", ")
		}
		return refsync.Remote{}, clone.NotFound(hint, "no remote %q", name)
	}
	set, err := s.Settings(ctx)
	if err != nil {
		return refsync.Remote{}, err
	}
	remote := refsync.Remote{Name: name, Namespace: NamespaceOf(set), Silence: set.Period(KeySyncTimeout)}
	c, err := s.Clone.State(ctx)
	if err != nil {
		return refsync.Remote{}, err
	}
	if at := c.Consent(name); at >= 0 && c.Consents[at].Namespace != "" {
		remote.Namespace = c.Consents[at].Namespace
	}
	if s.Clone.Caller.Terminal {
		remote.Login = loginPatience
	}
	return remote, nil
}

// Namespace is what the names of records begin with on brew.remote, with a slash at
// its end; where there is none yet, what they would.
func (s *Config) Namespace(ctx context.Context) (string, error) {
	set, err := s.Settings(ctx)
	if err != nil {
		return "", err
	}
	if remote, err := s.RemoteFor(ctx, ""); err == nil {
		return remote.Namespace, nil
	}
	return NamespaceOf(set), nil
}

// NamespaceOf is what the setting says that the names of records begin with on a
// remote.
func NamespaceOf(set *Settings) string {
	if to := set.Text(KeySyncNamespace); to != "" {
		return strings.TrimSuffix(to, "/") + "/"
	}
	return ledger.Prefix
}

// RemoteFor chooses the remote to sync with: the one that is named, else
// brew.remote, else the one of the branch's upstream, else origin, else the
// only one.
func (s *Config) RemoteFor(ctx context.Context, name string) (refsync.Remote, error) {
	if name != "" {
		return s.Remote(ctx, name)
	}
	set, err := s.Settings(ctx)
	if err != nil {
		return refsync.Remote{}, err
	}
	if name = set.Text(KeyRemote); name != "" {
		remote, err := s.Remote(ctx, name)
		if missing, ok := errors.AsType[*clone.NotFoundError](err); ok {
			missing.Msg, missing.Hint = fmt.Sprintf("brew.remote is %q, and there is no such remote", name),
				"'git config brew.remote NAME' names another one"
		}
		return remote, err
	}
	config, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return refsync.Remote{}, err
	}
	names := config.Remotes()
	head, err := s.Clone.Repo.Refs.Head(ctx)
	if err == nil {
		if upstream, ok := config.Get("branch." + clone.HeadBranch(head) + ".remote"); ok &&
			slices.Contains(names, upstream) {
			return s.Remote(ctx, upstream)
		}
	}
	if slices.Contains(names, "origin") || len(names) != 1 {
		return s.Remote(ctx, "origin")
	}
	return s.Remote(ctx, names[0])
}

// RemotePatience is how long a remote has to answer.
const RemotePatience = 10 * time.Second

// RequiredError says that the repository asks for another git-brew than this one
// (KeyRequires), which only reads there.
type RequiredError struct{ Range, Have string }

func (e *RequiredError) Error() string {
	return fmt.Sprintf("this repository requires git-brew %s, and this is %s, which may only read here; install one "+
		"that fits; 'git brew config set requires '*'' passes over it in this clone", e.Range, e.Have)
}

// MayChange asks whether the caller, with this program, changes records here.
func (s *Config) MayChange(ctx context.Context) error {
	if err := s.Clone.Caller.CheckSession(); err != nil {
		return err
	}
	return s.Required(ctx)
}

// Required is a *RequiredError where the repository asks for another git-brew. It is
// asked when a change begins: what it reads of settings is forgotten again, for the
// change may be one of theirs.
func (s *Config) Required(ctx context.Context) error {
	known := s.settings
	defer func() { s.settings = known }()
	set, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	return s.within(set.Text(KeyRequires))
}

// within holds the program's version to a range, "" for any. A build that is of no
// release is in every range: nobody knows which one it will be.
func (s *Config) within(allowed string) error {
	if allowed == "" || s.Clone.Version == nil {
		return nil
	}
	have, err := semver.NewVersion(s.Clone.Version())
	if err != nil || have.Prerelease() != "" {
		return nil //nolint:nilerr // a development build has no version
	}
	of, err := semver.NewConstraint(allowed)
	if err != nil || of.Check(have) {
		return nil //nolint:nilerr // one that is not valid is a warning of Settings
	}
	return &RequiredError{Range: allowed, Have: have.String()}
}
