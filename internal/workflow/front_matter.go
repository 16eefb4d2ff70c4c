package workflow

import (
	"context"
)

// readFrontMatter takes what the texts of a new task say about it.
func (s *Service) readFrontMatter(context.Context, *CreateRequest) ([]string, error) { return nil, nil }
