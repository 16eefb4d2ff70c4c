package workflow

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/refsync"
)

// Consent says that a person wants this clone's state to be shared with a
// remote: the first sync by hand gives it. Without it nothing is ever pushed.
type Consent struct {
	Remote string `json:"remote"`
	// Namespace is what the names of records begin with there, with a slash at its
	// end: all who share there agree on one, and so it changes only by a sync by
	// hand that has asked for the others' first.
	Namespace string `json:"namespace"`
	At        string `json:"at"`
	By        string `json:"by"`
}

// consentFile, in this clone's own record, holds the consents: a copied
// directory is another clone, and has none.
const consentFile = "sync.json"

type consents struct {
	Schema  string    `json:"schema"`
	Remotes []Consent `json:"remotes"`
}

// readConsents reads them from the clone's record; none where there are none.
func (s *Service) readConsents(ctx context.Context, tip gitstore.OID) []Consent {
	data, err := s.ledger.File(ctx, tip, consentFile)
	var c consents
	if err != nil || json.Unmarshal(data, &c) != nil {
		return nil
	}
	return c.Remotes
}

// consented reports whether a person agreed to share with a remote.
func (c cloneState) consented(remote string) bool { return c.consent(remote) >= 0 }

// consent is the place of a remote's consent; below 0: there is none.
func (c cloneState) consent(remote string) int {
	return slices.IndexFunc(c.Consents, func(given Consent) bool { return given.Remote == remote })
}

// Consented reports whether a person agreed to share this clone's state with a
// remote.
func (s *Service) Consented(ctx context.Context, remote string) (bool, error) {
	c, err := s.cloneBrief(ctx)
	return c.consented(remote), err
}

// consent records that the caller, a person, wants to share with a remote, under its
// namespace.
func (s *Service) consent(ctx context.Context, remote refsync.Remote) error {
	return s.changeClone(ctx, "sync: state is shared with "+remote.Name, func(ctx context.Context, c *cloneChange) error {
		given := Consent{Remote: remote.Name, Namespace: remote.Namespace, At: s.timestamp(), By: s.caller.User}
		switch at := c.state.consent(remote.Name); {
		case at < 0:
			c.state.Consents = append(c.state.Consents, given)
		case c.state.Consents[at].Namespace == remote.Namespace:
			return nil
		default:
			c.state.Consents[at] = given
		}
		return c.put(consentFile, c.file(ctx, consentFile), consents{Schema: operation.Format, Remotes: c.state.Consents})
	})
}

// arbiter is the remote that decides who holds a lock: brew.remote, once a
// person agreed to share with it. False: there is none, and this clone decides
// for itself.
func (s *Service) arbiter(ctx context.Context) (refsync.Remote, bool, error) {
	set, err := s.Settings(ctx)
	if err != nil {
		return refsync.Remote{}, false, err
	}
	name := set.Text(KeyRemote)
	if name == "" {
		return refsync.Remote{}, false, nil
	}
	agreed, err := s.Consented(ctx, name)
	if err != nil || !agreed {
		return refsync.Remote{}, false, err
	}
	remote, err := s.remote(ctx, name)
	if err != nil {
		return refsync.Remote{}, false, nil //nolint:nilerr // a remote that is gone decides nothing; 'git brew sync' says so
	}
	return remote, true, nil
}

// SharedWith reports whether a remote, by its name or its address, is the one
// that state is shared with.
func (s *Service) SharedWith(ctx context.Context, names ...string) bool {
	remote, ok, err := s.arbiter(ctx)
	if err != nil || !ok {
		return false
	}
	config, err := s.repo.Config(ctx)
	if err != nil {
		return false
	}
	known := append(config.All("remote."+remote.Name+".url"), config.All("remote."+remote.Name+".pushurl")...)
	known = append(known, remote.Name)
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(known, name) })
}

// loginPatience is how long a person has to unlock a key for ssh: as long as its
// server waits for them.
const loginPatience = 2 * time.Minute

// remote is a configured remote, with the names that records have there: those that
// were agreed on, else those of the setting.
func (s *Service) remote(ctx context.Context, name string) (refsync.Remote, error) {
	config, err := s.repo.Config(ctx)
	if err != nil {
		return refsync.Remote{}, err
	}
	if names := remotes(config); !slices.Contains(names, name) {
		hint := "there is none yet: add one with 'git remote add NAME URL'"
		if len(names) > 0 {
			hint = "there is " + strings.Join(names, ", ")
		}
		return refsync.Remote{}, &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("no remote %q", name), Hint: hint}
	}
	set, err := s.Settings(ctx)
	if err != nil {
		return refsync.Remote{}, err
	}
	remote := refsync.Remote{Name: name, Namespace: namespace(set), Silence: set.Period(KeySyncTimeout)}
	c, err := s.cloneBrief(ctx)
	if err != nil {
		return refsync.Remote{}, err
	}
	if at := c.consent(name); at >= 0 && c.Consents[at].Namespace != "" {
		remote.Namespace = c.Consents[at].Namespace
	}
	if s.caller.Terminal {
		remote.Login = loginPatience
	}
	return remote, nil
}

// Namespace is what the names of records begin with on brew.remote, with a slash at
// its end; where there is none yet, what they would.
func (s *Service) Namespace(ctx context.Context) (string, error) {
	set, err := s.Settings(ctx)
	if err != nil {
		return "", err
	}
	if remote, err := s.remoteFor(ctx, ""); err == nil {
		return remote.Namespace, nil
	}
	return namespace(set), nil
}

// namespace is what the setting says that the names of records begin with on a
// remote.
func namespace(set *Settings) string {
	if to := set.Text(KeySyncNamespace); to != "" {
		return strings.TrimSuffix(to, "/") + "/"
	}
	return ledger.Prefix
}

// remoteFor chooses the remote to sync with: the one that is named, else
// brew.remote, else the one of the branch's upstream, else origin, else the
// only one.
func (s *Service) remoteFor(ctx context.Context, name string) (refsync.Remote, error) {
	if name != "" {
		return s.remote(ctx, name)
	}
	set, err := s.Settings(ctx)
	if err != nil {
		return refsync.Remote{}, err
	}
	if name = set.Text(KeyRemote); name != "" {
		remote, err := s.remote(ctx, name)
		if missing, ok := asNotFound(err); ok {
			missing.Msg, missing.Hint = fmt.Sprintf("brew.remote is %q, and there is no such remote", name), "'git config brew.remote NAME' names another one"
		}
		return remote, err
	}
	config, err := s.repo.Config(ctx)
	if err != nil {
		return refsync.Remote{}, err
	}
	names := remotes(config)
	head, err := s.repo.Head(ctx)
	if err == nil {
		if upstream, ok := config.Get("branch." + headBranch(head) + ".remote"); ok && slices.Contains(names, upstream) {
			return s.remote(ctx, upstream)
		}
	}
	if slices.Contains(names, "origin") || len(names) != 1 {
		return s.remote(ctx, "origin")
	}
	return s.remote(ctx, names[0])
}

func asNotFound(err error) (*NotFoundError, bool) {
	e, ok := err.(*NotFoundError) //nolint:errorlint // made by the caller, unwrapped
	return e, ok
}
