package run

import (
	"fmt"
	"path/filepath"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/trees"
)

// intact ends the run where somebody changed what decides how git reads the repository: what is
// proved then may not be what is merged.
func (r *target) intact() error {
	common := r.s.Clone.Repo.CommonDir
	name := trees.ReadGround(common).ChangedSince(r.ground)
	if name == "" {
		return nil
	}
	return clone.Refuse("look at it, then 'git brew run' goes on",
		"%s was changed while workers were at work", filepath.Join(common, filepath.FromSlash(name)))
}

// keepProving has what proves work stay as it was when the run began, and tells once of a change
// that does not count.
func (r *run) keepProving(set *config.Settings) {
	keys := []config.Key{config.KeyRunReview, config.KeyExecutiveCommand}
	if r.proves == nil {
		r.proves, r.toldProving = map[config.Key]string{}, map[config.Key]string{}
		for _, key := range keys {
			r.proves[key] = set.Text(key)
		}
	}
	for _, key := range keys {
		now := set.Text(key)
		if now != r.proves[key] && r.toldProving[key] != now {
			r.toldProving[key] = now
			r.tell(Event{Kind: Noted, Text: fmt.Sprintf(
				"%s was changed; it proves what workers do, so it counts from the next run on", key)})
		}
	}
	r.workers.proving = r.proves
}
