package fleet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/refsync"
)

// meet syncs a machine, in one of the ways in which syncs happen.
func (f *fleet) meet(c *machine) {
	r := exchange.SyncRequest{Remote: "hub"}
	switch f.dice.IntN(12) {
	case 0: // from one machine to another
		if peer := pick(f, f.clones); peer != c && !f.elsewhere {
			r.Remote = peer.name
		}
		f.sync(c, r)
	case 1:
		r.Fetch = true
		f.sync(c, r)
	case 2:
		r.Push = true
		f.sync(c, r)
	case 3: // it answers, and takes nothing
		f.git(c.dir, "config", "remote.hub.receivepack", "false")
		f.sync(c, r)
		f.git(c.dir, "config", "--unset", "remote.hub.receivepack")
	case 4: // it is gone
		f.git(c.dir, "config", "remote.hub.uploadpack", "false")
		f.sync(c, r)
		f.git(c.dir, "config", "--unset", "remote.hub.uploadpack")
	case 5: // somebody stops it
		c.apart(r.Remote, os.Interrupt)
	case 6:
		c.apart(r.Remote, os.Kill)
	case 7: // it refuses some, or dies on the way
		f.hook(pick(f, []string{"exit 1", "kill -9 $PPID"}))
		f.sync(c, r)
		f.hook("")
	case 8: // everybody at once
		f.together(r)
	case 9: // plain git, and the next command that reads
		remote := refsync.Remote{Name: "hub"}
		if f.elsewhere {
			remote.Namespace = "refs/heads/brew/"
		}
		// It may meet the git of a sync that was killed, which has a ref locked.
		_, err := f.tryGit(c.dir, append([]string{"fetch", "-q", "hub"}, remote.FetchRefspecs()...)...)
		f.tell("%s: git fetch: %v, %v", c.name, err, c.service("").Exchange.TakeFetched(context.Background(), false))
	case 10: // twice
		f.sync(c, r)
		f.sync(c, r)
	default:
		f.sync(c, r)
	}
}

// sync is a sync that may fail only by its remote.
func (f *fleet) sync(c *machine, r exchange.SyncRequest) {
	report, err := c.service("").Exchange.Sync(context.Background(), r)
	f.synced(c, r, report, err)
}

// together syncs all machines at the same time.
func (f *fleet) together(r exchange.SyncRequest) {
	reports, errs := make([]exchange.SyncReport, len(f.clones)), make([]error, len(f.clones))
	var all sync.WaitGroup
	for i, c := range f.clones {
		s := c.service("")
		all.Go(func() { reports[i], errs[i] = s.Exchange.Sync(context.Background(), r) })
	}
	all.Wait()
	f.tell("all at once:")
	for i, c := range f.clones {
		f.synced(c, r, reports[i], errs[i])
	}
}

// synced tells how a sync ended, which may fail only by its remote.
func (f *fleet) synced(c *machine, r exchange.SyncRequest, report exchange.SyncReport, err error) {
	f.tell("%s: sync with %s (fetch %t, push %t): %v %v", c.name, r.Remote, r.Fetch, r.Push, told(report), err)
	if err != nil && !errors.As(err, new(*refsync.RemoteError)) {
		f.fail("%s: sync with %s: %v", c.name, r.Remote, err)
	}
	for _, of := range report.Failed() {
		if !errors.As(of.Err, new(*refsync.RemoteError)) {
			f.fail("%s: sync with %s: %s: %v", c.name, r.Remote, of.Ref, of.Err)
		}
	}
}

// hook makes the hub do something with every third ref that it is given; ""
// takes that away.
func (f *fleet) hook(body string) {
	path := filepath.Join(f.hub, "hooks", "update")
	err := os.Remove(path)
	if body != "" {
		err = os.WriteFile(path, []byte("#!/bin/sh\n[ $(($$ % 3)) -ne 0 ] || "+body+"\n"), 0o777)
	} else if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err != nil {
		f.fail("%v", err)
	}
}
