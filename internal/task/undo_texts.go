package task

import (
	"fmt"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/knowledge"
)

// texts takes back what happened to documents and reports, as texts.
func (k *taking) texts() error {
	for _, name := range slices.Sorted(maps.Keys(eitherDocs(k.was.Docs, k.did.Docs))) {
		was, did, is := k.was.Docs[name], k.did.Docs[name], k.e.t.Docs[name]
		if was.OID == did.OID || is.OID == was.OID {
			continue
		}
		path, _ := k.did.DocPath(name)
		doc, ok := k.text(path, is, did, was)
		if name == DocFinal && was.OID == "" { // it tells of an end that is none, whoever wrote it since
			doc, ok = was, true
		}
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
			return refuse(CodeUndo, "a document was written for what it added", "'git brew phase drop' ends the phase instead")
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
	if k.e.loadKnowledge() != nil {
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

func eitherDocs(a, b map[DocName]Doc) map[DocName]Doc {
	all := maps.Clone(a)
	if all == nil {
		all = map[DocName]Doc{}
	}
	maps.Copy(all, b)
	return all
}
