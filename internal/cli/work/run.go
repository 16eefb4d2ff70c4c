package work

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/run"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/ui"
)

func Run() cli.Command { //nolint:funlen // a table
	var o run.Options
	var on bool
	return cli.Command{
		Use: "run [<options>] [<task>]", Short: "have workers carry out the phases that are ready",
		Flags: []cli.Flag{
			cli.Opt("parallel", &o.Parallel, "how `many` workers there are at once"),
			cli.Opt("only", &o.Only, "work on this `phase` alone, and others that are named"),
			cli.Opt("skip", &o.Skip, "leave this `phase` out"),
			cli.Opt("from", &o.From, "begin with this `phase`, in their order"),
			cli.Opt("until", &o.Until, "end with this `phase`, in their order"),
			cli.Opt("walkaway", &o.Walkaway, "an executive decides on what would fail"),
			cli.Opt("auto-continue", &on, "go on with the next task that has phases for workers"),
		},
		DryRun: "only say which phases would be begun, by whom",
		Check: func(c *cli.Call) error {
			if on && (len(o.Only)+len(o.Skip) > 0 || o.From+o.Until != "") {
				return clone.Invalid("leave one of the two out", "--auto-continue is about whole tasks, and phases are named")
			}
			if c.Cmd.Flags().Changed("parallel") && o.Parallel < 1 {
				return clone.Invalid("leave --parallel out for what run.parallel says", "no run has %d workers at once", o.Parallel)
			}
			o.Only, o.Skip = withoutCommas(o.Only), withoutCommas(o.Skip)
			if c.Flags.DryRun {
				return nil
			}
			return c.ForPeople("start workers")
		},
		Task: func(c *cli.Call) (cli.Answer, error) {
			if c.Flags.DryRun {
				return planAnswer(c, o, on)
			}
			debug.SetGCPercent(gcPercent)
			self, err := os.Executable()
			if err != nil {
				return cli.Answer{}, err
			}
			o.Keeper = []string{self, cli.KeeperCommand}
			o.Share = func() { cli.SyncLater(c.Env, c.App) }
			end := func() {}
			switch {
			case canLive(c):
				var live *liveRun
				live, end = newLive(c)
				o.Tell, o.Show = live.tell, live.show
			case !c.Flags.Quiet && !c.Flags.JSON:
				o.Tell = func(e run.Event) {
					for _, line := range linesOf(c, e) {
						fmt.Fprintln(c.Err, line)
					}
				}
			}
			defer end()
			if on {
				return runOn(c, o)
			}
			r, err := c.App.Run(c.Ctx, c.ID, o)
			if err != nil && r.Task.ID == "" {
				return cli.Answer{}, err
			}
			a := ranAnswer(c, r, err)
			if len(o.Only) == 1 && err == nil {
				a.End = cli.ExitWith(exitOf(r.Task, o.Only[0]))
			}
			return a, nil
		},
	}
}

// withoutCommas are the ids of phases in a list whose entries may have several.
func withoutCommas(list []string) (ids []string) {
	for _, entry := range list {
		ids = append(ids, strings.Split(entry, ",")...)
	}
	return ids
}

// The exit codes of a run of one phase, by what its last worker said.
const (
	exitBlocked     = 32
	exitAlreadyDone = 33
	exitAbsorbed    = 34
)

// exitOf is how a run of one phase ends.
func exitOf(t task.Task, id string) int {
	p, err := t.FindPhase(id)
	if err != nil || p.Status == task.PhaseFailed && p.LastTurn().Outcome != task.TurnBlocked {
		return cli.ExitFailed
	}
	for _, turn := range slices.Backward(p.Turns) {
		switch turn.Outcome {
		case task.TurnBlocked:
			return exitBlocked
		case task.TurnAlreadyDone:
			return exitAlreadyDone
		case task.TurnAbsorbed:
			return exitAbsorbed
		case task.TurnComplete:
			return cli.ExitDone
		default:
		}
	}
	return cli.ExitFailed
}

// gcPercent keeps a run small, which is no command that is over before it could matter.
const gcPercent = 150

