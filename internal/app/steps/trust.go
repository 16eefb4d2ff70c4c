package steps

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/pipeline"
)

// PipelineOnTrust are the contents around steps that are used here on trust, each with
// who wrote it: see onTrust.
func (s *Pipelines) PipelineOnTrust(ctx context.Context) ([]config.TrustItem, error) {
	used, err := s.onTrust(ctx)
	if err != nil {
		return nil, err
	}
	var items []config.TrustItem
	for _, u := range used {
		if u.path == "" {
			set, err := s.Config.WhoSet(ctx, u.content)
			if err != nil {
				return nil, err
			}
			items = append(items, set...)
			continue
		}
		t := config.TrustItem{Content: u.content, Hash: u.content.Hash(), Where: []string{u.path + ", " + u.where}}
		i := slices.IndexFunc(items, func(o config.TrustItem) bool { return o.Hash == t.Hash })
		switch {
		case i < 0:
			if !committed(ctx, s, &t, u) {
				t.Where[0] += ", not committed"
			}
			items = append(items, t)
		case !slices.Contains(items[i].Where, t.Where[0]):
			items[i].Where = append(items[i].Where, t.Where...)
		}
	}
	return items, nil
}

// PipelineHashes are the hashes of what is used around steps on trust.
func (s *Pipelines) PipelineHashes(ctx context.Context) ([]string, error) {
	used, err := s.onTrust(ctx)
	hashes := make([]string, len(used))
	for i, u := range used {
		hashes[i] = u.content.Hash()
	}
	return hashes, err
}

// onTrust are the shared pipeline, a content without a path, where no file of the work
// tree goes before it; and the workflows and hooks of the project that the pipeline in
// force names, and that can be used.
func (s *Pipelines) onTrust(ctx context.Context) ([]usedFile, error) {
	text, shared, err := s.sharedPipeline(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.Pipeline(ctx)
	if err != nil {
		return nil, err
	}
	view, err := s.viewOf(ctx, p)
	used := slices.DeleteFunc(view.files(), func(u usedFile) bool { return !u.waits && !u.Trusted })
	if text != "" && !slices.Contains(pipelineFiles(), p.From) {
		used = slices.Insert(used, 0, usedFile{content: shared})
	}
	return used, err
}

// committed says who wrote a file, where the commit that is checked out has it
// as it is here; false: nobody can tell.
func committed(ctx context.Context, s *Pipelines, t *config.TrustItem, f usedFile) bool {
	blob, err := s.Clone.Repo.Git.Run(ctx, "rev-parse", "--verify", "--quiet", "HEAD:"+f.path)
	if err != nil || strings.TrimSpace(string(blob)) != gitstore.HashBlob(f.data).String() {
		return false
	}
	out, err := s.Clone.Repo.Git.Run(ctx, "log", "-1", "--format=%an%x00%ae%x00%H%x00%ct", "HEAD", "--",
		":(top,literal)"+f.path)
	fields := strings.Split(strings.TrimSpace(string(out)), "\x00")
	if err != nil || len(fields) != 4 {
		return false
	}
	t.Author, t.Commit = fields[0]+" <"+fields[1]+">", fields[2]
	t.At = time.Unix(int64(config.Count(fields[3])), 0).UTC().Format("2006-01-02T15:04:05Z")
	return true
}

// WorkflowText is a text that a step follows, or that is followed around one: git
// brew's own by its name, one of the project by its path, where this clone's
// person has trusted it in a place that it has in the pipeline.
func (s *Pipelines) WorkflowText(ctx context.Context, name string) (text []byte, builtIn bool, err error) {
	if own, ok := pipeline.WorkflowText(name); ok {
		return []byte(own), true, nil
	}
	used, err := s.onTrust(ctx)
	if err != nil {
		return nil, false, err
	}
	found := slices.DeleteFunc(used, func(u usedFile) bool {
		return u.path != name || u.content.Kind != clone.TrustWorkflow
	})
	if i := slices.IndexFunc(found, func(u usedFile) bool { return u.Trusted }); i >= 0 {
		return found[i].data, false, nil
	}
	if len(found) > 0 {
		return nil, false, clone.Refuse("the user looks at it with 'git brew trust list'", "%s is not trusted", name)
	}
	return nil, false, clone.NotFound("see 'git brew pipeline show'", "no step follows a workflow %.64q", name)
}
