package importer

import (
	"path"
	"strings"

	"github.com/git-brew/git-brew/internal/document"
)

// readBacklogMD reads Backlog.md's directory: one file a task, below tasks/ and
// completed/. Drafts and what is archived stay there.
func readBacklogMD(r *reader) error {
	var all []issue
	for _, p := range r.paths {
		dir := path.Base(path.Dir(p))
		switch {
		case path.Ext(p) != ".md":
		case len(r.paths) == 1, dir == "tasks" && !strings.Contains("/"+p, "/archive/"), dir == "completed", dir == ".":
			if one, ok := r.backlogFile(p); ok {
				all = append(all, one)
			} else {
				delete(r.used, p)
			}
		}
	}
	ids := map[string]bool{}
	for _, one := range all {
		ids[one.id] = true
	}
	for i, one := range all { // the prefix of ids may have changed since
		if !ids[one.parent] && ids[parentOf(one.id)] {
			all[i].parent = parentOf(one.id)
		}
	}
	sortIssues(all)
	r.trackIssues("", all)
	return nil
}

func (r *reader) backlogFile(p string) (issue, bool) {
	text := r.text(p)
	front := document.ReadFront(text)
	id := strings.ToLower(front.Value("id"))
	if id == "" {
		return issue{}, false
	}
	one := issue{
		id: id, title: front.Value("title"), path: p, parent: strings.ToLower(front.Value("parent_task_id")),
		status: r.known(p, 0, id, front.Value("status")), priority: priorityOf(front.Value("priority")),
	}
	own := withoutFront(text)
	head := strings.Trim(strings.TrimSuffix(string(text), own), "-\r\n")
	one.text = strings.TrimSpace(own) + section("In Backlog.md", "```yaml\n"+head+"\n```")
	var names []string
	for _, f := range front.Fields {
		if f.Key != "id" && f.Key != "title" && f.Key != "status" {
			names = append(names, f.Key)
		}
	}
	if len(front.Odd) > 0 {
		names = append(names, "lines that are no fields")
	}
	one.leaves = leaving(own, names)
	if one.parent == "" {
		one.parent = parentOf(id)
	}
	for _, on := range front.Values("dependencies") {
		one.dependsOn = append(one.dependsOn, strings.ToLower(on))
	}
	_, criteria, _ := strings.Cut(string(text), "\n## Acceptance Criteria")
	criteria, _, _ = strings.Cut(criteria, "\n## ")
	for _, b := range boxes([]byte(criteria)) {
		number, rest, ok := strings.Cut(b.text, " ")
		if !ok || !strings.HasPrefix(number, "#") {
			rest = b.text
		}
		one.acceptance = append(one.acceptance, rest)
	}
	return one, true
}

// withoutFront is a text behind its front matter.
func withoutFront(text []byte) string {
	rest := string(text)
	for range document.ReadFront(text).Lines {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return rest
}
