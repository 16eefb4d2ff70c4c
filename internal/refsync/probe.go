package refsync

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/remote"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Probe asks whether the remote answers, and, where tip is not zero, whether it
// would take a record that is new there. It moves nothing: what the remote says
// to a push that is only rehearsed is all that is found out; its hooks are not
// asked. It takes no longer than twice the patience. The error is a
// *RemoteError.
func Probe(ctx context.Context, repo *gitstore.Repo, remote Remote, tip gitstore.OID, patience time.Duration) error {
	config, err := repo.Config.Read(ctx)
	if err != nil {
		return err
	}
	if err := remote.check(ctx, config); err != nil {
		return err
	}
	probe := want{ref: ledger.TaskRef("git-brew-doctor"), new: tip}
	ask := append(remote.settings(config), "ls-remote", "--quiet", "--", remote.Name, string(remote.There(probe.ref)))
	if _, err := remote.within(ctx, repo, patience, ask); err != nil || tip.IsZero() {
		return err
	}
	push := append(remote.settings(config), "push", "--dry-run", "--porcelain", "--no-verify", "--no-follow-tags",
		"--no-recurse-submodules",
		"--", remote.Name, probe.new.String()+":"+string(remote.There(probe.ref)))
	out, err := remote.within(ctx, repo, patience, push)
	got, answered := replies(string(out))[remote.There(probe.ref)]
	if !answered || got.answer != Refused {
		return err
	}
	refused := remote.refused(got.reason, "")
	if shown, err := repo.Refs.Any(ctx, strings.TrimSuffix(ledger.TrackingPrefix(remote.Name), "/")); err == nil &&
		!shown {
		refused.noName(remote)
	}
	return refused
}

// within runs git against the remote, for so long.
func (r Remote) within(ctx context.Context, repo *gitstore.Repo, patience time.Duration, args []string) ([]byte,
	error,
) {
	out, err := repo.Remote.Run(ctx, remote.Patience{Silence: r.Silence, Whole: patience}, args...)
	if command, failed := errors.AsType[*gitstore.CommandError](err); failed {
		return out, r.failure(command.Stderr)
	}
	if silent, is := errors.AsType[*remote.SilentError](err); is {
		return out, &RemoteError{Remote: r.Name, Kind: ErrUnreachable, Said: silent.Error()}
	}
	if err != nil && ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	return out, err
}
