package agent

import (
	"fmt"
	"math"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// statusLineView prints a status line.
type statusLineView struct {
	session.StatusLine
	session   string
	dir, home string
	context   contextFull
	style     ui.Style
	width     int // 0: as much as there is
}

// statusPart is a part of a line; where the line is too long, the parts of the
// highest rank go first.
type statusPart struct {
	text string
	rank int
}

// text is the status line in a form.
func (v statusLineView) text(form string) string {
	switch form {
	case config.FormMinimal:
		return v.join(v.mode(0), v.taskName(1), v.phaseShort(2), v.percent(3))
	case config.FormFull:
		lines := []string{
			v.join(v.bar(0), v.tokens(2), v.where(1)),
			v.join(v.mode(0), v.branch(1), v.changes(3), v.lock(2)),
			v.join(v.taskName(0), v.title(3), v.markers(2), v.phase(1)),
		}
		return strings.Join(strings.FieldsFunc(strings.Join(lines, "\n"), func(r rune) bool { return r == '\n' }), "\n")
	}
	return v.join(v.taskName(0), v.phase(2), v.mode(1), v.lock(3), v.bar(4), v.branch(5), v.changes(6))
}

// join makes a line of the parts that have something to say, as many as fit.
func (v statusLineView) join(parts ...statusPart) string {
	const between = " · "
	for drop := len(parts); ; drop-- {
		var texts []string
		for _, p := range parts {
			if p.text != "" && p.rank <= drop {
				texts = append(texts, p.text)
			}
		}
		line := strings.Join(texts, between)
		switch {
		case v.width <= 0 || ui.Width(line) <= v.width:
			return line
		case drop == 0:
			return ui.Truncate(ui.Plain(line), v.width)
		}
	}
}

func (v statusLineView) taskName(rank int) statusPart {
	if v.Task == nil {
		return statusPart{"no task", rank}
	}
	return statusPart{v.style.Bright(ui.Truncate(ui.Safe(v.Task.ID.Slug()), 40)), rank}
}

func (v statusLineView) title(rank int) statusPart {
	if v.Task == nil {
		return statusPart{"", rank}
	}
	return statusPart{ui.Truncate(ui.Safe(v.Task.Title), 50), rank}
}

// phase is the phase that is worked on, or the task's status.
func (v statusLineView) phase(rank int) statusPart {
	short := v.phaseShort(rank)
	if _, phase := v.current(); phase != nil {
		short.text += " " + ui.Truncate(ui.Safe(phase.Title), 30)
	}
	return short
}

func (v statusLineView) phaseShort(rank int) statusPart {
	if v.Task == nil {
		return statusPart{"", rank}
	}
	n, phase := v.current()
	if phase == nil {
		return statusPart{ui.Words(string(v.Task.Status)), rank}
	}
	mark := v.style.Mark(ui.MarkOf(phase.Status))
	return statusPart{fmt.Sprintf("%s %d/%d", mark, n, task.CountPhases(*v.Task).Wanted()), rank}
}

// current is the phase that was started last and is not completed, and which one
// of the wanted ones it is.
func (v statusLineView) current() (int, *task.Phase) {
	if v.Task == nil {
		return 0, nil
	}
	for i := range v.Task.Phases {
		if v.Task.Current != "" && v.Task.Phases[i].UID == v.Task.Current {
			return v.Task.Place(v.Task.Current), &v.Task.Phases[i]
		}
	}
	return 0, nil
}

// maxMarkers is how many phases are shown with a marker each.
const maxMarkers = 30

func (v statusLineView) markers(rank int) statusPart {
	if v.Task == nil || len(v.Task.Phases) > maxMarkers {
		return statusPart{"", rank}
	}
	var b strings.Builder
	for _, p := range v.Task.Phases {
		b.WriteString(v.style.Mark(ui.MarkOf(p.Status)))
	}
	return statusPart{b.String(), rank}
}

// mode is the mode, or why it restricts nothing here.
func (v statusLineView) mode(rank int) statusPart {
	switch {
	case v.Off == clone.OffCI:
		return statusPart{v.style.Bad("CI, hooks step aside"), rank}
	case v.Off != "":
		return statusPart{v.style.Bad("bypass") + " " + v.style.Dim(string(v.Mode)), rank}
	case !v.Guarded:
		return statusPart{v.style.Bad("gate off") + " " + v.style.Dim(string(v.Mode)), rank}
	case !v.Gated:
		return statusPart{v.style.Dim(string(v.Mode)), rank}
	case v.Mode == clone.ModeDiscussion:
		return statusPart{v.style.Warn(string(v.Mode)), rank}
	}
	return statusPart{v.style.Good(string(v.Mode)), rank}
}

// lock says who holds the lock of the task.
func (v statusLineView) lock(rank int) statusPart {
	text := ""
	switch {
	case v.LockState == lock.LockStale:
		text = v.style.Warn("stale lock")
	case v.LockState != lock.LockHeld:
	case v.Holder && v.Lock.Session == v.session:
		text = "locked here"
	case v.Holder:
		text = "locked by you"
	default:
		text = v.style.Bad("locked by " + ui.Truncate(ui.Safe(v.Lock.User+"@"+v.Lock.Host), 30))
	}
	return statusPart{text, rank}
}

// branch is what is checked out, and how far it is from what it follows: "↑2 ↓1".
// Of a task over services it is where each of them is.
func (v statusLineView) branch(rank int) statusPart {
	if len(v.Services) > 0 {
		return statusPart{v.services(), rank}
	}
	if v.Branch == "" {
		return statusPart{"", rank}
	}
	text := v.style.Dim(ui.Truncate(ui.Safe(v.Branch), 40))
	if v.Upstream != "" && !v.Counted {
		text += " ↕~" // they differ, and nobody knows by how much
	}
	if v.Ahead > 0 {
		text += " ↑" + strconv.Itoa(v.Ahead)
	}
	if v.Behind > 0 {
		text += " ↓" + strconv.Itoa(v.Behind)
	}
	return statusPart{text, rank}
}

// maxServices is how many services are named in a line.
const maxServices = 4

// services are the task's branch and the services that it is checked out in; of
// others, what is instead.
func (v statusLineView) services() string {
	texts := []string{v.style.Dim(ui.Truncate(ui.Safe(v.Task.Branch), 40))}
	for i, s := range v.Services {
		if i == maxServices {
			texts = append(texts, fmt.Sprintf("+%d", len(v.Services)-i))
			break
		}
		name := ui.Truncate(ui.Safe(path.Base(s.Path)), 20)
		switch {
		case !s.There:
			name = v.style.Warn(name + " missing")
		case s.On == "":
			name = v.style.Warn(name + " on no branch")
		case s.On != v.Task.Branch:
			name = v.style.Warn(name + " on " + ui.Truncate(ui.Safe(s.On), 24))
		}
		texts = append(texts, name)
	}
	return texts[0] + " in " + strings.Join(texts[1:], ", ")
}

func (v statusLineView) changes(rank int) statusPart {
	if !v.Looked || v.Changes == 0 {
		return statusPart{"", rank}
	}
	return statusPart{v.style.Warn(strconv.Itoa(v.Changes) + " changed"), rank}
}

// barBlocks is how many blocks the bar of the context has.
const barBlocks = 10

// bar is how full the model's context is.
func (v statusLineView) bar(rank int) statusPart {
	if !v.context.known {
		return statusPart{"", rank}
	}
	full := int(math.Floor(v.context.percent / 100 * barBlocks))
	bar := strings.Repeat("█", full) + strings.Repeat("░", barBlocks-full)
	return statusPart{"context " + v.coloured(bar+fmt.Sprintf(" %.0f%%", v.context.percent)), rank}
}

func (v statusLineView) percent(rank int) statusPart {
	if !v.context.known {
		return statusPart{"", rank}
	}
	return statusPart{v.coloured(fmt.Sprintf("%.0f%%", v.context.percent)), rank}
}

// coloured marks how full the context is: fine, getting full, nearly so (BW-40).
func (v statusLineView) coloured(text string) string {
	switch p := v.context.percent; {
	case p >= 80:
		return v.style.Bad(text)
	case p >= 50:
		return v.style.Warn(text)
	}
	return v.style.Good(text)
}

func (v statusLineView) tokens(rank int) statusPart {
	if v.context.tokens <= 0 || v.context.window <= 0 {
		return statusPart{"", rank}
	}
	return statusPart{fmt.Sprintf("%dk/%dk", (v.context.tokens+500)/1000, (v.context.window+500)/1000), rank}
}

// where is the directory, from the home directory on.
func (v statusLineView) where(rank int) statusPart {
	dir := v.dir
	if rel, err := filepath.Rel(v.home, dir); err == nil && v.home != "" && filepath.IsLocal(rel) {
		dir = filepath.Join("~", rel)
	}
	return statusPart{v.style.Dim(ui.Truncate(ui.Safe(dir), 60)), rank}
}
