package workflow

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
)

// verifyHashes are the short hashes of the commands of a task that may be run
// yet.
func verifyHashes(t task.Task) []string {
	var hashes []string
	for _, c := range verifying(t) {
		hashes = append(hashes, clone.ShortTrust(c.Hash()))
	}
	return hashes
}

// verifying are the commands of a task's phases that may be run yet.
func verifying(t task.Task) []verification {
	if t.Deleted || t.Status.Terminal() {
		return nil
	}
	var all []verification
	for _, p := range t.Phases {
		if p.Status.Over() || p.Status == task.PhaseFailed {
			continue
		}
		for _, command := range p.Verification {
			all = append(all, verification{commandContent(command), p})
		}
	}
	return all
}

// verification is a command of a phase.
type verification struct {
	clone.Content
	phase task.Phase
}

// commandsOf are the commands that verify phases.
func commandsOf(phases []task.Phase) []clone.Content {
	var all []clone.Content
	for _, p := range phases {
		for _, command := range p.Verification {
			all = append(all, commandContent(command))
		}
	}
	return all
}

func commandContent(command string) clone.Content {
	return clone.Content{Kind: clone.TrustCommand, Key: "", Text: []string{command}}
}
