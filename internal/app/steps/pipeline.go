package steps

import (
	"context"
	"fmt"
	"path/filepath"

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
		f := s.projectFile(name)
		if !f.there {
			continue
		}
		p := Pipeline{From: name}
		if f.problem != "" {
			p.Findings = []pipeline.Finding{{Level: pipeline.LevelError, Text: f.problem}}
			return p, nil
		}
		p.Config, p.Findings = pipeline.Parse(f.data)
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
	top := s.Clone.Repo.WorkTree()
	if top == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(top); err == nil {
		return real
	}
	return top
}
