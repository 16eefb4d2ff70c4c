package tasks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

type statusOptions struct {
	task       string
	brief, all bool
	watch      string
}

// watchDefault stands for --watch without a number.
const watchDefault = "default"

func Status() cli.Command {
	var o statusOptions
	return cli.Command{
		Use: "status [<options>] [<task>]", Short: "show where the task stands",
		Flags: []cli.Flag{
			cli.Opt("brief", &o.brief, "one line of JSON, for a status bar"),
			cli.Opt("a, all", &o.all, "every open task"),
			cli.Opt("watch", &o.watch, "show it again and again, every 30 `seconds`"),
		},
		Check: func(c *cli.Call) error {
			o.task = cli.FirstArg(c.Args)
			switch {
			case o.all && o.task != "":
				return cli.Misused("--all and a task exclude each other", "give one of them")
			case o.brief && c.Flags.Porcelain:
				return cli.Misused("--brief and --porcelain exclude each other", "give one of them")
			}
			return nil
		},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			if o.watch != "" {
				return cli.Answer{}, watch(c, o)
			}
			a, _, err := statusAnswer(c, o)
			return a, err
		},
		Setup: func(_ *cli.Env, cmd *cobra.Command) { cmd.Flags().Lookup("watch").NoOptDefVal = watchDefault },
	}
}

// statusAnswer tells where the task stands, or with --all every open one, and whether a run is at
// work on one of them.
func statusAnswer(c *cli.Call, o statusOptions) (a cli.Answer, running bool, err error) {
	forPeople := !c.Flags.JSON && !c.Flags.Porcelain && !o.brief
	request := app.TaskStatusRequest{Task: o.task, Ahead: forPeople, Services: !o.brief}
	var all []app.TaskStatus
	if o.all {
		found, broken, err := c.App.AllTaskStatuses(c.Ctx, request)
		if err != nil {
			return a, false, err
		}
		docs := view.Each(found, func(st app.TaskStatus) ui.Object { return view.Status(st, st.Next, nil, nil, c.Now()) })
		all, a.JSON, a.End = found, ui.Object{"tasks", docs}, brokenTasks(c.Env, broken)
	} else {
		st, err := c.App.TaskStatus(c.Ctx, request)
		if err != nil {
			return a, false, err
		}
		if st.Task != nil {
			c.Mean(c.Ctx, c.App, o.task, st.Task.ID)
		}
		if forPeople && o.watch == "" {
			for _, w := range st.Warnings {
				c.Complain("%s; 'git brew doctor' says more", cli.OneLine(w))
			}
		}
		all, a.JSON = append(all, st), statusDocument(c, st)
	}
	a.Records = statusRecords(all, c.Now())
	a.Text = func() {
		for i, st := range all {
			if i > 0 {
				c.Line("")
			}
			sayStatus(c, st)
		}
	}
	if o.brief { // one line for status bars, in every form
		a.JSON, a.Records, a.Text = nil, nil, func() {
			for _, st := range all {
				doc := view.Brief(st, func(p task.Phase) int64 { return taskview.WorkedSeconds(p, c.Now()) })
				_ = json.NewEncoder(c.Out).Encode(doc) // the flush reports what can't be written
			}
		}
	}
	running = slices.ContainsFunc(all, func(st app.TaskStatus) bool { return st.Run != nil })
	return a, running, nil
}

// statusDocument is the status of one task, with what is to be done where there is none.
func statusDocument(c *cli.Call, st app.TaskStatus) ui.Object {
	next, elsewhere := st.Next, ui.Object(nil)
	if st.Task == nil {
		next = route.Step{Step: task.StepStart, Reason: "there is no task here", Command: "git brew create TITLE"}
		if gone, ok := c.App.Records.GoneHere(c.Ctx); ok {
			next.Reason, next.Command = "no task here: "+gone.What, gone.Way
		}
	}
	if there := c.Found; there != nil {
		elsewhere = ui.Object{"remote", there.Remote, "tasks", there.Tasks, "archive", there.Archive}
		next.Reason, next.Command = there.Remote+" has "+cli.StateThere(*there), cli.Bringing(c.Env)
	}
	return view.Status(st, next, candidates(st), elsewhere, c.Now())
}

