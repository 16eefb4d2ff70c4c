package gitstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/safego"
)

// Options say which repository to open, and how.
type Options struct {
	// Dir is where the search for a repository starts, and where git is
	// run; "" is the working directory.
	Dir string
	// Environ is the environment of git, in which GIT_DIR, HOME,
	// GIT_AUTHOR_NAME and the like are looked up; nil is os.Environ().
	Environ []string
	// Name is the caller's private name under the common directory:
	// <common>/<Name>/ holds caches, <common>/<Name>.lock is Locked's file.
	Name string
	// NoLazyFetch keeps git from fetching the missing objects of a partial
	// clone.
	NoLazyFetch bool
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Repo is an open repository. It may be used by several goroutines.
type Repo struct {
	layout
	dir         string // absolute; where git is run
	env         environ
	name        string
	noLazyFetch bool
	now         func() time.Time

	mu       sync.Mutex // guards contents and checks
	contents *batch
	checks   *batch

	beside safego.Group // see Beside

	prefetched prefetched

	loginMu sync.Mutex // guards logins
	logins  []login

	configMu sync.Mutex // guards config; held while git is asked
	config   *Config
}

// Open finds the repository around Options.Dir as git does. It starts no
// process where the repository is the caller's own. The errors are
// ErrNotRepository, ErrNotTrusted and ErrUnsupported.
func Open(o Options) (*Repo, error) {
	if o.Name == "" || strings.ContainsAny(o.Name, `/\`) || strings.HasPrefix(o.Name, ".") {
		return nil, fmt.Errorf("open repository: private name %q is not a plain file name", o.Name)
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	// git goes up from where a directory really is.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	env := environ(o.Environ)
	if env == nil {
		env = os.Environ()
	}
	found, err := discover(dir, env)
	if err != nil {
		return nil, err
	}
	now := o.Now
	if now == nil {
		now = time.Now
	}
	return &Repo{
		layout:      found,
		dir:         dir,
		env:         found.pin(env),
		name:        o.Name,
		noLazyFetch: o.NoLazyFetch,
		now:         now,
	}, nil
}

// Beside runs what nobody waits for, such as keeping what was found for the next
// time, beside what comes next; Close waits for it.
func (r *Repo) Beside(do func()) {
	r.beside.Go(func() error {
		do()
		return nil
	})
}

// Close waits for what runs beside, and ends the child processes that were
// started. Calling it twice is fine.
func (r *Repo) Close() error {
	_ = r.beside.Wait() // a process that has its answer does not end with another one
	r.mu.Lock()
	defer r.mu.Unlock()
	r.contents.close()
	r.checks.close()
	r.contents, r.checks = nil, nil
	return nil
}

// Publish writes what w holds and then moves refs there, all in one transaction: see
// Writer.Flush and refs.Store.Update for what is durable when it returns, and for its
// errors. The Writer is empty afterwards.
func (r *Repo) Publish(ctx context.Context, w *Writer, updates ...Update) error {
	return r.publish(ctx, w, func() error { return r.UpdateRefs(ctx, updates...) })
}
