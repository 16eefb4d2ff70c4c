package refsync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/remote"
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
	namespace := cmp.Or(r.Namespace, ledger.Prefix)
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

// anything stands in a pattern for what a name goes on with.
const anything = "*"

// config is the repository's configuration, in which git has to know the remote by its
// name: what it does not know it would take for a path.
func (r Remote) config(ctx context.Context, repo *gitstore.Repo) (*gitstore.Config, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	config, err := repo.Config.Read(ctx)
	if err != nil {
		return nil, err
	}
	for _, ref := range []gitstore.RefName{r.Seen(ledger.ConfigRef), r.There(ledger.ConfigRef)} {
		if _, err := gitstore.ParseRefName(string(ref)); err != nil {
			return nil, fmt.Errorf("exchange with remote %.100q: %w", r.Name, err)
		}
	}
	if _, ok := config.Get("remote." + r.Name + ".url"); !ok {
		return nil, &RemoteError{
			Remote: r.Name, Kind: ErrUnreachable,
			Said: "git knows no remote of this name; 'git remote -v' lists them",
		}
	}
	return config, nil
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

// Found is what a remote has under one namespace. None of both: locks alone.
type Found struct {
	Tasks   int  `json:"tasks"` // live ones
	Archive bool `json:"archive"`
}

// Any reports whether there is a task, live or archived.
func (f Found) Any() bool { return f.Tasks > 0 || f.Archive }

// branches is the namespace of those who share where branches alone are taken.
const branches = "refs/heads/brew/"

// Ask asks a remote, for so long, what it has, and takes nothing: by namespaces,
// whatever the one is that this clone uses; each is what its names begin with, with a
// slash at its end. IsTask says whether a name is one that a task can have. The error
// is a *RemoteError.
func Ask(ctx context.Context, repo *gitstore.Repo, r Remote, isTask func(id string) bool,
	patience time.Duration,
) (map[string]Found, error) {
	config, err := r.config(ctx, repo)
	if err != nil {
		return nil, err
	}
	// An archive has a name that others may have, but where it can only be ours.
	archives := map[string]string{string(r.There(ledger.ArchiveRef)): string(r.There(ledger.Prefix))}
	for _, namespace := range []string{ledger.Prefix, branches} {
		archives[namespace+strings.TrimPrefix(string(ledger.ArchiveRef), ledger.Prefix)] = namespace
	}
	args := append(r.settings(config), "ls-remote", "--quiet", "--", r.Name, below(ledger.TaskRef(""))+anything,
		below(ledger.LockRef(""))+anything)
	for name := range archives {
		args = append(args, name)
	}
	out, err := repo.Remote.Run(ctx, remote.Patience{Silence: r.Silence, Whole: patience}, args...)
	if silent := r.silent(err); silent != nil {
		return nil, silent
	}
	if command, failed := errors.AsType[*gitstore.CommandError](err); failed {
		return nil, r.failure(command.Stderr)
	}
	if err != nil {
		return nil, cmp.Or(context.Cause(ctx), err)
	}
	found := map[string]Found{}
	for line := range strings.Lines(string(out)) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		namespace, archive := archives[name]
		task := false
		if !archive {
			namespace, task = namespaceOf(name, isTask)
		}
		if namespace == "" {
			continue
		}
		f := found[namespace]
		f.Archive = f.Archive || archive
		if task {
			f.Tasks++
		}
		found[namespace] = f
	}
	return found, nil
}

// below is where a record's names are below a namespace.
func below(ref gitstore.RefName) string { return strings.TrimPrefix(string(ref), ledger.Prefix) }

// namespaceOf is what the name of a task's record, or of its lock, begins with on a
// remote; "" where it is none.
func namespaceOf(name string, isTask func(id string) bool) (namespace string, task bool) {
	at := strings.LastIndexByte(name, '/') + 1
	namespace, task = strings.CutSuffix(name[:at], "/"+below(ledger.TaskRef("")))
	if !task {
		var lock bool
		if namespace, lock = strings.CutSuffix(name[:at], "/"+below(ledger.LockRef(""))); !lock {
			return "", false
		}
	}
	// Tracking refs of the remote's own are not what it has.
	if !isTask(name[at:]) || !strings.HasPrefix(namespace, "refs/") ||
		strings.HasPrefix(namespace, strings.TrimSuffix(ledger.AllTracking, "/")) {
		return "", false
	}
	return namespace + "/", task
}

// Probe asks whether a remote would take a record that is new there. It moves nothing:
// what it says to a push of a dry run is all that is found out; its hooks are
// not asked. The error is a *RemoteError.
func Probe(ctx context.Context, repo *gitstore.Repo, r Remote, tip gitstore.OID) error {
	_, err := pushOnce(ctx, repo, r, []gitstore.Update{{Ref: ledger.TaskRef("git-brew-doctor"), New: tip}}, "--dry-run")
	if refused, is := errors.AsType[*RemoteError](err); is {
		seen, err := repo.Refs.Names(ctx, ledger.TrackingPrefix(r.Name))
		if err == nil && len(seen) == 0 {
			refused.noName(r)
		}
	}
	return err
}

// refPatience is how much longer a push may be silent for each of its refs: a server that
// runs its hooks for one after the other tells of them all at the end.
const refPatience = 250 * time.Millisecond

// patience is how long a git that talks to the remote is waited for; n is how many
// refs it pushes.
func (r Remote) patience(config *gitstore.Config, n int) remote.Patience {
	if r.Silence <= 0 {
		return remote.Patience{}
	}
	p := remote.Patience{Silence: r.Silence + time.Duration(n)*refPatience}
	if r.mayBeSSH(config) {
		p.Login = r.Login
	}
	return p
}

// silent is the error of a remote that nothing was heard of; nil for another error.
func (r Remote) silent(err error) *RemoteError {
	var silent *remote.SilentError
	if !errors.As(err, &silent) {
		return nil
	}
	failure := &RemoteError{Remote: r.Name, Kind: ErrUnreachable, Said: silent.Error()}
	if r.Silence > 0 && silent.After >= r.Silence {
		failure.Said += " (brew.sync.timeout)"
	}
	return failure
}

// mayBeSSH tells whether git may go through ssh to the remote, which asks a person
// for a passphrase without a word to git.
func (r Remote) mayBeSSH(config *gitstore.Config) bool {
	for _, key := range []string{"url", "pushurl"} {
		for _, url := range config.All("remote." + r.Name + "." + key) {
			scheme, _, is := strings.Cut(url, "://")
			host, _, colon := strings.Cut(url, ":")
			if is && strings.Contains(scheme, "ssh") || !is && colon && !strings.Contains(host, "/") {
				return true
			}
		}
	}
	// Addresses may be written anew: url.<base>.insteadOf.
	return len(config.WithPrefix("url.")) > 0
}
