// Package overlap says which live branches of tasks would conflict if they were merged: those of
// tasks that are in progress or paused, made here or fetched.
package overlap

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/history"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// Radar looks for conflicts between branches.
type Radar struct {
	Clone   *clone.Clone
	Records *records.Records
}

// Met is another task's branch that a task's conflicts with.
type Met struct {
	Task   task.ID  `json:"task"`
	Branch string   `json:"branch"`
	Paths  []string `json:"paths"`          // the first of the files
	More   int      `json:"more,omitempty"` // how many are not named
}

// Named names the first files of a conflict to people, and counts the others; more are beyond
// those that are given.
func Named(paths []string, more int) string {
	named := paths[:min(len(paths), 3)]
	text := strings.Join(named, ", ")
	if more += len(paths) - len(named); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Seen is what the branch of a live task meets.
type Seen struct {
	Conflicts []Met
	// Unlooked counts live branches that it was not compared with.
	Unlooked int
}

const (
	// maxAmong is how many branches are compared with each other, those of the tasks that changed
	// last; maxTasks with how many one is.
	maxAmong, maxTasks = 20, 64
	// maxPaths is how many files of a conflict are named.
	maxPaths = 20
)

// liveTask is a task that somebody works on, or will again.
type liveTask struct {
	ID     task.ID `json:"id"`
	Branch string  `json:"branch"`
}

// live are the tasks that changed last, and how many there are beyond them.
type live struct {
	Tasks []liveTask `json:"tasks"`
	More  int        `json:"more,omitempty"`
}

type branch struct {
	liveTask
	tip gitstore.OID
}

// Of says what a task's branch meets. False: nobody works on the task, its branch is not here,
// or objects may be missing here.
func (s *Radar) Of(ctx context.Context, t task.Task) (Seen, bool) {
	if !isLive(t.Status) || t.Deleted {
		return Seen{}, false
	}
	all, err := s.liveTasks(ctx)
	if err != nil {
		return Seen{}, false
	}
	mine := liveTask{ID: t.ID, Branch: t.Branch}
	all.Tasks = append([]liveTask{mine}, slices.DeleteFunc(all.Tasks, func(l liveTask) bool { return l.ID == t.ID })...)
	seen := s.among(ctx, all, maxTasks, func(a, b branch) bool { return a.ID == t.ID || b.ID == t.ID })
	one, ok := seen[t.ID]
	return one, ok
}

// Among says what each of the live tasks of an index meets.
func (s *Radar) Among(ctx context.Context, rows []records.Indexed) map[task.ID]Seen {
	return s.among(ctx, liveOf(rows), maxAmong, func(branch, branch) bool { return true })
}

// among compares the pairs of branches that are wanted, of so many at most.
func (s *Radar) among(ctx context.Context, all live, most int, wanted func(a, b branch) bool) map[task.ID]Seen {
	branches, left := s.branches(ctx, all.Tasks, most)
	if len(branches) > 1 && s.Clone.Repo.Config.Partial(ctx) {
		return nil
	}
	seen := map[task.ID]Seen{}
	var pairs []history.Pair
	for i, b := range branches {
		seen[b.ID] = Seen{Unlooked: all.More + left}
		for _, a := range branches[:i] {
			if a.tip != b.tip && wanted(a, b) {
				pairs = append(pairs, pairOf(a, b))
			}
		}
	}
	answers := s.answers(ctx, pairs, branches)
	for i, b := range branches {
		for _, a := range branches[:i] {
			if a.tip == b.tip || !wanted(a, b) {
				continue
			}
			answer, known := answers[pairOf(a, b)]
			seen[a.ID], seen[b.ID] = seen[a.ID].with(b, answer, known), seen[b.ID].with(a, answer, known)
		}
	}
	return seen
}

func (s Seen) with(other branch, a answer, known bool) Seen {
	switch {
	case !known || a.Unknown:
		s.Unlooked++
	case a.Is:
		s.Conflicts = append(s.Conflicts, Met{Task: other.ID, Branch: other.Branch, Paths: a.Paths, More: a.More})
	}
	return s
}

// pairOf is the pair of two branches, the same whichever is named first.
func pairOf(a, b branch) history.Pair {
	if a.tip.String() > b.tip.String() {
		a, b = b, a
	}
	return history.Pair{a.tip, b.tip}
}

func isLive(s task.Status) bool { return s == task.InProgress || s == task.Paused }

// liveOf are the live tasks of an index, those that changed last first.
func liveOf(rows []records.Indexed) live {
	var at []*records.Indexed
	for i := range rows {
		if l := &rows[i]; l.Err == nil && !l.State.Deleted && !l.State.Archived && isLive(l.State.Status) {
			at = append(at, l)
		}
	}
	slices.SortFunc(at, func(a, b *records.Indexed) int {
		return cmp.Or(strings.Compare(b.State.UpdatedAt, a.State.UpdatedAt), strings.Compare(a.ID, b.ID))
	})
	all := live{More: max(0, len(at)-maxTasks)}
	for _, l := range at[:min(len(at), maxTasks)] {
		all.Tasks = append(all.Tasks, liveTask{ID: task.ID(l.ID), Branch: l.State.Branch})
	}
	return all
}

// liveFile keeps which tasks are live, so that who asks for one of ten thousand reads no index.
const liveFile = "live"

// liveTasks are the tasks that somebody works on.
func (s *Radar) liveTasks(ctx context.Context) (all live, err error) {
	store := s.Clone.Repo.Cache
	watch := store.WatchRefs(strings.TrimSuffix(ledger.TasksPrefix, "/"))
	if piece, current := store.GetPiece(liveFile, watch); current && json.Unmarshal([]byte(piece), &all) == nil {
		return all, nil
	}
	rows, err := s.Records.Index(ctx)
	if err != nil {
		return live{}, err
	}
	all = liveOf(rows)
	if data, err := json.Marshal(all); err == nil {
		store.PutPiece(liveFile, watch, data)
	}
	return all, nil
}

// branches finds the branches of tasks, as many as are compared; left counts those that are not,
// for they are beyond those, or not here.
func (s *Radar) branches(ctx context.Context, tasks []liveTask, most int) (all []branch, left int) {
	for _, t := range tasks {
		tip, ok := gitstore.OID{}, len(all) < most
		if ok {
			tip, ok = s.tip(ctx, t.Branch)
		}
		if !ok {
			left++
			continue
		}
		all = append(all, branch{liveTask: t, tip: tip})
	}
	return all, left
}

// tip is where a branch is: the commit that was made last of what the local branch, and those
// that were fetched, lead to.
func (s *Radar) tip(ctx context.Context, name string) (tip gitstore.OID, found bool) {
	ref, err := gitstore.BranchRef(name)
	if err != nil {
		return tip, false
	}
	var tips []gitstore.OID
	if local, err := s.Clone.Repo.Refs.Get(ctx, ref); err == nil {
		tips = append(tips, local)
	}
	fetched, _ := s.Clone.Repo.Branches.Remote(ctx, name)
	for _, r := range fetched {
		if !slices.Contains(tips, r.OID) {
			tips = append(tips, r.OID)
		}
	}
	if len(tips) == 1 {
		return tips[0], true
	}
	latest := int64(0)
	for _, t := range tips {
		if c, err := s.Clone.Repo.Objects.Commit(ctx, t); err == nil && (!found || c.Committer.When.Unix() > latest) {
			tip, latest, found = t, c.Committer.When.Unix(), true
		}
	}
	return tip, found
}
