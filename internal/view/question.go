package view

import (
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
)

// Questions is `question list`.
type Questions struct {
	Task      task.ID             `json:"task"`
	Questions []question.Question `json:"questions"`
}
