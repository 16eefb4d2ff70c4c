package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// commandFile is where a supervisor decides on a question, in Brigade's words (BR-39): the
// question's id, retry, skip, abort or pause, and why.
type commandFile struct {
	path        string
	wait, every time.Duration
}

const (
	// commandWait is how long a supervisor has to decide, commandEvery how often its file is
	// looked at.
	commandWait  = 300 * time.Second
	commandEvery = 500 * time.Millisecond
	maxCommand   = 64 << 10
)

// command is what stands in the file.
type command struct {
	Decision string `json:"decision"`
	Task     string `json:"task"`
	Action   action `json:"action"`
	Reason   string `json:"reason"`
	Guidance string `json:"guidance"`
}

// decide waits for a file that names the question. One that can't be read is told once, when
// it stands so twice: it may be half written at first.
func (f commandFile) decide(ctx context.Context, q question, tell func(string)) (decision, error) {
	over := time.NewTimer(f.wait)
	defer over.Stop()
	look := time.NewTicker(f.every)
	defer look.Stop()
	before, told := "", false
	for {
		c, err := f.read()
		switch {
		case err != nil && err.Error() == before && !told:
			told = true
			tell("the supervisor's file is left out: " + before)
		case err != nil:
			before = err.Error()
		case c.Decision == q.id && (c.Task == "" || path.Base(c.Task) == q.phase.ID):
			reason := c.Reason
			if c.Action == retry && c.Guidance != "" {
				reason = c.Guidance
			}
			return decision{action: c.Action, reason: reason, by: task.BySupervisor}, nil
		}
		select {
		case <-look.C:
		case <-over.C:
			return decision{}, nil
		case <-ctx.Done():
			return decision{}, ctx.Err()
		}
	}
}

// read reads the file; one that is not there, or empty, decides nothing.
func (f commandFile) read() (c command, err error) {
	data, err := readPlain(f.path, maxCommand)
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return c, err
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("it is no JSON of a decision: %w", err)
	}
	for _, text := range []string{c.Reason, c.Guidance} {
		if invisible.Lines(text) != text {
			return c, errors.New("its texts have characters that can't be seen")
		}
	}
	if !slices.Contains([]action{retry, skip, abort, pause}, c.Action) {
		return c, errors.New("its action is none of retry, skip, abort and pause")
	}
	return c, nil
}
