// Package safego runs work on goroutines of its own. A panic that nobody recovers
// ends a process with 2, by which a hook blocks: here it is an error like any other.
package safego

import (
	"context"
	"fmt"
	"sync"
)

// Group is work that is done side by side. Its zero value is ready for use.
type Group struct {
	running sync.WaitGroup
	mu      sync.Mutex
	err     error
}

// Go starts do.
func (g *Group) Go(do func() error) {
	g.running.Go(func() {
		if err := caught(do); err != nil {
			g.mu.Lock()
			defer g.mu.Unlock()
			if g.err == nil {
				g.err = err
			}
		}
	})
}

// Wait waits for all that was started, and returns the first error there was.
func (g *Group) Wait() error {
	g.running.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// Await does something that may hang, and waits for it until ctx ends: then it is
// left behind, and ctx's cause the error. What is done by then still counts.
func Await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	var aside Group
	aside.Go(func() error {
		var r result
		r.err = caught(func() (err error) {
			r.value, err = do()
			return err
		})
		done <- r
		return nil
	})
	select {
	case <-ctx.Done():
	case r := <-done:
		return r.value, r.err
	}
	select {
	case r := <-done:
		return r.value, r.err
	default:
		var none T
		return none, context.Cause(ctx)
	}
}

// PanicError is what something panicked with.
type PanicError struct{ Value any }

func (e *PanicError) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// caught does it, and returns what it panics with as a PanicError.
func caught(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{p}
		}
	}()
	return do()
}
