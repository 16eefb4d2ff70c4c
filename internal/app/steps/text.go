package steps

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/pipeline"
)

// WorkflowText is a text that a step follows, or that is followed around one: git
// brew's own by its name, one of the project by its path, where this clone's
// person has trusted it in a place that it has in the pipeline.
func (s *Pipelines) WorkflowText(ctx context.Context, name string) (text []byte, builtIn bool, err error) {
	if own, ok := pipeline.WorkflowText(name); ok {
		return []byte(own), true, nil
	}
	used, err := pipelineFilesUsed(ctx, s)
	if err != nil {
		return nil, false, err
	}
	found := false
	for _, u := range used {
		if u.file.path == name && u.content.Kind == clone.TrustWorkflow {
			if u.Trusted {
				return u.file.data, false, nil
			}
			found = true
		}
	}
	if found {
		return nil, false, clone.Refuse("the user looks at it with 'git brew trust list'", "%s is not trusted", name)
	}
	return nil, false, clone.NotFound("see 'git brew pipeline show'", "no step follows a workflow %.64q", name)
}
