package refsync

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Remote is where records are exchanged.
type Remote struct {
	// Name is what git's configuration calls it.
	Name string
	// Namespace is what the names of records begin with there: ledger.Prefix
	// ("" means that), or what brew.sync.namespace says, with a slash at its
	// end.
	Namespace string
	// Silence is how long nothing may be heard of it; 0: for ever. Login is the same
	// before its first word, where ssh may be asking a person for a passphrase and
	// that is longer.
	Silence, Login time.Duration
}

// There is the name on the remote of a record's ref.
func (r Remote) There(ref gitstore.RefName) gitstore.RefName {
	namespace := r.Namespace
	if namespace == "" {
		namespace = ledger.Prefix
	}
	return gitstore.RefName(namespace + strings.TrimPrefix(string(ref), ledger.Prefix))
}

// renamed tells whether records have other names there than here.
func (r Remote) renamed() bool { return r.There(ledger.ConfigRef) != ledger.ConfigRef }

// Seen is the ref here that says what the remote had when it was last asked.
func (r Remote) Seen(ref gitstore.RefName) gitstore.RefName { return ledger.TrackingRef(r.Name, ref) }

// FetchRefspecs are what git's configuration needs for a plain `git fetch` to
// bring what is live.
func (r Remote) FetchRefspecs() []string {
	return ledger.FetchRefspecs(r.Name, string(r.There(ledger.Prefix)))
}

// anything stands in a pattern for what a name goes on with. A name in full
// would make git fetch fail where the remote has no such ref.
const anything = "*"

// refspecs fetch the records that patterns match.
func (r Remote) refspecs(patterns []gitstore.RefName) []string {
	specs := make([]string, len(patterns))
	for i, p := range patterns {
		specs[i] = "+" + string(r.There(p)) + ":" + string(r.Seen(p))
	}
	return specs
}

// check says that git knows the remote by its name: what it does not know it
// would take for a path.
func (r Remote) check(ctx context.Context, config *gitstore.Config) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	for _, ref := range []gitstore.RefName{r.Seen(ledger.ConfigRef), r.There(ledger.ConfigRef)} {
		if _, err := gitstore.ParseRefName(string(ref)); err != nil {
			return fmt.Errorf("exchange with remote %.100q: %w", r.Name, err)
		}
	}
	if _, ok := config.Get("remote." + r.Name + ".url"); !ok {
		return &RemoteError{
			Remote: r.Name, Kind: ErrUnreachable,
			Said: "git knows no remote of this name; 'git remote -v' lists them",
		}
	}
	return nil
}

// settings keep a person's configuration of the remote from making git do
// something else: a mirror takes no refspecs, and a newer git sets the remote's
// HEAD with any fetch.
func (r Remote) settings(config *gitstore.Config) []string {
	if strings.Contains(r.Name, "=") {
		return nil // git -c can't name it
	}
	args := []string{"-c", "remote." + r.Name + ".followRemoteHEAD=never"}
	if config.Bool("remote."+r.Name+".mirror", false) {
		args = append(args, "-c", "remote."+r.Name+".mirror=false")
	}
	return args
}
