package steps

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/ledger"
)

// PipelineOnTrust are the contents around steps that are used here on trust: the
// shared pipeline, the workflows of the project that steps follow, and the
// hooks around them. Only of the pipeline that is in force.
func (s *Pipelines) PipelineOnTrust(ctx context.Context) ([]config.TrustItem, error) {
	items, err := s.sharedPipelineOnTrust(ctx)
	if err != nil {
		return nil, err
	}
	used, err := pipelineFilesUsed(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, u := range used {
		hash := u.content.Hash()
		where := u.file.path + ", " + u.where
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

// pipelineFilesUsed are the files of the project that the pipeline in force
// uses, and that can be used, once in each place.
func pipelineFilesUsed(ctx context.Context, s *Pipelines) ([]usedFile, error) {
	p, err := s.Pipeline(ctx)
	if err != nil {
		return nil, err
	}
	view, err := s.viewOf(ctx, p)
	var all []usedFile
	add := func(u usedFile) {
		same := func(o usedFile) bool { return o.where == u.where && o.file.path == u.file.path }
		if (u.waits || u.Trusted && u.where != "") && !slices.ContainsFunc(all, same) {
			all = append(all, u)
		}
	}
	for _, step := range view.Steps {
		if step.Workflow != nil {
			add(step.Workflow.usedFile)
		}
		for _, h := range step.Hooks {
			add(h.usedFile)
		}
	}
	return all, err
}

// sharedPipelineOnTrust is the shared pipeline, where no file of the work tree
// goes before it.
func (s *Pipelines) sharedPipelineOnTrust(ctx context.Context) ([]config.TrustItem, error) {
	text, c, err := s.sharedPipeline(ctx)
	if err != nil || text == "" || slices.ContainsFunc(pipelineFiles(), s.hasFile) {
		return nil, err
	}
	t, err := whoShared(ctx, s, c)
	return []config.TrustItem{t}, err
}

// committed says who wrote a file, where the commit that is checked out has it
// as it is here; false: nobody can tell.
func committed(ctx context.Context, s *Pipelines, t *config.TrustItem, f projectFile) bool {
	blob, err := s.Clone.Repo.Git.Run(ctx, "rev-parse", "--verify", "--quiet", "HEAD:"+f.path)
	if err != nil || !sameBlob(strings.TrimSpace(string(blob)), f.data) {
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

// PipelineHashes are the hashes of what waits around steps.
func (s *Pipelines) PipelineHashes(ctx context.Context) ([]string, error) {
	var hashes []string
	text, c, err := s.sharedPipeline(ctx)
	if err != nil {
		return nil, err
	}
	if text != "" && !slices.ContainsFunc(pipelineFiles(), s.hasFile) {
		hashes = append(hashes, c.Hash())
	}
	used, err := pipelineFilesUsed(ctx, s)
	for _, u := range used {
		hashes = append(hashes, u.content.Hash())
	}
	return hashes, err
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
