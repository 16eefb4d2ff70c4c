package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

type statusOptions struct {
	task       string
	brief, all bool
	watch      string
}

// watchDefault stands for --watch without a number.
const watchDefault = "default"

func newStatusCmd(e *env) *cobra.Command {
	var o statusOptions
	cmd := &cobra.Command{
		Use:   "status [<options>] [<task>]",
		Short: "show where the task stands",
		Long: `Shows where the task stands: its phases, who holds it, what comes next. In front
of a phase, ✓ is reviewed and done, → in progress, ◐ awaits its review,
○ not started, ✗ failed, – dropped; ⬆ beside it is escalated.

Porcelain has records task (id, status, stage, type, branch, title), phase (id,
status, review, iteration, current or -, title), lock (state, session, user,
host, fence, end of the lease), mode, and next (step, pipeline, phase, reason).`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.task = first(args)
			switch {
			case o.all && o.task != "":
				return &usageError{"--all and a task exclude each other", "give one of them"}
			case o.brief && e.Flags.Porcelain:
				return &usageError{"--brief and --porcelain exclude each other", "give one of them"}
			case o.watch != "":
				return e.watch(cmd.Context(), o)
			}
			var out bytes.Buffer
			err := e.status(cmd.Context(), &out, o)
			_, werr := out.WriteTo(e.Out)
			return errors.Join(err, werr)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.brief, "brief", false, "one line of JSON, for a status bar")
	f.BoolVarP(&o.all, "all", "a", false, "every open task")
	f.StringVar(&o.watch, "watch", "", "show it again and again, every 30 `seconds`")
	f.Lookup("watch").NoOptDefVal = watchDefault
	return cmd
}

// status writes the status in the form that was asked for.
func (e *env) status(ctx context.Context, w io.Writer, o statusOptions) error {
	service, err := e.service()
	if err != nil {
		return err
	}
	forPeople := !e.Flags.JSON && !e.Flags.Porcelain && !o.brief
	request := workflow.StandingRequest{Task: o.task, Ahead: forPeople, Services: !o.brief}
	if !o.all {
		st, err := service.Standing(ctx, request)
		if err != nil {
			return err
		}
		if st.Task != nil {
			e.mean(ctx, service, o.task, st.Task.ID)
		}
		if forPeople && o.watch == "" {
			for _, w := range st.Warnings {
				e.complain("%s; 'git brew doctor' says more", oneLine(w))
			}
		}
		return e.writeStatus(ctx, w, o, service, st)
	}
	all, broken, err := service.AllStandings(ctx, request)
	if err != nil {
		return err
	}
	if err := e.writeAll(ctx, w, o, service, all); err != nil {
		return err
	}
	return e.reportBroken(broken)
}

