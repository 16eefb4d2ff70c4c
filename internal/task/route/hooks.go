package route

import (
	"github.com/git-brew/git-brew/internal/task"
)

// hookFailed is a route: a required hook failed after its step.
func hookFailed(v view) (task.Phase, bool) { return task.Phase{}, len(v.OpenHooks()) > 0 }

func reasonHook(s situation) string {
	h := s.OpenHooks()[0]
	if h.Due() {
		return task.HooksWords(s.view.Task, h) + ": it runs just now, or was cut off"
	}
	return task.HooksWords(s.view.Task, h)
}
