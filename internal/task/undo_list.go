package task

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

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
			return k.changedSince(key, is)
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
			return k.changedSince(key, did)
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

func (k *taking) changedSince(key string, v any) error {
	what := strings.TrimSuffix(strings.ReplaceAll(key, "_", " "), "s")
	return refuse(CodeUndo, what+" "+k.called(key, v)+" changed since", "take that back first")
}

// called is what people call a thing of a list: by its place, where that is its
// number, by its own id, or by the step that it is about.
func (k *taking) called(key string, v any) string {
	uid := idOf(v, "uid")
	place := slices.IndexFunc(items(k.after[key]), func(o any) bool { return idOf(o, "uid") == uid })
	switch {
	case key == "remarks":
		return strconv.Itoa(place + 1)
	case key == "decisions":
		return ShownDecision(place)
	}
	return cmp.Or(idOf(v, "id"), idOf(v, "step"), clip(uid, 8))
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
				return refuse(CodeUndo, "a document was written for what it added: "+k.e.t.ShownDoc(name), "'git brew phase drop' ends the phase instead")
			}
		}
	}
	return nil
}

// whole refuses phases that came back where others have their ids, that name what
// is not there any more, or that would wait for one another.
func (k *taking) whole(was Task) error {
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
	if round := circle(k.e.t.Phases); len(round) > 0 && len(circle(was.Phases)) == 0 {
		return refuse(CodeUndo, "phases "+shownIDs(round)+" would wait for one another", "take back first what came after it, or see 'git brew graph'")
	}
	return validate(k.e.t)
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
