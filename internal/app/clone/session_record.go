package clone

import (
	"path"

	"github.com/git-brew/git-brew/internal/task"
)

// Session is one run of an agent, as this clone saw it.
type Session struct {
	ID       string `json:"id"`
	Title    string `json:"title,omitempty"`
	Source   string `json:"source,omitempty"` // of its last start: startup, resume, clear, compact, fork
	Model    string `json:"model,omitempty"`
	WorkTree string `json:"worktree,omitempty"`
	// Transcript is the path of what was said, as the client gave it.
	Transcript string  `json:"transcript,omitempty"`
	Task       task.ID `json:"task,omitempty"` // the last one it worked on
	StartedAt  string  `json:"started_at"`
	SeenAt     string  `json:"seen_at"`
	EndedAt    string  `json:"ended_at,omitempty"`
	EndReason  string  `json:"end_reason,omitempty"`
	// Correlation ties the sessions of a task together: 8 hexadecimal digits.
	Correlation string `json:"correlation,omitempty"`
	// Compactions counts how often its context was compacted.
	Compactions int `json:"compactions,omitempty"`
	// StopBlocks counts how often in a row it was kept from stopping, while
	// the task's tip stayed StopMark.
	StopBlocks int    `json:"stop_blocks,omitempty"`
	StopMark   string `json:"stop_mark,omitempty"`
	// Told are marks of what it was told once, since its context began.
	Told []string `json:"told,omitempty"`
}

// Path is where the session lies in the clone's record: by the month it was
// seen last, so that a reader of the latest ones need not list them all.
func (e Session) Path() string {
	return path.Join("sessions", month(e.SeenAt), sessionFile(e.ID))
}

func sessionFile(id string) string { return task.SessionName(id) + ".json" }

// monthForm is how a month is called.
const monthForm = "2006-01"

func month(ts string) string {
	if t, ok := ParseTime(ts); ok {
		return t.UTC().Format(monthForm)
	}
	return "unknown"
}
