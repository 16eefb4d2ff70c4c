package doctor

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// names checks that every ref of ours is one that somebody reads.
func (d *doctor) names(ctx context.Context) error {
	refs, err := d.s.Clone.Repo.Refs.List(ctx, ledger.Prefix)
	if err != nil {
		return err
	}
	for _, r := range refs {
		kind, id, shared := ledger.KindOf(r.Name)
		switch {
		case !shared && ledger.Private(r.Name):
		case !shared:
			d.add(Remark, string(r.Name), "nothing here reads it; a newer git-brew may have made it",
				"this is no record that git-brew knows")
		case kind == ledger.KindTask || kind == ledger.KindLock:
			if _, err := task.ParseID(id); err != nil {
				d.add(Remark, string(r.Name), "nothing here reads it", "this is no task's name: %v", err)
			}
		}
		if r.Err != nil && kind == ledger.KindLock && !d.s.Clone.Ledger.HasTask(ctx, id) { // else see lock
			d.add(Problem, string(r.Name), "no task is affected", "the ref can't be read: %s", unreadRef(r.Err))
		}
	}
	return nil
}

// heads checks what branches mean here.
func (d *doctor) heads(ctx context.Context) error {
	for branch, id := range d.s.Clone.Ledger.BoundBranches(ctx) {
		tip, err := d.s.Clone.Ledger.Tip(ctx, ledger.TaskRef(id))
		if err != nil || !tip.IsZero() {
			continue // a ref that can't be read is there, and was told of
		}
		d.mend("branch "+branch, "forgets it", func() error { return d.s.Clone.Ledger.UnbindBranch(ctx, branch) },
			"it is recorded as the branch of %s, which is not here", id)
	}
	return nil
}

// refspecs checks that git fetches what it should from the remotes that init,
// or a sync, arranged it for.
func (d *doctor) refspecs(ctx context.Context) error {
	conf, err := d.s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return err
	}
	for _, name := range conf.Remotes() {
		key := "remote." + name + ".fetch"
		have := slices.DeleteFunc(conf.All(key), func(spec string) bool {
			_, to, _ := strings.Cut(spec, ":")
			return !strings.HasPrefix(to, ledger.TrackingPrefix(name))
		})
		if len(have) == 0 {
			continue
		}
		remote, err := d.s.Config.Remote(ctx, name)
		if err != nil {
			return err
		}
		wanted := remote.FetchRefspecs()
		for _, want := range wanted {
			if !slices.Contains(have, want) {
				d.mend("remote "+name, "adds it", func() error { return d.s.Clone.Repo.Config.Add(ctx, key, want) },
					"the fetch refspec %s is missing", want)
			}
		}
		ours := "+" + string(remote.There(ledger.Prefix))
		for _, other := range have {
			if !slices.Contains(wanted, other) && !strings.HasPrefix("+"+strings.TrimPrefix(other, "+"), ours) {
				d.mend("remote "+name, "takes it out", func() error { return d.s.Clone.Repo.Config.UnsetValue(ctx, key, other) },
					"the fetch refspec %s is of another namespace", other)
			}
		}
	}
	return nil
}

// tracking finds what was last seen of a remote and can't be read any more.
func (d *doctor) tracking(ctx context.Context) error {
	refs, err := d.s.Clone.Repo.Refs.List(ctx, ledger.AllTracking)
	for _, r := range refs {
		if isBrokenRef(r.Err) {
			d.mend(string(r.Name), "removes it, and the next sync asks that remote anew; plain git fetches nothing until then",
				func() error { return d.s.Clone.Repo.Refs.DropBroken(ctx, r.Name) },
				"what was last seen of a remote can't be read: %s", unreadRef(r.Err))
			d.worst()
		}
	}
	return err
}

// sharing checks what state is shared with: that the remote is one, that a
// person agreed, how the last sync ended, and that the remote takes records. To
// be offline is no fault.
func (d *doctor) sharing(ctx context.Context) error {
	s := d.s
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return err
	}
	conf, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return err
	}
	clone, err := s.Clone.State(ctx)
	if err != nil {
		return err
	}
	known, name := conf.Remotes(), set.Text(config.KeyRemote)
	switch {
	case name != "" && !slices.Contains(known, name):
		d.add(Problem, "brew.remote", "'git config brew.remote NAME' names another one; locks are not decided until then",
			"it is %q, and there is no such remote", name)
	case name != "" && !clone.Consented(name):
		d.add(Remark, "brew.remote", "'git brew sync' by hand, once, begins to share",
			"it is %q, and nobody agreed to share with it from here yet", name)
	}
	if last, ok := s.Clone.LastSync(); ok && !last.OK {
		d.add(Remark, "sync", "nothing here is lost; 'git brew sync' tries again", "the last one, with %s at %s, failed: %s",
			last.Remote, last.At, last.Said)
	}
	if name == "" || !slices.Contains(known, name) {
		return nil
	}
	d.progress(0, 0)
	return d.probe(ctx, name, clone.Consented(name))
}

// probe asks a remote whether it is there, and, where state is shared with it,
// whether it takes records.
func (d *doctor) probe(ctx context.Context, name string, shares bool) error {
	remote, err := d.s.Config.Remote(ctx, name)
	if err != nil {
		return err
	}
	var tip gitstore.OID
	if shares {
		if tip, err = d.s.Clone.Ledger.Tip(ctx, d.s.Clone.Ref()); err != nil { // any commit that could be sent
			return err
		}
	}
	others, _, err := d.s.Exchange.OtherNamespaces(ctx, remote, config.RemotePatience)
	if err == nil && !tip.IsZero() {
		remote.Silence = config.RemotePatience
		err = refsync.Probe(ctx, d.s.Clone.Repo, remote, tip)
	}
	failure, isRemotes := errors.AsType[*refsync.RemoteError](err)
	switch {
	case err == nil && len(others) > 0:
		d.add(Problem, "remote "+name, "in each clone of those: '"+
			exchange.NamespaceCommand(string(remote.There(ledger.Prefix)))+
			"', then 'git brew sync'; until then no lock is confirmed",
			"%s", exchange.ApartWords(remote, others))
	case err == nil:
	case !isRemotes:
		return err
	case errors.Is(err, refsync.ErrRefused):
		d.add(Problem, "remote "+name, failure.Advice(), "%v", failure)
	default:
		d.add(Remark, "remote "+name, "nothing here is lost, and the next sync catches up", "%v", failure)
	}
	return nil
}
