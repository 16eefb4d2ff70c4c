package steps

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-brew/git-brew/internal/pipeline"
)

// Where a pipeline comes from, beside a file of the work tree.
const (
	FromShared  = "shared"
	FromDefault = "default"
)

// pipelineFiles are where a work tree has one, the first that is there counts.
func pipelineFiles() []string { return []string{".brew/pipeline.json", ".specd/pipeline.json"} }

// Pipeline is the pipeline that is in force here.
type Pipeline struct {
	// From is the file's path in the work tree, FromShared or FromDefault.
	From            string `json:"from"`
	pipeline.Config        // with nothing in it where there are errors
	// Waiting is the hash of the shared pipeline, where that would be in force if
	// this clone's person had trusted it; "" else.
	Waiting string `json:"waiting,omitempty"`
	// TakenBack is the hash of the shared pipeline that this clone's person trusts
	// and somebody else took back, where the built-in one is in force by that; "" else.
	// Only who tells of a pipeline looks: PipelineView, StepPlan and a sync.
	TakenBack string             `json:"taken_back,omitempty"`
	Findings  []pipeline.Finding `json:"findings"`
}

// Broken says why no step can be taken with it, in one line; "" where they can.
func (p Pipeline) Broken() string {
	bad := pipeline.Errors(p.Findings)
	if len(bad) == 0 {
		return ""
	}
	return p.From + ": " + bad[0].String() + andMore(bad)
}

func andMore(bad []pipeline.Finding) string {
	if len(bad) < 2 {
		return ""
	}
	return fmt.Sprintf(", and %d more", len(bad)-1)
}

// Pipeline finds the pipeline that is in force: the work tree's, else the shared
// one as far as it is trusted here, else the built-in one. One that can't be
// read is in force all the same, with what is wrong with it: what people wrote
// is never passed over in silence.
func (s *Pipelines) Pipeline(ctx context.Context) (Pipeline, error) {
	for _, name := range pipelineFiles() {
		p := Pipeline{From: name}
		switch data, _, problem := s.readFile(name); problem {
		case notThere:
			continue
		case "":
			p.Config, p.Findings = pipeline.Parse(data)
		default:
			p.Findings = []pipeline.Finding{{Level: pipeline.LevelError, Text: problem}}
		}
		return p, nil
	}
	text, c, err := s.sharedPipeline(ctx)
	if err != nil || text == "" {
		return Pipeline{From: FromDefault, Config: pipeline.Default()}, err
	}
	trusted, err := s.Clone.Trusted(ctx, c)
	if err != nil || !trusted {
		return Pipeline{From: FromDefault, Config: pipeline.Default(), Waiting: c.Hash()}, err
	}
	p := Pipeline{From: FromShared}
	p.Config, p.Findings = pipeline.Parse([]byte(text))
	return p, nil
}

// workTree is the top of this work tree as the system knows it, "" where there
// is none.
func (s *Pipelines) workTree() string {
	top := s.Clone.Repo.WorkTree
	if top == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(top); err == nil {
		return real
	}
	return top
}

// CheckPipeline says what is wrong with a document, and with the files that it
// names, as far as there is a work tree that may have them.
func (s *Pipelines) CheckPipeline(ctx context.Context, text []byte) ([]pipeline.Finding, error) {
	config, found := pipeline.Parse(text)
	if s.workTree() == "" || len(pipeline.Errors(found)) > 0 {
		return found, nil
	}
	view, err := s.viewOf(ctx, Pipeline{From: FromShared, Config: config, Findings: found})
	for i := range view.Steps { // what is here by convention is not the document's
		view.Steps[i].Hooks = slices.DeleteFunc(view.Steps[i].Hooks, func(h PlannedHook) bool { return h.Convention })
	}
	return append(found, view.FileFindings()...), err
}

// FileFindings are what is wrong with the files that a pipeline names. What
// nobody here has trusted yet is for this clone alone.
func (v PipelineView) FileFindings() []pipeline.Finding {
	var found []pipeline.Finding
	for _, u := range v.files() {
		f := pipeline.Finding{
			Level: pipeline.LevelError, Text: fmt.Sprintf("%s, %s, %s", u.path, u.where, u.Problem),
		}
		switch {
		case u.waits:
			f.Level = pipeline.LevelNote
		case !u.required:
			f.Level = pipeline.LevelWarning
		}
		if u.Problem != "" {
			found = append(found, f)
		}
	}
	return found
}

// files are those of the project that a pipeline names, once in each place.
func (v PipelineView) files() []usedFile {
	var all []usedFile
	add := func(u usedFile) {
		same := func(o usedFile) bool {
			return o.where == u.where && o.path == u.path && o.required == u.required
		}
		if u.where != "" && !slices.ContainsFunc(all, same) {
			all = append(all, u)
		}
	}
	for _, step := range v.Steps {
		if step.Workflow != nil {
			add(step.Workflow.usedFile)
		}
		for _, h := range step.Hooks {
			add(h.usedFile)
		}
	}
	return all
}
