package change

import (
	"context"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Observer is told of what changes of tasks do. The engine of a change knows of
// observers nothing but this.
type Observer interface {
	// Before is told of a transition that is staged, while nothing of it is written. An
	// error refuses the change; transition.first puts work in front of it.
	Before(ctx context.Context, t Transition) error
	// After is told of it once the change is written and nothing is held. An error says
	// that something went wrong behind the change, which stays.
	After(ctx context.Context, t Transition) error
}

// Transition is what one operation of a change does to its task.
type Transition struct {
	Change        *Tx
	Kind          operation.Kind
	Payload       any
	Before, After task.Task
}

// observe tells the observers of operations that were staged.
func (c *Tx) observe(ctx context.Context, t Transition) error {
	if len(c.Observers) == 0 {
		return nil
	}
	t.Change = c
	c.transitions = append(c.transitions, t)
	for _, o := range c.Observers {
		if err := o.Before(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// firstError ends a change before which an observer has something to do.
type firstError struct {
	key  string
	work func(context.Context) error
}

func (e *firstError) Error() string { return "before " + e.key }

// First has work done before the change, once for each key: while nothing is held, and
// nothing of the change is written. The change is decided on what is there afterwards.
func (t Transition) First(key string, work func(context.Context) error) error {
	if t.Change.worked[key] {
		return nil
	}
	return &firstError{key, work}
}
