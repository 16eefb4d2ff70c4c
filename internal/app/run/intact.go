package run

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/trees"
)

// standOn reads what the run stands on, as it begins.
func (r *target) standOn(ctx context.Context) (err error) {
	if r.outside, err = r.trees.Outside(ctx); err == nil {
		r.ground = trees.ReadGround(r.s.Clone.Repo.CommonDir, r.outside)
	}
	return err
}

// intact ends the run where somebody changed what decides how git reads the repository: what is
// proved then may not be what is merged; or took away the file by which no second one begins.
func (r *target) intact() error {
	if r.broken != nil {
		return r.broken
	}
	if name := trees.ReadGround(r.s.Clone.Repo.CommonDir, r.outside).ChangedSince(r.ground); name != "" {
		r.broken = clone.Refuse("look at it, then 'git brew run' goes on", "%s was changed while workers were at work", name)
	}
	for _, file := range []*os.File{r.locked.run, r.locked.workers} {
		if !isThere(file) {
			r.broken = clone.Refuse("'git brew run' goes on", "%s was taken away while workers were at work: "+
				"it keeps a second run from beginning beside this one", file.Name())
		}
	}
	return r.broken
}

// missTrees ends the work on phases whose trees somebody took away: they are made anew. Who
// does that again and again is no victim of others.
func (r *crew) missTrees() (any bool) {
	for _, j := range r.jobs {
		if j.gone == "" && r.isMissing(j) {
			r.leave(j, treeGone)
			any = true
		}
	}
	return any
}

// treeGone is why the work on a phase ends whose tree is gone.
const treeGone = "its work tree was taken away"

// maxMissed is how often a phase's tree is made anew in a run.
const maxMissed = 3

// isMissing counts that a job's tree is gone, where it is made anew for that.
func (r *crew) isMissing(j *job) bool {
	if !j.tree.IsGone() || r.missed[j.phase.UID] >= maxMissed {
		return false
	}
	r.missed[j.phase.UID]++
	return true
}

// kept are the settings that no worker changes while a run is at work: which programs run, with
// which keys, what proves their work, how many attempts there are, and at what cost.
var kept = []config.Key{
	config.KeyRunReview, config.KeyRunEnv, config.KeyRunBudget, config.KeyRunLimit,
	config.KeyJuniorCommand, config.KeySeniorCommand, config.KeyExecutiveCommand,
	config.KeyJuniorAfter, config.KeySeniorAfter,
	config.KeyRunStatusFile, config.KeyRunEventsFile, config.KeyRunCommandFile,
}

// tellKept tells once of a change of a setting that stays as it was when the run began.
func (r *run) tellKept(now *config.Settings) {
	for _, key := range kept {
		value := strings.Join(now.List(key), "\n")
		told, is := r.toldKept[key]
		if !is {
			told = strings.Join(r.ended.Settings.List(key), "\n")
		}
		if r.toldKept[key] = value; value != told {
			r.tell(Event{Kind: Noted, Text: fmt.Sprintf(
				"%s was changed while workers were at work: it counts from the next run on", key)})
		}
	}
}
