package view

import "github.com/git-brew/git-brew/internal/task"

// Questions is `question list`.
type Questions struct {
	Task      task.ID         `json:"task"`
	Questions []task.Question `json:"questions"`
}
