package doctor

import (
	"context"
	"errors"
	"slices"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

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
	known, name := config.Remotes(conf), set.Text(config.KeyRemote)
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
		if tip, err = d.s.someTip(ctx); err != nil {
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

// someTip is a commit that could be sent; zero where there is none.
func (s *Doctor) someTip(ctx context.Context) (gitstore.OID, error) {
	refs, err := s.Clone.Ledger.Tasks(ctx)
	if err != nil {
		return gitstore.OID{}, err
	}
	for _, r := range refs {
		if r.Err == nil {
			return r.OID, nil
		}
	}
	return s.Clone.Ledger.Tip(ctx, ledger.KnowledgeRef)
}
