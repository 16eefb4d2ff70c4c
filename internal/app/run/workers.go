package run

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
)

// workers are what the run has work beside its loop: agents, and what looks at what they
// did. They touch trees alone, and no record.
type workers struct {
	id     task.ID
	set    *config.Settings
	limits limits
	env    []string
	keeper []string // runner.Command.Keeper
	held   *os.File // the file of the run's lock, which keepers hold, too
	now    func() time.Time
	top    string // the work tree that the run was started in
}

func newWorkers(r *run, set *config.Settings) *workers {
	w := &workers{
		id: r.id, set: set, env: r.s.Clone.Repo.Git.Env, keeper: r.o.Keeper, now: r.s.Clone.Now, top: r.s.Clone.Repo.WorkTree,
		limits: limits{
			verify: set.Period(config.KeyVerifyTimeout), silence: set.Period(config.KeyRunSilence),
			tier:   map[task.Tier]time.Duration{},
			junior: set.Count(config.KeyJuniorAfter), senior: set.Count(config.KeySeniorAfter),
		},
	}
	for _, tier := range tiers {
		_, timeout := keysOf(tier)
		w.limits.tier[tier] = set.Period(timeout)
	}
	return w
}

// limits are how long things may take.
type limits struct {
	verify, silence time.Duration
	tier            map[task.Tier]time.Duration
	// junior and senior are how many turns of a worker may not succeed.
	junior, senior int
}

// keysOf are the settings of a tier.
func keysOf(tier task.Tier) (command, timeout config.Key) {
	switch tier {
	case task.TierJunior:
		return config.KeyJuniorCommand, config.KeyJuniorTimeout
	case task.TierExecutive:
		return config.KeyExecutiveCommand, config.KeyExecutiveTimeout
	default:
		return config.KeySeniorCommand, config.KeySeniorTimeout
	}
}

// tiers are those that workers have.
var tiers = []task.Tier{task.TierJunior, task.TierSenior, task.TierExecutive}

// used says which ceiling a run has reached that began at a time and cost so much; "" where
// it may go on.
func (w *workers) used(began time.Time, cost task.Cost) string {
	if text := w.set.Text(config.KeyRunBudget); text != "" && cost.MicroUSD >= int64(config.Count(text))*1e6 {
		return "the run has cost what run.budget allows, $" + text
	}
	if limit := w.set.Period(config.KeyRunLimit); limit > 0 && w.now().Sub(began) >= limit {
		return "the run has taken what run.limit allows, " + w.set.Text(config.KeyRunLimit)
	}
	return ""
}

// command is the command line of a tier's workers.
func (w *workers) command(tier task.Tier) ([]string, error) {
	key, _ := keysOf(tier)
	text := w.set.Text(key)
	simple, err := runner.ReadSimple(text)
	if err == nil {
		err = runner.Find(simple.Args[0], w.top)
	}
	if err != nil {
		return nil, clone.Refuse("'git brew config set "+string(key)+" COMMAND' gives another one",
			"the %s worker's command can't be run: %v", tier, err)
	}
	if name := simple.Args[0]; !filepath.IsAbs(name) && strings.Contains(filepath.ToSlash(name), "/") {
		simple.Args[0] = filepath.Join(w.top, name) // it runs in a tree, where the same file may be missing
	}
	return simple.Args, nil
}

// environ is what a worker, and what verifies its work, runs in: that of this process,
// without what speaks of an outer session, or of another repository, and without keys but
// those that run.env names.
func (w *workers) environ(j *job, tier task.Tier) []string {
	keep := w.set.List(config.KeyRunEnv)
	env := gitstore.WithoutPlace(w.env, func(name string) bool {
		return !slices.Contains(keep, name) && isPrivate(name)
	})
	return append(env, "BREW_TASK="+string(w.id), "BREW_PHASE="+j.phase.ID, "BREW_TIER="+string(tier),
		"GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true")
}

// isPrivate reports a variable that no worker gets unasked: what makes it a part of an
// outer session, and keys, which make some clients leave the person's subscription.
func isPrivate(name string) bool {
	for _, prefix := range []string{"CLAUDE", "GIT_BREW_", "BREW_", "CODEX_", "CURSOR_", "OPENCODE"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return strings.HasSuffix(name, "_API_KEY") || strings.HasSuffix(name, "_AUTH_TOKEN")
}

// attempts are how many turns of a tier may not succeed.
func (w *workers) attempts(tier task.Tier) int {
	if tier == task.TierJunior {
		return w.limits.junior
	}
	return w.limits.senior
}