func planAnswer(c *cli.Call, o run.Options, on bool) (cli.Answer, error) {
	f, err := c.App.Runs.Plan(c.Ctx, c.ID, o)
	if err != nil {
		return cli.Answer{}, err
	}
	next := []task.ID{}
	if on {
		if next, err = c.App.RunNext(c.Ctx, []task.ID{c.ID}); err != nil {
			return cli.Answer{}, err
		}
	}
	docs, records, missing := []any{}, [][]string{}, ""
	if f.Missing != nil {
		missing = cli.OneLine(f.Missing.Error())
	}
	for i, wave := range f.Waves {
		for _, p := range wave {
			docs = append(docs, ui.Object{
				"wave", i + 1, "phase", p.Phase.ID, "title", p.Phase.Title, "tier", p.Tier,
				"program", p.Program, "why", p.Why, "apart", p.Apart, "meets?", p.Meets, "waits?", p.Waits,
			})
			records = append(records, []string{strconv.Itoa(i + 1), p.Phase.ID, string(p.Tier), p.Phase.Title})
		}
	}
	say := func() {
		if f.Held != "" {
			c.Say("held: %s", ui.Safe(cli.OneLine(f.Held)))
		}
		if f.Paused != "" {
			c.Say("paused: %s; a run ends that", ui.Safe(strings.TrimRight(cli.OneLine(f.Paused), ".")))
		}
		for i, wave := range f.Waves {
			c.Say("wave %d", i+1)
			for _, p := range wave {
				c.Say("  %s %s  %s", ui.Safe(p.Phase.ID), ui.Safe(p.Phase.Title),
					ui.Safe(ui.Joined("; ", fmt.Sprintf("%s (%s), %s", p.Tier, p.Program, p.Why), p.Apart, p.Meets, p.Waits)))
			}
		}
		for _, text := range f.Left {
			c.Say("left: %s", ui.Safe(text))
		}
		if len(f.Waves) == 0 {
			c.Say("Nothing can be begun.")
		}
		if missing != "" {
			c.Say("missing: %s", ui.Safe(missing))
		}
		for _, id := range next {
			c.Say("then: %s", c.Name(id))
		}
	}
	return cli.Answer{
		JSON: ui.Object{
			"task", c.ID, "phases", docs, "left", f.Left, "missing", missing, "then", next,
			"held?", f.Held, "paused?", f.Paused,
		},
		Records: slices.Values(records), Text: say,
	}, nil
}

func ranAnswer(c *cli.Call, r run.Summary, err error) cli.Answer {
	notes := make([]string, 0, len(r.Left))
	for _, text := range r.Left {
		notes = append(notes, "left: "+text)
	}
	if len(r.Hands) > 0 {
		notes = append(notes, "others do not have it yet: '"+strings.Join(r.Hands, "', then '")+"'")
	}
	doc := c.Change(r.Task, task.Phase{}, notes)
	doc.Phase = task.Phase{} // how many there are, they stand under "run"
	done := fmt.Sprintf("%d completed", len(r.Completed))
	if len(r.Failed) > 0 {
		done += fmt.Sprintf(", failed: %s", strings.Join(r.Failed, ", "))
	}
	if len(r.Before) > 0 {
		done += fmt.Sprintf(", failed before: %s", strings.Join(r.Before, ", "))
	}
	done += "; " + report.CostWords(r.Cost)
	if err == nil && len(r.Completed)+len(r.Failed)+len(r.Before)+len(r.Left) == 0 && r.Cost == (task.Cost{}) {
		done = "nothing was left to do"
	}
	a := c.Changed(doc, "Ran %s: %s", c.Name(c.ID), done)
	a.JSON = ui.Object{doc, "run", ranDoc(r)}
	switch {
	case errors.Is(err, c.Ctx.Err()) && err != nil:
		a.End = errors.New(c.Addressed("the run was interrupted; 'git brew run' goes on"))
	case err != nil:
		a.End = err
	case len(r.Failed)+len(r.Before) > 0:
		a.End = cli.ExitWith(cli.ExitFailed)
	}
	return a
}

// ranDoc is a run as JSON: how each phase stands that it was asked for and that workers had, what
// they cost it in all, and why the others are left.
func ranDoc(r run.Summary) ui.Object {
	phases := []any{}
	for _, p := range r.Worked {
		phases = append(phases, ui.Object{
			"phase", p.ID, "title", p.Title, "status", p.Status, "turns", len(p.Turns), "outcome", p.LastTurn().Outcome,
			"reason", p.Reason, "cost", p.Spent,
		})
	}
	return ui.Object{
		"completed", append([]string{}, r.Completed...), "failed", append([]string{}, r.Failed...),
		"left", append([]string{}, r.Left...), "cost", r.Cost, "phases", phases,
	}
}
