package task

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
)

// How the fields of task.json go back, each to what it was before the deed where
// it still is what the deed made of it. Those in no list are lists of things with
// uids, and go back one by one, or are whole.
var (
	// undoStamps are not the deed's: they say of every operation that it was.
	undoStamps = []string{"schema", "clock", "fence", "updated_at", "gray"}
	// undoFixed never change.
	undoFixed = []string{"id", "root", "created_at", "base", "base_commit"}
	// undoAlone stay where they changed since; the others go back.
	undoAlone = []string{"title", "branch", "type", "priority", "stage", "deleted"}
	// undoCourse is where the task stands. It goes back whole, and only where no
	// phase moved since.
	undoCourse = []string{"status", "reason", "started_at", "finished_at", "handoff_at"}
	// undoSets are sets: what was added goes, what was taken out comes back.
	undoSets = map[string]string{"issues": "", "services": "path", "reports": "uid", "conflicts": "uid", "boards": "on", "skips": "id"}
)

// taking is a deed being taken back from a state.
type taking struct {
	deed
	e       *editor
	uid     operation.ID
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

// families refuses to take back what became of a phase where anything in its
// family moved since: its parts, fixes and verification are judged together, and
// a mixture of then and now is nothing that the tables lead to.
func (k *taking) families() error {
	before, after, now := byID(k.before["phases"], "uid"), byID(k.after["phases"], "uid"), byID(k.now["phases"], "uid")
	touched := map[string]bool{} // the roots of families that the deed changed
	for _, list := range []map[string]any{before, after} {
		for uid := range list {
			if !same(before[uid], after[uid]) {
				touched[root(list, uid)] = true
			}
		}
	}
	for _, p := range items(k.now["phases"]) {
		if uid := idOf(p, "uid"); touched[root(now, uid)] && !same(after[uid], p) {
			return wentOn(p)
		}
	}
	for _, p := range items(k.after["phases"]) {
		if uid := idOf(p, "uid"); touched[root(after, uid)] && now[uid] == nil {
			return refuse(CodeUndo, "phase "+idOf(p, "id")+" was taken out since", "take that back first")
		}
	}
	return nil
}

func wentOn(phase any) error {
	id := idOf(phase, "id")
	return refuse(CodeUndo, "phase "+id+" went on since", "take that back first, or 'git brew phase reset "+id+"'")
}

// list takes back what a deed did to a list of things that have ids: what it
// added goes, what it took out comes back to its place, what it changed is as it
// was. What is not any more as the deed left it stays, or is refused where the
// list is strict.
func (k *taking) list(key, id string, strict bool) error {
	before, after, now := byID(k.before[key], id), byID(k.after[key], id), byID(k.now[key], id)
	left := make([]any, 0, len(now))
	for _, is := range items(k.now[key]) {
		uid := idOf(is, id)
		was, did := before[uid], after[uid]
		switch {
		case did == nil || same(was, did): // not the deed's
		case !same(is, did) && strict:
			return changedSince(key, is)
		case !same(is, did):
			k.keep(strings.ReplaceAll(key, "_", " "))
		case was != nil:
			is, k.changed = was, true
		default:
			k.changed = true
			if id == "uid" {
				k.gone = append(k.gone, uid)
			}
			continue
		}
		left = append(left, is)
	}
	for _, did := range items(k.after[key]) {
		if uid := idOf(did, id); strict && now[uid] == nil && !same(before[uid], did) {
			return changedSince(key, did)
		}
	}
	all := weave(left, items(k.before[key]), func(v any) string { return idOf(v, id) }, func(uid string) bool {
		return after[uid] == nil && now[uid] == nil
	})
	k.changed = k.changed || len(all) > len(left)
	if k.now[key] = all; len(all) == 0 && key != "phases" {
		delete(k.now, key)
	}
	return nil
}

// weave puts what is missing of a list back into it, each behind what stood
// before it.
func weave[T any](list, before []T, id func(T) string, missing func(id string) bool) []T {
	at := make(map[string]int, len(list))
	for i, v := range list {
		at[id(v)] = i
	}
	last, behind := -1, map[int][]T{}
	for _, v := range before {
		if i, is := at[id(v)]; is {
			last = i
		} else if missing(id(v)) {
			behind[last] = append(behind[last], v)
		}
	}
	out := slices.Clone(behind[-1])
	for i, v := range list {
		out = append(append(out, v), behind[i]...)
	}
	return out
}

// numbered refuses to take something out of a list, or to put it back into one,
// before other things: their places are the numbers that people know them by.
func (k *taking) numbered(key string) error {
	before, after := byID(k.before[key], "uid"), byID(k.after[key], "uid")
	moved := false
	for _, v := range items(k.now[key]) {
		uid := idOf(v, "uid")
		switch {
		case after[uid] != nil && before[uid] == nil:
			moved = true
		case moved, before[uid] == nil && after[uid] == nil && len(before) > len(after):
			return refuse(CodeUndo, strings.ReplaceAll(key, "_", " ")+" were added since", "take those back first")
		}
	}
	return nil
}

func changedSince(key string, v any) error {
	name := idOf(v, "id")
	if name == "" {
		name = clip(idOf(v, "uid"), 8)
	}
	what := strings.TrimSuffix(strings.ReplaceAll(key, "_", " "), "s")
	return refuse(CodeUndo, what+" "+name+" changed since", "take that back first")
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
	t, err := decodeTask(b.Bytes())
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
	if err := k.whole(); err != nil {
		return err
	}
	exact := same(k.now["phases"], k.before["phases"]) && same(k.now["current"], k.before["current"])
	if !exact && !same(k.before["phases"], k.after["phases"]) {
		k.e.settleCurrent()
	}
	return k.texts()
}

// unneeded refuses to take out what something else names by now.
func (k *taking) unneeded() error {
	for _, uid := range k.gone {
		for _, key := range slices.Sorted(maps.Keys(k.now)) {
			if key != "current" && mentions(k.now[key], uid) {
				return refuse(CodeUndo, "what it added is in use by now: "+strings.ReplaceAll(key, "_", " ")+" name it", "take back first what came after it")
			}
		}
		for name := range k.e.t.Docs {
			if _, was := k.did.Docs[name]; strings.Contains(string(name), uid) && !was {
				return refuse(CodeUndo, "a document was written for what it added: "+k.e.t.ShownDoc(name), "'git brew phase fail' ends the phase instead")
			}
		}
	}
	return nil
}

// whole refuses phases that came back where others have their ids, or that name
// what is not there any more.
func (k *taking) whole() error {
	ids, uids := map[string]bool{}, map[UID]bool{"": true}
	for _, p := range k.e.t.Phases {
		uids[p.UID] = true
		id := strings.ToLower(p.ID)
		if ids[id] {
			return refuse(CodeUndo, "there is another phase "+p.ID+" by now", "take that back first")
		}
		ids[id] = true
	}
	for _, p := range k.e.t.Phases {
		for _, uid := range append([]UID{p.Parent, p.Fixes, p.FailedBy}, p.DependsOn...) {
			if !uids[uid] {
				return refuse(CodeUndo, "phase "+p.ID+" belongs to a phase that was taken out since", "take that back first")
			}
		}
	}
	return nil
}

// texts takes back what happened to documents and reports, as texts.
func (k *taking) texts() error {
	for _, name := range slices.Sorted(maps.Keys(eitherDocs(k.was.Docs, k.did.Docs))) {
		was, did, is := k.was.Docs[name], k.did.Docs[name], k.e.t.Docs[name]
		if was.OID == did.OID || is.OID == was.OID {
			continue
		}
		path, _ := k.did.DocPath(name)
		doc, ok := k.text(path, is, did, was)
		if !ok {
			k.keep(k.did.ShownDoc(name))
			continue
		}
		k.changed = true
		k.e.setDoc(name, doc)
		if doc.OID == "" {
			delete(k.e.t.Docs, name)
		}
	}
	for name := range k.e.t.Docs {
		if _, ok := k.e.t.DocPath(name); !ok {
			return refuse(CodeUndo, "a document was written for what it added", "'git brew phase fail' ends the phase instead")
		}
	}
	was, did := reportsOf(k.was), reportsOf(k.did)
	for i, r := range k.e.t.Reports {
		before, after := was[r.UID], did[r.UID]
		if before == after || before == "" || after == "" || r.OID == before {
			continue
		}
		if doc, ok := k.text(ReportPath(k.did, r), Doc{OID: r.OID, Data: r.Data}, Doc{OID: after}, Doc{OID: before}); ok {
			k.e.t.Reports[i].OID, k.e.t.Reports[i].Data, k.changed = doc.OID, doc.Data, true
		}
	}
	return k.knowledge()
}

// text is what a text becomes that is now, was made from did since, and was
// another one before that; false where it stays. Nothing is lost: what can't be
// merged is kept beside, as with every change of a text.
func (k *taking) text(path string, now, did, was Doc) (Doc, bool) {
	was.Data = nil
	if now.OID == did.OID {
		return was, true
	}
	taken := slices.ContainsFunc(k.e.t.Conflicts, func(c Conflict) bool { return c.UID == k.uid })
	if was.OID == "" || did.OID == "" || now.OID == "" || taken {
		return now, false
	}
	return k.e.mergeText(k.uid, path, now, did.OID, was), true
}

// reportsOf are the texts of the reports, by what added them.
func reportsOf(t Task) map[UID]string {
	all := make(map[UID]string, len(t.Reports))
	for _, r := range t.Reports {
		all[r.UID] = r.OID
	}
	return all
}

// knowledge takes entries out that were added, and brings back those that were
// removed, under their ids and in their places.
func (k *taking) knowledge() error {
	if k.was.KnowledgeOID == k.did.KnowledgeOID {
		return nil
	}
	was, err := LoadKnowledge(k.was, k.e.texts)
	if err != nil {
		return err
	}
	did, err := LoadKnowledge(k.did, k.e.texts)
	if err != nil {
		return err
	}
	if !k.e.loadKnowledge() {
		return refuse(CodeUndo, "the knowledge can't be read", "see 'git brew doctor'")
	}
	before, after, now := entryIDs(was.Knowledge), entryIDs(did.Knowledge), entryIDs(k.e.t.Knowledge)
	left := slices.DeleteFunc(k.e.t.Knowledge, func(e knowledge.Entry) bool { return after[string(e.ID)] && !before[string(e.ID)] })
	all := weave(left, was.Knowledge, func(e knowledge.Entry) string { return string(e.ID) }, func(id string) bool { return !after[id] && !now[id] })
	if len(all) > maxKnowledge {
		return refuse(CodeUndo, fmt.Sprintf("the task has %d entries of knowledge, no more fit", len(left)), "git brew knowledge compact")
	}
	k.changed = k.changed || len(left) < len(now) || len(all) > len(left)
	k.e.t.Knowledge, k.e.t.KnowledgeOID = all, ""
	return nil
}

func entryIDs(list []knowledge.Entry) map[string]bool {
	ids := make(map[string]bool, len(list))
	for _, e := range list {
		ids[string(e.ID)] = true
	}
	return ids
}

func (k *taking) nothingLeft() error {
	what := "it is not so any more"
	if len(k.kept) > 0 {
		what = strings.Join(k.kept, " and ") + " changed since"
	}
	return refuse(CodeUndo, "nothing of it is left to take back: "+what, "see 'git brew log'")
}

// same compares values that were decoded from JSON.
func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// items are the elements of a list; none of nothing.
func items(v any) []any {
	list, _ := v.([]any)
	return list
}

// idOf is a field that names an element; the element itself where that is a text.
func idOf(v any, field string) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		id, _ := v[field].(string)
		return id
	}
	return ""
}

