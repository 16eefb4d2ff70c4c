package view

import (
	"slices"

	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/task"
)

// Exchange is what `sync` answers.
type Exchange struct {
	Remote string `json:"remote"`
	DryRun bool   `json:"dry_run"`
	// OK: nothing was set aside, and the remote did all that was asked of it.
	OK        bool           `json:"ok"`
	First     bool           `json:"first"`
	Rounds    int            `json:"rounds"`
	Unchanged int            `json:"unchanged"`
	Records   []SyncedRecord `json:"records"`
	Notes     []string       `json:"notes"`
	Error     any            `json:"error,omitempty"`
}

// SyncedRecord is what became of one record.
type SyncedRecord struct {
	Ref     string `json:"ref"`
	Kind    string `json:"kind"`
	ID      string `json:"id,omitempty"`
	Outcome string `json:"outcome"`
	Pushed  bool   `json:"pushed"`
	Deleted bool   `json:"deleted"`
	// OursOnly and TheirsOnly count the operations of a merge.
	OursOnly   int      `json:"ours_only,omitempty"`
	TheirsOnly int      `json:"theirs_only,omitempty"`
	Conflicts  []string `json:"conflicts,omitempty"`
	Notes      []string `json:"notes,omitempty"`
	Error      string   `json:"error,omitempty"`
}

// NewSync tells what a sync did; problem says why a record failed.
func NewSync(report exchange.SyncReport, dryRun bool, problem func(exchange.SyncedRecord) string) Exchange {
	doc := Exchange{
		Remote: report.Remote, DryRun: dryRun, OK: len(report.Failed()) == 0, First: report.First,
		Rounds: report.Rounds, Unchanged: report.Unchanged, Records: []SyncedRecord{}, Notes: List(report.Notes),
	}
	for _, of := range report.Records {
		doc.Records = append(doc.Records, SyncedRecord{
			Ref: string(of.Ref), Kind: string(of.Kind), ID: of.ID, Outcome: string(of.Outcome), Pushed: of.Pushed,
			Deleted: of.Deleted, OursOnly: of.Ours, TheirsOnly: of.Theirs, Conflicts: paths(of.Conflicts),
			Notes: of.Notes, Error: problem(of),
		})
	}
	return doc
}

// paths are the documents of conflicts, each once.
func paths(all []task.Conflict) []string {
	var found []string
	for _, c := range all {
		if !slices.Contains(found, c.Path) {
			found = append(found, c.Path)
		}
	}
	return found
}
