package view

import "github.com/git-brew/git-brew/internal/task"

// BoardChange is what a command answers that changed what was said on a board.
type BoardChange struct {
	Change
	Board   task.Tally `json:"board"`
	Remarks []int      `json:"remarks"` // the numbers of those that it was about
}

// Boards is `remark tally`.
type Boards struct {
	Task   task.ID      `json:"task"`
	Boards []task.Tally `json:"boards"`
}

// Remarks is `remark list`.
type Remarks struct {
	Task    task.ID              `json:"task"`
	Remarks []task.TalliedRemark `json:"remarks"`
}

// OneRemark is `remark show`.
type OneRemark struct {
	Task   task.ID            `json:"task"`
	Remark task.TalliedRemark `json:"remark"`
}
