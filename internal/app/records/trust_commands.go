package records

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
)

// VerifyHashes are the short hashes of the commands of a task that may be run
// yet.
func VerifyHashes(t task.Task) []string {
	var hashes []string
	for _, c := range Verifying(t) {
		hashes = append(hashes, clone.ShortTrust(c.Hash()))
	}
	return hashes
}

// Verifying are the commands of a task's phases that may be run yet.
func Verifying(t task.Task) []verification {
	if t.Deleted || t.Status.Terminal() {
		return nil
	}
	var all []verification
	for _, p := range t.Phases {
		if p.Status.Over() || p.Status == task.PhaseFailed {
			continue
		}
		for _, command := range p.Verification {
			all = append(all, verification{CommandContent(command), p})
		}
	}
	return all
}

// verification is a command of a phase.
type verification struct {
	clone.Content
	Phase task.Phase
}

// CommandsOf are the commands that verify phases.
func CommandsOf(phases []task.Phase) []clone.Content {
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
