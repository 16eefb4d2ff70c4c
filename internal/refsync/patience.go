package refsync

import (
	"errors"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/remote"
)

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
