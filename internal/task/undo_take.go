package task

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// How the fields of task.json go back, each to what it was before the deed where
// it still is what the deed made of it. Those in no list are lists of things with
// uids, and go back one by one, or are whole.
var (
	// undoStamps are not the deed's: they say of every operation that it was, and of
	// every reviewer.
	undoStamps = []string{"schema", "clock", "fence", "updated_at", "questions", "reviewers"}
	// undoFixed never change.
	undoFixed = []string{"id", "root", "created_at", "base", "base_commit"}
	// undoAlone stay where they changed since; the others go back.
	undoAlone = []string{"title", "branch", "type", "priority", "stage", "deleted"}
	// undoCourse is where the task stands. It goes back whole, and only where no
	// phase moved since.
	undoCourse = []string{"status", "cause", "reason", "started_at", "finished_at", "paused_at"}
	// undoSets are sets: what was added goes, what was taken out comes back.
	undoSets = map[string]string{"issues": "", "services": "path", "reports": "uid", "conflicts": "uid", "boards": "on", "skips": "id"}
)

// taking is a deed being taken back from a state.
type taking struct {
	deed
	e       *editor
	uid     operation.ID
	at      string
	now     map[string]any // becomes what will be
	changed bool
	gone    []string // uids of what goes
	kept    []string
}

// take changes the state, or says why nothing of it was changed.
func (k *taking) take() error {
	was := k.e.t
	err := k.read()
	if err == nil {
		err = k.course()
	}
	for _, key := range k.keys() {
		if err == nil {
			err = k.field(key)
		}
	}
	if err == nil {
		err = k.rebuild()
	}
	if err == nil && !k.changed {
		err = k.nothingLeft()
	}
	if err == nil {
		k.hooks()
		k.e.settleRevived(was, k.was, moment{at: k.at})
	}
	if err == nil && k.e.t.Deleted {
		// A delete has a rule of its own where histories meet.
		err = refuse(CodeTaskState, "the task would be a deleted one again, and only a delete does that", "see 'git brew log'")
	}
	if err != nil {
		k.e.t = was
	}
	return err
}

// read makes the state the JSON that it is stored as.
func (k *taking) read() error {
	data, err := encodeTask(k.e.t)
	if err != nil {
		return err
	}
	if err := decodeNumbers(data, &k.now); err != nil {
		return err
	}
	for _, key := range undoFixed {
		if !same(k.now[key], k.before[key]) || !same(k.now[key], k.after[key]) {
			return refuse(CodeInvalid, "what is to be taken back is not of this task", "see 'git brew undo --list'")
		}
	}
	return nil
}

// keys are the fields that the deed changed, in an order that is everywhere the
// same.
func (k *taking) keys() []string {
	all := maps.Clone(k.before)
	if all == nil {
		return nil
	}
	maps.Copy(all, k.after)
	keys := slices.Sorted(maps.Keys(all))
	return slices.DeleteFunc(keys, func(key string) bool {
		return slices.Contains(undoStamps, key) || slices.Contains(undoCourse, key) || same(k.before[key], k.after[key])
	})
}

// course takes back where the task stands.
func (k *taking) course() error {
	if !slices.ContainsFunc(undoCourse, func(key string) bool { return !same(k.before[key], k.after[key]) }) {
		return nil
	}
	for _, key := range undoCourse {
		if !same(k.now[key], k.after[key]) {
			return refuse(CodeUndo, fmt.Sprintf("the task went on since: it is %s", k.e.t.Status), "take back first what came after it")
		}
	}
	after := byID(k.after["phases"], "uid")
	for _, p := range items(k.now["phases"]) {
		if !same(after[idOf(p, "uid")], p) {
			return wentOn(p)
		}
	}
	if len(items(k.now["phases"])) != len(after) {
		return refuse(CodeUndo, "a phase was taken out since", "take that back first")
	}
	for _, key := range undoCourse {
		k.set(key, k.before[key])
	}
	return nil
}

func (k *taking) field(key string) error {
	now, before, after := k.now[key], k.before[key], k.after[key]
	switch id, isSet := undoSets[key]; {
	case key == "current":
		if same(now, after) {
			k.set(key, before)
		}
		return nil // else it is settled with the phases
	case key == "step_hooks" && slices.Contains(k.kinds(), OpStepHook):
		return nil // see hooks
	case key == "phases":
		if err := k.families(); err != nil {
			return err
		}
		return k.list(key, "uid", true)
	case listed(now) && listed(before) && listed(after) && !isSet:
		if err := k.numbered(key); err != nil {
			return err
		}
		return k.list(key, "uid", true)
	case isSet:
		return k.list(key, id, false)
	case slices.Contains(undoAlone, key):
		if !same(now, after) {
			k.keep(key)
			return nil
		}
	case !same(now, after):
		return refuse(CodeUndo, strings.ReplaceAll(key, "_", " ")+" changed since", "take that back first")
	}
	k.set(key, before)
	return nil
}

func (k *taking) set(key string, v any) {
	k.changed = k.changed || !same(k.now[key], v)
	if k.now[key] = v; v == nil {
		delete(k.now, key)
	}
}

func (k *taking) keep(what string) {
	if !slices.Contains(k.kept, what) {
		k.kept = append(k.kept, what)
	}
}

// rebuild makes the state of the JSON that it became, and takes the texts back.
func (k *taking) rebuild() error {
	if err := k.unneeded(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(k.now); err != nil {
		return err
	}
	t, err := decodeFields(b.Bytes())
	if err != nil {
		return err
	}
	was := k.e.t
	t.Docs, t.Knowledge, t.KnowledgeOID = was.Docs, was.Knowledge, was.KnowledgeOID
	unstored := map[string][]byte{}
	for _, r := range was.Reports {
		unstored[r.OID] = r.Data
	}
	for _, c := range was.Conflicts {
		unstored[c.OID] = c.Data
	}
	for i, r := range t.Reports {
		t.Reports[i].Data = unstored[r.OID]
	}
	for i, c := range t.Conflicts {
		t.Conflicts[i].Data = unstored[c.OID]
	}
	k.e.t = t
	k.e.owned.phases, k.e.owned.reports, k.e.owned.conflicts = true, true, true
	if err := k.whole(was); err != nil {
		return err
	}
	exact := same(k.now["phases"], k.before["phases"]) && same(k.now["current"], k.before["current"])
	if !exact && !same(k.before["phases"], k.after["phases"]) {
		k.e.settleCurrent()
	}
	return k.texts()
}

func (k *taking) nothingLeft() error {
	what := "it is not so any more"
	if len(k.kept) > 0 {
		what = strings.Join(k.kept, " and ") + " changed since"
	}
	return refuse(CodeNothingLeft, "nothing of it is left to take back: "+what, "see 'git brew log'")
}
