package hooks

import (
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/hooks/shown"
	"github.com/git-brew/git-brew/internal/task"
)

// maxServices is how many services an agent is told by name.
const maxServices = 8

// servicesText says where a task is worked on that has its branch in submodules;
// "" for any other task.
func servicesText(t *task.Task) string {
	if len(t.Services) == 0 {
		return ""
	}
	var names []string
	for _, path := range t.ServicePaths() {
		if len(names) == maxServices {
			names = append(names, "others (see 'git brew status')")
			break
		}
		names = append(names, change.ShellWord(shown.Clean(path, 80)))
	}
	return "Its branch " + shown.Clean(t.Branch, 120) + " is in these submodules, not in the repository around them: " +
		strings.Join(names, ", ") + "."
}