func sayStatus(c *cli.Call, st app.TaskStatus) {
	if st.Task != nil {
		taskview.Status{
			TaskStatus: st, HeldBy: ui.Safe(c.App.Clone.Holder(st.Lock)), Name: c.Name(st.Task.ID), Style: c.Style(), Env: c.Env,
			Now: c.Now(),
		}.Print()
		return
	}
	what, next := cli.NoTaskWords(c.Env, c.Ctx, c.App)
	if st.Several != nil {
		text, _, _ := strings.Cut(st.Several.Error(), ";")
		what, next = ui.Safe(cli.Sentence(text)), "git brew switch TASK, with the one that is meant here"
	}
	c.Tell("%s; %s mode\n", what, st.Mode)
	if words := taskview.OffWords(st.View); words != "" {
		c.Tell("%s\n", cli.Sentence(words))
	}
	c.Next("%s", next)
}

// candidates are the tasks that the branch here may mean; none where it is clear.
func candidates(st app.TaskStatus) []task.ID {
	if st.Several == nil {
		return nil
	}
	return st.Several.Candidates
}

func statusRecords(all []app.TaskStatus, now time.Time) cli.Porcelain {
	var lines [][]string
	add := func(fields ...string) { lines = append(lines, fields) }
	for _, st := range all {
		for _, id := range candidates(st) {
			add("candidate", string(id))
		}
		if t := st.Task; t != nil {
			add("task", string(t.ID), string(t.Status), string(t.Stage), t.Type, t.Branch, t.Title)
			if st.Archived {
				add("archived", string(t.ID))
			}
			for _, p := range t.Phases {
				current := ui.Either(p.UID == t.Current, "current", "-")
				add("phase", p.ID, string(p.Status), string(p.Review), strconv.Itoa(p.Iteration), current, p.Title)
			}
			l := st.Lock
			fence := strconv.FormatUint(l.Fence, 10)
			add("lock", string(st.LockState), l.Session, l.User, l.Host, fence, lease.ExpiresAt(l, now))
			add("next", st.Next.Step, st.Next.Pipeline, st.Next.Phase, st.Next.Reason)
		}
		add("mode", string(st.Mode))
	}
	return slices.Values(lines)
}

// watch shows the status again and again, until it is interrupted: on a
// terminal in place, elsewhere whenever it has changed.
func watch(c *cli.Call, o statusOptions) error {
	every, err := o.every(c)
	if err != nil {
		return err
	}
	out, shown := c.Out, []byte(nil)
	defer func() { c.Out = out }()
	live := c.Terminal && c.Getenv("TERM") != "dumb" && !c.Flags.JSON && !c.Flags.Porcelain && !o.brief
	for {
		var now bytes.Buffer
		var rows int
		if c.Out = &now; live {
			c.Columns, rows = c.Size()
		}
		c.App.Exchange.TakeFetched(c.Ctx, false) // a plain git fetch shows at the next look
		a, running, err := statusAnswer(c, o)
		if err == nil {
			err = c.Print(a)
		}
		switch {
		case c.Ctx.Err() != nil:
			return nil // interrupted, as people end it
		case err != nil:
			return err
		case live:
			_, _ = io.WriteString(out, ui.Page(now.String(), rows, shown == nil))
		case !bytes.Equal(now.Bytes(), shown):
			_, _ = out.Write(now.Bytes())
		}
		shown = now.Bytes()
		if err := c.Flush(); err != nil {
			return err
		}
		again := every
		if live && running && o.watch == watchDefault {
			again = min(again, time.Second)
		}
		if !sleep(c, again, live) {
			return nil
		}
	}
}

// sleep waits for a time, on a terminal only until its size changes. It reports whether to go on.
func sleep(c *cli.Call, d time.Duration, live bool) bool {
	columns, rows := c.Size()
	over, look := time.NewTimer(d), time.NewTicker(time.Second)
	defer over.Stop()
	defer look.Stop()
	for {
		select {
		case <-c.Ctx.Done():
			return false
		case <-over.C:
			return true
		case <-look.C:
			if w, h := c.Size(); live && (w != columns || h != rows) {
				return true
			}
		}
	}
}

// every is how long --watch waits between two looks.
func (o statusOptions) every(c *cli.Call) (time.Duration, error) {
	if o.watch == watchDefault {
		set, err := c.App.Config.Settings(c.Ctx)
		return set.Period(config.KeyWatchInterval), err
	}
	seconds, err := strconv.ParseFloat(o.watch, 64)
	if err != nil || seconds < 0.1 || seconds > 86400 {
		return 0, cli.Misused(fmt.Sprintf("--watch=%q is no number of seconds", o.watch), "give --watch=5")
	}
	return time.Duration(seconds * float64(time.Second)), nil
}
