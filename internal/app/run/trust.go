package run

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
)

// trusted refuses phases whose commands this clone's person has not trusted.
func (r *record) trusted(ctx context.Context, phases ...task.Phase) error {
	var ids, all []string
	for _, p := range phases {
		untrusted, err := r.s.Records.UntrustedOf(ctx, p.Verification)
		if err != nil {
			return err
		}
		if len(untrusted) > 0 {
			ids, all = append(ids, p.ID), append(all, untrusted...)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(all)
	return untrustedError{clone.Refuse("look at them with 'git brew trust list', then 'git brew trust add "+
		strings.Join(slices.Compact(all), " ")+"'", "commands of phase %s wait for your trust", strings.Join(ids, ", "))}
}

// untrustedError says which commands wait for a person's trust.
type untrustedError struct{ error }

func (e untrustedError) Unwrap() error { return e.error }

// untrusted says that commands of a phase wait for trust, "" where none do.
func (r *record) untrusted(ctx context.Context, p task.Phase) string {
	if err, is := errors.AsType[untrustedError](r.trusted(context.WithoutCancel(ctx), p)); is && !p.Status.Over() {
		return err.Error()
	}
	return ""
}

// awaitsTrust reports that a phase which was added while the run is at work is left, for nobody
// trusted its commands, and tells it once. The others go on.
func (r *crew) awaitsTrust(ctx context.Context, p task.Phase) (bool, error) {
	err := r.trusted(ctx, p)
	untrusted, is := errors.AsType[untrustedError](err)
	if !is {
		return false, err
	}
	if why := untrusted.Error(); r.waits[p.UID] != why {
		r.waits[p.UID] = why
		r.tell(Event{Kind: Noted, Phase: p, Text: "it is left: " + why})
	}
	return true, nil
}

// missingProgram refuses a phase that is verified by a program which is not there: no worker
// could pass it. What it names by a path may be made yet.
func missingProgram(p task.Phase) error {
	for _, text := range p.Verification {
		simple, err := runner.ReadSimple(text)
		if err != nil || len(simple.Env) > 0 || strings.Contains(filepath.ToSlash(simple.Args[0]), "/") {
			continue
		}
		if err := runner.Find(simple.Args[0], ""); err != nil {
			return clone.Refuse("install it, or 'git brew phase edit "+p.ID+" --no-verify "+change.ShellWord(text)+
				" --verify COMMAND' names another command",
				"phase %s is verified by %s, which is not installed", p.ID, simple.Args[0])
		}
	}
	return nil
}