// byID are the elements of a list by their ids.
func byID(list any, field string) map[string]any {
	all := make(map[string]any, len(items(list)))
	for _, v := range items(list) {
		all[idOf(v, field)] = v
	}
	return all
}

// listed: nothing, or a list of things with uids of their own.
func listed(v any) bool {
	if v == nil {
		return true
	}
	list, ok := v.([]any)
	return ok && len(byID(v, "uid")) == len(list) &&
		!slices.ContainsFunc(list, func(item any) bool { return !operation.ID(idOf(item, "uid")).Valid() })
}

// root is the first phase of a family.
func root(phases map[string]any, uid string) string {
	for range maxDepth + 1 {
		parent := idOf(phases[uid], "parent")
		if parent == "" {
			break
		}
		uid = parent
	}
	return uid
}

// mentions reports whether a value has a text somewhere, as a name or a key.
func mentions(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return v == text
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return mentions(item, text) })
	case map[string]any:
		for key, item := range v {
			if key == text || mentions(item, text) {
				return true
			}
		}
	}
	return false
}

func eitherDocs(a, b map[DocName]Doc) map[DocName]Doc {
	all := maps.Clone(a)
	if all == nil {
		all = map[DocName]Doc{}
	}
	maps.Copy(all, b)
	return all
}
