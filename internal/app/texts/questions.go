package texts

import (
	"context"
	"fmt"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
)

// Questions lists the open questions of a task: the boxes in its context.
func (s *Documents) Questions(ctx context.Context, id task.ID) ([]question.Question, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, ok := t.Docs["context"]; !ok {
		return nil, nil
	}
	d, err := s.Records.Document(ctx, t, "context")
	return question.ParseQuestions(d.Text), err
}

// AddQuestion adds an open question.
func (s *Documents) AddQuestion(ctx context.Context, id task.ID, asked string) (task.Task, error) {
	return s.editDocument(ctx, id, "context", func(text []byte) ([]byte, error) {
		return question.AddQuestion(text, asked)
	})
}

// ResolveQuestion ticks an open question off, by its number in the list.
func (s *Documents) ResolveQuestion(ctx context.Context, id task.ID, n int, answer string) (task.Task, error) {
	return s.editDocument(ctx, id, "context", func(text []byte) ([]byte, error) {
		return question.ResolveQuestion(text, n, answer)
	})
}

// keepsQuestions refuses an agent a text of the context that lacks an open question of
// the one there is, have: it answers a question, and writes none away.
func (s *Documents) keepsQuestions(c *change.Tx, doc task.DocName, have string, text []byte) error {
	if doc != "context" || have == "" {
		return nil
	}
	before, _ := c.Ledger.Text(have)
	lost, any := question.Lost(before, text)
	if !any || !s.Clone.Caller.Reached().Agent() {
		return nil
	}
	return clone.Refuse(fmt.Sprintf("keep its line, or answer it first: git brew question resolve %d -m ANSWER", lost.N),
		"the text lacks question %d, which is open: %q", lost.N, lost.Text)
}