func (e *env) writeAll(ctx context.Context, w io.Writer, o statusOptions, service *workflow.Service, all []workflow.Standing) error {
	if e.Flags.JSON && !o.brief {
		docs := struct {
			Tasks []view.Status `json:"tasks"`
		}{[]view.Status{}}
		for _, st := range all {
			docs.Tasks = append(docs.Tasks, view.NewStatus(st, e.Now()))
		}
		return ui.JSON(w, docs)
	}
	for i, st := range all {
		if i > 0 && !o.brief && !e.Flags.Porcelain {
			fmt.Fprintln(w)
		}
		if err := e.writeStatus(ctx, w, o, service, st); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) writeStatus(ctx context.Context, w io.Writer, o statusOptions, service *workflow.Service, st workflow.Standing) error {
	now := e.Now()
	switch {
	case o.brief:
		doc := view.NewBrief(st, func(p task.Phase) int64 { return workedSeconds(p, now) })
		return json.NewEncoder(w).Encode(doc)
	case e.Flags.JSON:
		doc := view.NewStatus(st, e.Now())
		if st.Several != nil {
			doc.Candidates = st.Several.Candidates
		}
		if st.Task == nil {
			if gone, ok := service.GoneHere(ctx); ok {
				doc.Next.Reason, doc.Next.Command = "no task here: "+gone.What, gone.Way
			}
		}
		if there := e.found; there != nil {
			doc.Sync.Elsewhere = &view.Elsewhere{Remote: there.Remote, Tasks: there.Tasks, Archive: there.Archive}
			doc.Next.Reason, doc.Next.Command = there.Remote+" has "+stateThere(*there), e.bringing()
		}
		return ui.JSON(w, doc)
	case e.Flags.Porcelain:
		return statusPorcelain(w, st, e.Now())
	case st.Task == nil:
		what, next := e.noTaskWords(ctx, service)
		if st.Several != nil {
			what, next = severalWords(st.Several), afterSeveral
		}
		lines := fmt.Sprintf("%s; %s mode\n", what, st.Mode)
		if words := offWords(st.View); words != "" {
			lines += sentence(words) + "\n"
		}
		if line := e.advice(ctx, service, "%s", next); line != "" {
			lines += line + "\n"
		}
		fmt.Fprint(w, ui.Wrap(lines, e.room(0, 0)))
		return nil
	}
	return statusView{Standing: st, heldBy: ui.Safe(service.Holder(st.Lock)), name: e.name(ctx, service, st.Task.ID), style: e.colours(service), env: e, now: now}.write(w)
}

func statusPorcelain(w io.Writer, st workflow.Standing, now time.Time) error {
	var records [][]string
	if t := st.Task; t != nil {
		records = append(records, []string{"task", string(t.ID), string(t.Status), string(t.Stage), t.Type, t.Branch, t.Title})
		if st.Archived {
			records = append(records, []string{"archived", string(t.ID)})
		}
		for _, p := range t.Phases {
			current := "-"
			if p.UID == t.Current {
				current = "current"
			}
			records = append(records, []string{"phase", p.ID, string(p.Status), string(p.Review), strconv.Itoa(p.Iteration), current, p.Title})
		}
		l := st.Lock
		records = append(records,
			[]string{"lock", string(st.LockState), l.Session, l.User, l.Host, strconv.FormatUint(l.Fence, 10), task.ExpiresAt(l, now)},
			[]string{"next", st.Next.Step, st.Next.Pipeline, st.Next.Phase, st.Next.Reason})
	}
	if st.Several != nil {
		if err := candidates(w, st.Several); err != nil {
			return err
		}
	}
	records = append(records, []string{"mode", string(st.Mode)})
	for _, record := range records {
		if err := ui.Record(w, record...); err != nil {
			return err
		}
	}
	return nil
}

// watch shows the status again and again, until it is interrupted: on a
// terminal in place, elsewhere whenever it has changed.
func (e *env) watch(ctx context.Context, o statusOptions) error {
	service, err := e.service()
	if err != nil {
		return err
	}
	set, err := service.Settings(ctx)
	if err != nil {
		return err
	}
	every := set.Period(workflow.KeyWatchInterval)
	if o.watch != watchDefault {
		seconds, err := strconv.ParseFloat(o.watch, 64)
		if err != nil || seconds < 0.1 || seconds > 86400 {
			return &usageError{fmt.Sprintf("--watch=%q is no number of seconds", o.watch), "give --watch=5"}
		}
		every = time.Duration(seconds * float64(time.Second))
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	shown := []byte(nil)
	for {
		var out bytes.Buffer
		service.FoldIn(ctx) // a plain git fetch shows at the next look
		if err := e.status(ctx, &out, o); err != nil {
			if ctx.Err() != nil {
				return nil // interrupted, as people end it
			}
			return err
		}
		if e.Terminal && !e.Flags.JSON && !e.Flags.Porcelain && !o.brief {
			fmt.Fprintf(e.Out, "\x1b[H\x1b[2J%s", out.Bytes())
		} else if !bytes.Equal(out.Bytes(), shown) {
			_, _ = e.Out.Write(out.Bytes())
		}
		shown = out.Bytes()
		if err := e.flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
