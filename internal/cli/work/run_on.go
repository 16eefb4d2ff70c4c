package work

import (
	"cmp"
	"iter"

	"github.com/git-brew/git-brew/internal/app/run"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
)

// runOn runs a task, and the next ones after it, until none is left, or something failed. What
// the settings allow is for all of them. A task that is through waits for its person to finish
// it; what had failed in one before keeps none from the others.
func runOn(c *cli.Call, o run.Options) (cli.Answer, error) {
	var ran []cli.Answer
	var ids []task.ID
	var end error
	o.Began = c.App.Clone.Now()
	for next := []task.ID{c.ID}; len(next) > 0; {
		c.ID, ids = next[0], append(ids, next[0])
		r, err := c.App.Run(c.Ctx, c.ID, o)
		if err != nil && r.Task.ID == "" {
			return together(c, ran, ids, err)
		}
		a := ranAnswer(c, r, err)
		ran, end = append(ran, a), cmp.Or(end, a.End)
		if err != nil || len(r.Failed) > 0 {
			return together(c, ran, ids, a.End)
		}
		o.Spent, o.Settings = r.Spent, r.Settings
		if next, err = c.App.RunNext(c.Ctx, ids); err != nil {
			return together(c, ran, ids, err)
		}
		if len(next) > 0 && o.Tell != nil {
			o.Tell(run.Event{Kind: run.Noted, Text: "goes on with " + c.Name(next[0])})
		}
	}
	return together(c, ran, ids, end)
}

// together is the answers about some tasks as one. Where there is none, it is how they ended.
func together(c *cli.Call, all []cli.Answer, ids []task.ID, end error) (cli.Answer, error) {
	if len(all) == 0 {
		return cli.Answer{}, end
	}
	var records []cli.Porcelain
	for _, a := range all {
		records = append(records, a.Records)
	}
	docs := iter.Seq[any](func(yield func(any) bool) {
		for _, a := range all {
			if !yield(a.JSON) {
				return
			}
		}
	})
	return cli.Answer{JSON: docs, Records: cli.Joined(records...), End: end, Text: func() {
		for i, a := range all {
			c.ID = ids[i]
			a.Text()
		}
	}}, nil
}
