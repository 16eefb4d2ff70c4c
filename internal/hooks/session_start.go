package hooks

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// maxContext is the size, in bytes, that a session's context stays under.
const maxContext = 4 << 10

// planAge is how old a plan may be to be offered to a cleared session.
const planAge = time.Minute

// sessionStart records the session, gives it the task's title and context, and
// takes up what is waiting for it: an unbound lock, a task in handoff.
func sessionStart(c *call) (Reply, error) {
	c.detail = protocol.Clean(c.Payload.Source, 40)
	known, title := c.View.Task != nil, c.title()
	first, err := c.here().SessionStarted(c.Ctx,
		Start{Source: c.detail, Model: protocol.Clean(c.Payload.Model, 100), Title: title, Transcript: c.Payload.Transcript})
	if err == nil && !first { // not knowing whether it was given, context twice is the lesser harm
		return Reply{}, c.takeUp()
	}
	// The start of a session takes over what was fetched, and may find the task
	// of a branch.
	err = errors.Join(err, c.look(), c.takeUp())
	if !known {
		title = c.title()
	}
	context, unread := c.sessionContext()
	return Reply{Context: context, Title: title}, errors.Join(err, unread)
}

// takeUp binds the lock that waits here for a session, and after a compaction
// goes on with the task.
func (c *call) takeUp() error {
	t, holder, changed := c.View.Task, c.View.Bound, false
	if t == nil {
		return nil
	}
	if c.View.Bindable && c.At.Session != "" {
		if _, err := c.here().BindLock(c.Ctx, t.ID); err != nil {
			return err
		}
		changed, holder = true, true
	}
	if holder && t.Status == task.Paused && t.Cause != task.CauseWaiting && c.Payload.Source == "compact" {
		if err := c.here().Resume(c.Ctx, t.ID); err != nil {
			return err
		}
		changed = true
	}
	if changed {
		return c.look()
	}
	return nil
}

// title is the session's title: the task's, unless a person gave it another.
func (c *call) title() string {
	t := c.View.Task
	if t == nil {
		return ""
	}
	title := protocol.Clean(t.Title, 120)
	if have := c.Payload.SessionTitle; have != "" && (have == title || have != c.View.Session.Title) {
		return ""
	}
	return title
}

func (c *call) sessionContext() (string, error) {
	var about, more string
	var b Briefing
	var err error
	if c.Payload.Source == "clear" {
		more = c.offer(c.brew.LatestPlan())
	}
	switch {
	case c.View.Task != nil:
		if next, err := c.here().NextStep(c.Ctx); err == nil {
			c.View.Next = next
		}
		about = facts(c.View, c.At)
		if c.Payload.Source == "compact" {
			more = rereadText(c.View)
		}
		b, err = c.here().Brief(c.Ctx)
	case c.View.Unclear != "":
		about = "git brew: " + protocol.Clean(c.View.Unclear, 500) + "."
	}
	return invisible.CutBytes(sections(about, more, protocol.Knowledge(b.Knowledge)), maxContext-1), err
}

// sections are texts with an empty line between. What may be cut comes last.
func sections(texts ...string) string {
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
	return strings.Join(texts, "\n\n")
}

// facts is what a session is told about the task here.
func facts(v View, at Place) string {
	t := v.Task
	lines := []string{
		"git brew: this work tree is on task " + v.Name() + ", " + protocol.Quoted(t.Title, 120) + ", " + word(t.Status) +
			", stage " +
			word(t.Stage) + ".",
	}
	if r := protocol.Quoted(t.Reason, 200); r != "" {
		lines = append(lines, "Reason: "+r+".")
	}
	if where := servicesText(t); where != "" {
		lines = append(lines, where)
	}
	lines = append(lines, "Now: "+nowText(v)+".")
	switch {
	case v.Mode == ModeImplementation:
		lines = append(lines, "Mode: implementation.")
	case v.Gated:
		lines = append(lines, "Mode: discussion; files are changed after the user switches, with "+v.WayOut()+".")
	default:
		lines = append(lines, "Mode: discussion.")
	}
	if next := nextText(v.Next); next != "" && !t.Status.Terminal() {
		lines = append(lines, "Next: "+next+"; 'git brew next' says it at any time.")
	}
	if !t.Status.Terminal() {
		lines = append(lines, "Lock: "+holderText(v, at)+".")
	}
	return strings.Join(lines, "\n")
}

// holderText says who holds the task's lock, and to another session what it can
// do about that.
func holderText(v View, at Place) string {
	l := v.Lock
	switch {
	case v.Bound:
		return "held by this session"
	case v.LockState == lock.LockFree || !l.Held:
		return "free; 'git brew start' takes it"
	}
	who := "held by " + protocol.Quoted(l.HolderTo(lease.Who{Client: at.Client}), 160)
	switch {
	case v.LockState == lock.LockStale:
		return who + ", and its lease has run out; 'git brew start' takes it over"
	case l.Session != "" && l.Session == at.Session:
		return who
	}
	return who + "; wait, or the user takes it over with 'git brew start --steal'"
}

// rereadText lists what a summary of the conversation can't hold.
func rereadText(v View) string {
	commands := rereads(v)
	text := "The conversation was compacted. The task itself is unchanged; these commands show what the summary " +
		"can't hold:\n" +
		"- " + strings.Join(commands, "\n- ")
	if decided := decidedText(v.Decided); decided != "" {
		text += "\n" + decided
	}
	return text
}

// decidedText counts the decisions that hold, and names the newest.
func decidedText(d task.Decided) string {
	if d.Active == 0 {
		return ""
	}
	var newest []string
	for _, one := range d.Newest {
		newest = append(newest, protocol.Clean(one.ID, 20)+" "+protocol.Quoted(one.Title, 80))
	}
	return "Decisions that hold: " + strconv.Itoa(d.Active) + "; newest: " + strings.Join(newest, "; ") +
		". 'git brew decision list' shows all."
}

// rereads are the commands that show what the task's work stands on.
func rereads(v View) []string {
	commands := []string{"git brew status"}
	show := func(doc task.DocName, path string) {
		if _, found := v.Task.Docs[doc]; found {
			commands = append(commands, "git brew show "+change.ShellWord(v.Name()+":"+path))
		}
	}
	for _, doc := range []string{"plan", "spec", "context"} {
		show(task.DocName(doc), doc+".md")
	}
	if p := v.Phase(); p != nil {
		show(task.DocName("phases/"+string(p.UID)+"/plan"), "phases/"+phaseID(p)+"/plan.md")
	}
	return commands
}

// offer tells a cleared session about the plan it was cleared for.
func (c *call) offer(plan Plan) string {
	age := c.now().Sub(plan.Written)
	if claude.Path(plan.Path) == "" || age >= planAge || age <= -planAge {
		return ""
	}
	path := change.ShellWord(plan.Path)
	text := "The newest plan from plan mode is " + path + ". "
	if c.View.Task != nil {
		return text + "'git brew doc set plan " + path + "' keeps it with the task."
	}
	return text + "'git brew create TITLE --plan " + path + "' makes a task of it."
}
