package agent

import (
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

type statusLineView struct {
	session.StatusLine
	session   string
	dir, home string
	context   session.ContextUse
	full      *float64 // how full the model's context is, in percent; nil: nobody knows
	style     ui.Style
	width     int // 0: as much as there is
}

// statusPart is a part of a line; where the line is too long, the parts of the
// highest rank go first.
type statusPart struct {
	rank int
	text string
}

// text is the status line in a form.
func (v statusLineView) text(form string) string {
	switch form {
	case config.FormMinimal:
		return v.join(statusPart{0, v.mode()}, statusPart{1, v.taskName()}, statusPart{2, v.phase(false)},
			statusPart{3, v.percent()})
	case config.FormFull:
		lines := []string{
			v.join(statusPart{0, v.bar()}, statusPart{2, v.tokens()}, statusPart{1, v.where()}),
			v.join(statusPart{0, v.mode()}, statusPart{1, v.branch()}, statusPart{3, v.changes()}, statusPart{2, v.lock()}),
			v.join(statusPart{0, v.taskName()}, statusPart{3, v.title()}, statusPart{2, v.markers()},
				statusPart{1, v.phase(true)}),
		}
		return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
	}
	return v.join(statusPart{0, v.taskName()}, statusPart{2, v.phase(true)}, statusPart{1, v.mode()},
		statusPart{3, v.lock()}, statusPart{4, v.bar()}, statusPart{5, v.branch()}, statusPart{6, v.changes()})
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

func (v statusLineView) taskName() string {
	if v.Task == nil {
		return "no task"
	}
	return v.style.Bright(ui.Truncate(ui.Safe(v.Task.ID.Slug()), 40))
}

func (v statusLineView) title() string {
	if v.Task == nil {
		return ""
	}
	return ui.Truncate(ui.Safe(v.Task.Title), 50)
}

// phase is the phase that was started last and is not completed, with its title where
// that is wanted, or else the task's status.
func (v statusLineView) phase(titled bool) string {
	if v.Task == nil {
		return ""
	}
	p, found := v.Task.CurrentPhase()
	if !found {
		return ui.Words(string(v.Task.Status))
	}
	text := fmt.Sprintf("%s %d/%d", v.style.Mark(ui.MarkOf(p.Status)), v.Task.Place(p.UID),
		task.CountPhases(*v.Task).Wanted())
	if titled {
		text += " " + ui.Truncate(ui.Safe(p.Title), 30)
	}
	return text
}

const maxMarkers = 30

func (v statusLineView) markers() string {
	if v.Task == nil || len(v.Task.Phases) > maxMarkers {
		return ""
	}
	var b strings.Builder
	for _, p := range v.Task.Phases {
		b.WriteString(v.style.Mark(ui.MarkOf(p.Status)))
	}
	return b.String()
}

// mode is the mode, or why it restricts nothing here.
func (v statusLineView) mode() string {
	switch {
	case v.Off == clone.OffCI:
		return v.style.Bad("CI, hooks step aside")
	case v.Off != "":
		return v.style.Bad("bypass") + " " + v.style.Dim(string(v.Mode))
	case !v.Guarded:
		return v.style.Bad("gate off") + " " + v.style.Dim(string(v.Mode))
	case !v.Gated:
		return v.style.Dim(string(v.Mode))
	case v.Mode == clone.ModeDiscussion:
		return v.style.Warn(string(v.Mode))
	}
	return v.style.Good(string(v.Mode))
}

// lock says who holds the lock of the task.
func (v statusLineView) lock() string {
	switch {
	case v.LockState == lock.LockStale:
		return v.style.Warn("stale lock")
	case v.LockState != lock.LockHeld:
		return ""
	case v.Holder && v.Lock.Session == v.session:
		return "locked here"
	case v.Holder:
		return "locked by you"
	}
	return v.style.Bad("locked by " + ui.Truncate(ui.Safe(v.Lock.User+"@"+v.Lock.Host), 30))
}

// branch is what is checked out, and how far it is from what it follows: "↑2 ↓1".
// Of a task over services it is where each of them is.
func (v statusLineView) branch() string {
	if len(v.Services) > 0 {
		return v.services()
	}
	if v.Branch == "" {
		return ""
	}
	apart := ui.Either(v.Upstream != "" && !v.Counted, " ↕~", "") // nobody knows by how much
	ahead := ui.Either(v.Ahead > 0, " ↑"+strconv.Itoa(v.Ahead), "")
	behind := ui.Either(v.Behind > 0, " ↓"+strconv.Itoa(v.Behind), "")
	return v.style.Dim(ui.Truncate(ui.Safe(v.Branch), 40)) + apart + ahead + behind
}

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

func (v statusLineView) changes() string {
	return ui.Either(v.Looked && v.Changes > 0, v.style.Warn(strconv.Itoa(v.Changes)+" changed"), "")
}

const barBlocks = 10

func (v statusLineView) bar() string {
	if v.full == nil {
		return ""
	}
	blocks := int(math.Floor(*v.full / 100 * barBlocks))
	return "context " + v.coloured(strings.Repeat("█", blocks)+strings.Repeat("░", barBlocks-blocks)+" ")
}

func (v statusLineView) percent() string {
	if v.full == nil {
		return ""
	}
	return v.coloured("")
}

// coloured is how full the context is, behind a text: fine, getting full, nearly so (BW-40).
func (v statusLineView) coloured(text string) string {
	text += fmt.Sprintf("%.0f%%", *v.full)
	switch {
	case *v.full >= 80:
		return v.style.Bad(text)
	case *v.full >= 50:
		return v.style.Warn(text)
	}
	return v.style.Good(text)
}

func (v statusLineView) tokens() string {
	tokens := fmt.Sprintf("%dk/%dk", (v.context.Tokens+500)/1000, (v.context.Window+500)/1000)
	return ui.Either(v.context.Tokens > 0 && v.context.Window > 0, tokens, "")
}

// where is the directory, from the home directory on.
func (v statusLineView) where() string {
	dir := v.dir
	if rel, err := filepath.Rel(v.home, dir); err == nil && v.home != "" && filepath.IsLocal(rel) {
		dir = filepath.Join("~", rel)
	}
	return v.style.Dim(ui.Truncate(ui.Safe(dir), 60))
}
