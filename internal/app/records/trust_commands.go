package records

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
)

// VerifyHashes are the short hashes of the commands of a task that may be run
// yet.
func VerifyHashes(t task.Task) []string {
	var hashes []string
	for _, c := range CommandsOf(Verifying(t)...) {
		hashes = append(hashes, clone.ShortTrust(c.Hash()))
	}
	return hashes
}

// Verifying are the phases of a task whose commands may be run yet.
func Verifying(t task.Task) []task.Phase {
	if t.Deleted || t.Status.Terminal() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.Phases), func(p task.Phase) bool {
		return p.Status.Over() || p.Status == task.PhaseFailed
	})
}

// CommandsOf are the commands that verify phases.
func CommandsOf(phases ...task.Phase) []clone.Content {
	var all []clone.Content
	for _, p := range phases {
		for _, command := range p.Verification {
			all = append(all, CommandContent(command))
		}
	}
	return all
}

func CommandContent(command string) clone.Content {
	return clone.Content{Kind: clone.TrustCommand, Key: "", Text: []string{command}}
}

// UntrustedOf are the short hashes of the commands that nobody trusts here.
func (s *Records) UntrustedOf(ctx context.Context, texts []string) ([]string, error) {
	var untrusted []string
	for _, text := range texts {
		trusted, err := s.Clone.Trusted(ctx, CommandContent(text))
		if err != nil {
			return nil, err
		}
		if !trusted {
			untrusted = append(untrusted, clone.ShortTrust(CommandContent(text).Hash()))
		}
	}
	return untrusted, nil
}
