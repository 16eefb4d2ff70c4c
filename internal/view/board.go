package view

import (
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// BoardChange is what a command answers that changed what was said on a board.
type BoardChange struct {
	Change
	Board   rules.Tally `json:"board"`
	Remarks []int       `json:"remarks"` // the numbers of those that it was about
}

// Boards is `remark tally`.
type Boards struct {
	Task   task.ID       `json:"task"`
	Boards []rules.Tally `json:"boards"`
}

// Remarks is `remark list`.
type Remarks struct {
	Task    task.ID               `json:"task"`
	Remarks []rules.TalliedRemark `json:"remarks"`
}

// OneRemark is `remark show`.
type OneRemark struct {
	Task   task.ID             `json:"task"`
	Remark rules.TalliedRemark `json:"remark"`
}
