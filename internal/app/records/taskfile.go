package records

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/task"
)

// TaskFile is what a Markdown file says of the task that it is about, in its front
// matter (BW-21). Empty is what it does not say.
type TaskFile struct {
	Task, Branch, Status string
	// Services are named as submodules; Modules may be anything.
	Services, Modules []string
	// Issue is a link, as in task.Task.Issues.
	Issue string
}

// ReadTaskFile reads the front matter of a task's file. It is false where there is
// none, or none with a field "task". What can't be read in a field that counts is
// an error; the others are passed over: when and by which session the file was made
// stays in it.
func ReadTaskFile(text []byte) (f TaskFile, ok bool, err error) {
	front := document.ReadFront(text)
	if _, says := front.Field("task"); !says {
		return f, false, nil
	}
	var repository string
	for _, field := range []struct {
		key  string
		one  *string
		many *[]string
	}{
		{key: "task", one: &f.Task},
		{key: "branch", one: &f.Branch},
		{key: "status", one: &f.Status},
		{key: "github_issue", one: &f.Issue},
		{key: "github_repo", one: &repository},
		{key: "submodule", many: &f.Services},
		{key: "services", many: &f.Services},
		{key: "modules", many: &f.Modules},
	} {
		said, _ := front.Field(field.key)
		err := said.Unread
		switch {
		case err != nil:
		case field.many != nil:
			for _, v := range said.Values {
				if !slices.Contains(*field.many, v) {
					*field.many = append(*field.many, v)
				}
			}
		case len(said.Values) > 1:
			err = fmt.Errorf("it has %d values, one is wanted", len(said.Values))
		default:
			*field.one = front.Value(field.key)
		}
		if err != nil {
			return f, true, clone.Invalid("write it as "+field.key+": VALUE", "%q in the front matter: %v", field.key, err)
		}
	}
	if f.Task == "" {
		return TaskFile{}, false, nil
	}
	if f.Issue != "" {
		link := f.Issue
		if repository != "" && !strings.Contains(link, "/") {
			link = repository + "#" + strings.TrimPrefix(link, "#")
		}
		f.Issue, err = task.ParseIssue(link)
	}
	return f, true, err
}
