package steps

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/pipeline"
)

// PipelineOnTrust are the contents around steps that are used here on trust: the
// shared pipeline, the workflows of the project that steps follow, and the
// hooks around them. Only of the pipeline that is in force.
func (s *Pipelines) PipelineOnTrust(ctx context.Context) ([]config.TrustItem, error) {
	shared, used, err := s.onTrust(ctx)
	if err != nil {
		return nil, err
	}
	var items []config.TrustItem
	if shared != nil {
		t, err := whoShared(ctx, s, *shared)
		if err != nil {
			return nil, err
		}
		items = append(items, t)
	}
	for _, u := range used {
		hash, where := u.content.Hash(), u.file.path+", "+u.where
		if i := slices.IndexFunc(items, func(t config.TrustItem) bool { return t.Hash == hash }); i >= 0 {
			if !slices.Contains(items[i].Where, where) {
				items[i].Where = append(items[i].Where, where)
			}
			continue
		}
		t := config.TrustItem{Content: u.content, Hash: hash, Where: []string{where}}
		if !committed(ctx, s, &t, u.file) {
			t.Where[0] += ", not committed"
		}
		items = append(items, t)
	}
	return items, nil
}

// PipelineHashes are the hashes of what waits around steps.
func (s *Pipelines) PipelineHashes(ctx context.Context) ([]string, error) {
	shared, used, err := s.onTrust(ctx)
	var hashes []string
	if shared != nil {
		hashes = append(hashes, shared.Hash())
	}
	for _, u := range used {
		hashes = append(hashes, u.content.Hash())
	}
	return hashes, err
}

// onTrust is the shared pipeline, where no file of the work tree goes before it, and the
// files of the project that the pipeline in force uses, and that can be used.
func (s *Pipelines) onTrust(ctx context.Context) (shared *clone.Content, used []usedFile, err error) {
	text, c, err := s.sharedPipeline(ctx)
	if err != nil {
		return nil, nil, err
	}
	if text != "" && !slices.ContainsFunc(pipelineFiles(), s.hasFile) {
		shared = &c
	}
	p, err := s.Pipeline(ctx)
	if err != nil {
		return nil, nil, err
	}
	view, err := s.viewOf(ctx, p)
	used = slices.DeleteFunc(view.files(), func(u usedFile) bool { return !u.waits && !u.Trusted })
	return shared, used, err
}

// committed says who wrote a file, where the commit that is checked out has it
// as it is here; false: nobody can tell.
func committed(ctx context.Context, s *Pipelines, t *config.TrustItem, f projectFile) bool {
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

// whoShared says who set a shared content.
func whoShared(ctx context.Context, s *Pipelines, c clone.Content) (config.TrustItem, error) {
	tip, err := s.Clone.Ledger.Tip(ctx, ledger.ConfigRef)
	if err != nil {
		return config.TrustItem{}, err
	}
	steps, err := s.Clone.Ledger.History(ctx, tip)
	if err != nil {
		return config.TrustItem{}, &clone.RecordError{Ref: ledger.ConfigRef, Err: err}
	}
	return s.Config.WhoSet(ctx, steps, c)
}

// WorkflowText is a text that a step follows, or that is followed around one: git
// brew's own by its name, one of the project by its path, where this clone's
// person has trusted it in a place that it has in the pipeline.
func (s *Pipelines) WorkflowText(ctx context.Context, name string) (text []byte, builtIn bool, err error) {
	if own, ok := pipeline.WorkflowText(name); ok {
		return []byte(own), true, nil
	}
	_, used, err := s.onTrust(ctx)
	if err != nil {
		return nil, false, err
	}
	found := slices.DeleteFunc(used, func(u usedFile) bool {
		return u.file.path != name || u.content.Kind != clone.TrustWorkflow
	})
	if i := slices.IndexFunc(found, func(u usedFile) bool { return u.Trusted }); i >= 0 {
		return found[i].file.data, false, nil
	}
	if len(found) > 0 {
		return nil, false, clone.Refuse("the user looks at it with 'git brew trust list'", "%s is not trusted", name)
	}
	return nil, false, clone.NotFound("see 'git brew pipeline show'", "no step follows a workflow %.64q", name)
}
