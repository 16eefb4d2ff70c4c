package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
)

// workers are what the run has work beside its loop: agents, and what checks what they
// did. They touch trees alone, and no record.
type workers struct {
	id     task.ID
	set    *config.Settings // as they were when the run began
	limits limits
	env    []string
	keeper []string // runner.Command.Keeper
	held   *os.File // the file of the run's lock, which keepers hold, too
	now    func() time.Time
	logs   logs
	top    string // the work tree that the run was started in
}

// newWorkers are those of a run from now on. What set says of kept settings does not count.
func newWorkers(r *run, set *config.Settings) *workers {
	first := r.ended.Settings
	w := &workers{
		id: r.id, set: first, env: r.s.Clone.Repo.Git.Env, keeper: r.o.Keeper, now: r.s.Clone.Now,
		top:  r.s.Clone.Repo.WorkTree,
		logs: logs(filepath.Join(r.s.Clone.Repo.CommonDir, "brew", "workers")),
		limits: limits{
			verify: set.Period(config.KeyVerifyTimeout), silence: set.Period(config.KeyRunSilence),
			tier:   map[task.Tier]time.Duration{},
			junior: first.Count(config.KeyJuniorAfter), senior: first.Count(config.KeySeniorAfter), ceilings: first.Ceilings(),
		},
	}
	for _, tier := range tiers {
		_, timeout := keysOf(tier)
		w.limits.tier[tier] = set.Period(timeout)
	}
	return w
}

type limits struct {
	verify, silence time.Duration
	tier            map[task.Tier]time.Duration
	// junior and senior are how many turns of a worker may not succeed.
	junior, senior int
	ceilings       map[string]config.Ceiling
}

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

var tiers = []task.Tier{task.TierJunior, task.TierSenior, task.TierExecutive}

func (w *workers) command(tier task.Tier) ([]string, error) {
	key, _ := keysOf(tier)
	args, err := readCommand(w.set.Text(key), w.top)
	if err != nil {
		return nil, refuseCommand(tier, err.Error())
	}
	return args, nil
}

// program names the program of a tier's workers, whether it is there or not.
func (w *workers) program(tier task.Tier) string {
	key, _ := keysOf(tier)
	simple, err := runner.ReadSimple(w.set.Text(key))
	if err != nil {
		return ""
	}
	return clientName(simple.Args)
}

// readCommand reads a worker's command line; a program that it names by a path is looked for
// from a directory: it runs in a tree, where the same file may be missing.
func readCommand(text, top string) ([]string, error) {
	simple, err := runner.ReadSimple(text)
	if err == nil {
		err = runner.Find(simple.Args[0], top)
	}
	if err != nil {
		return nil, err
	}
	if name := simple.Args[0]; !filepath.IsAbs(name) && strings.Contains(filepath.ToSlash(name), "/") {
		simple.Args[0] = filepath.Join(top, name)
	}
	return simple.Args, nil
}

// refuseCommand says that a tier's workers can't be run, and which setting names them.
func refuseCommand(tier task.Tier, why string) error {
	key, _ := keysOf(tier)
	return clone.Refuse("'git brew config set "+string(key)+" COMMAND' gives another one",
		"the %s worker's command can't be run: %s", tier, why)
}

// CheckCommand says why a value of a setting is no command line of workers that can be run
// here; nil where it is, and where the setting names no workers.
func (s *Runs) CheckCommand(key config.Key, value string) error {
	for _, tier := range tiers {
		if command, _ := keysOf(tier); command == key {
			_, err := readCommand(value, s.Clone.Repo.WorkTree)
			return err
		}
	}
	return nil
}

// notRunError says that a program could not be executed, which is no fault of a phase: it ends
// the run once those who work are through.
type notRunError struct{ error }

// environ is what a worker, and what verifies its work, runs in: that of this process,
// without what speaks of an outer session, or of another repository, and without keys but
// those that run.env names.
func (w *workers) environ(j *job, tier task.Tier) []string {
	keep, withheld := w.set.List(config.KeyRunEnv), w.withheld()
	numbered := slices.ContainsFunc(withheld, isSetting) // one of git's that is missing keeps it from working
	env := gitstore.WithoutPlace(w.env, func(name string) bool {
		return !slices.Contains(keep, name) && isPrivate(name) || slices.Contains(withheld, name) ||
			numbered && isSetting(name)
	})
	env = withoutTidying(env)
	return append(env, "BREW_TASK="+string(w.id), "BREW_PHASE="+j.phase.ID, "BREW_TIER="+string(tier),
		"GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", trees.AsStored, "AI_AGENT=git-brew-run") // a person it is not
}

// withheld are variables whose names say nothing of it, with a key or a password in their values: no
// worker gets them unasked. Without its proxy, it would reach nobody.
func (w *workers) withheld() (names []string) {
	for _, pair := range w.env {
		name, value, _ := strings.Cut(pair, "=")
		if isPrivate(name) || strings.HasSuffix(strings.ToUpper(name), "_PROXY") || redact.Text(value) == value ||
			slices.Contains(w.set.List(config.KeyRunEnv), name) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// isSetting reports a variable by which git gets settings, each by its number.
func isSetting(name string) bool {
	return name == "GIT_CONFIG_COUNT" || strings.HasPrefix(name, "GIT_CONFIG_KEY_") ||
		strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

// withoutTidying keeps git from tidying up beside a worker: that would be killed with the turn, and
// leave locks in the repository that are in everybody's way.
func withoutTidying(env []string) []string {
	n, err := strconv.Atoi(gitcmd.Environ(env).Get("GIT_CONFIG_COUNT"))
	if err != nil {
		n = 0
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n+1), fmt.Sprintf("GIT_CONFIG_KEY_%d=maintenance.auto", n),
		fmt.Sprintf("GIT_CONFIG_VALUE_%d=false", n))
}

// isPrivate reports a variable that no worker gets unasked: what makes it a part of an
// outer session, and keys, which make some clients leave the person's subscription.
func isPrivate(name string) bool {
	upper := strings.ToUpper(name)
	begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	ends := func(suffix string) bool { return strings.HasSuffix(upper, suffix) }
	return slices.ContainsFunc([]string{"CLAUDE", "GIT_BREW_", "BREW_", "CODEX_", "CURSOR_", "OPENCODE"}, begins) ||
		slices.ContainsFunc([]string{
			"TOKEN", "_KEY", "APIKEY", "_KEY_ID", "_PAT", "_PASS", "_PWD", "PASSWORD", "PASSWD", "PASSPHRASE", "_AUTH",
			"CREDENTIAL", "CREDENTIALS",
		}, ends) || strings.Contains(upper, "SECRET") || strings.Contains(upper, "_TOKEN_")
}

// attempts are how many turns of a tier may not succeed.
func (w *workers) attempts(tier task.Tier) int {
	const counted = task.MaxTurns / 2 // of a turn, and of what refuses it, so many are known
	if tier == task.TierJunior {
		return min(w.limits.junior, counted)
	}
	return min(w.limits.senior, counted)
}
