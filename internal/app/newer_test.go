package app_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
)

// S-45: a task that a newer git-brew changed is set aside by a sync, which names the
// reason; one that it changed here is shown, and changed by nobody else.
func TestSync_S45_unknownLaw(t *testing.T) {
	p, id, ref := sharing(t)
	op := p.Git("show", ref+":op.json") + "\n"
	for _, change := range [][2]string{
		{`"law":1`, `"law":9`}, {`"clock":1`, `"clock":2`}, {`"id":"`, `"id":"00000000000000000000000000000000","was":"`},
	} {
		op = strings.Replace(op, change[0], change[1], 1)
	}
	// The id stands behind the clock.
	head, rest, _ := strings.Cut(op, `,"was":"`)
	_, rest, _ = strings.Cut(rest, `"`)
	before := p.Git("rev-parse", ref)
	newer := p.amended(ref, map[string]string{
		"op.json":   head + rest,
		"task.json": strings.Replace(p.Git("show", ref+":task.json"), `"clock": 1`, `"clock": 2`, 1) + "\n",
	})
	p.Git("push", "-q", "hub", newer+":"+ref)
	failed := p.sync().Failed()
	if len(failed) != 1 || !errors.Is(failed[0].Err, ledger.ErrUnknownLaw) || p.Git("rev-parse", ref) != before {
		t.Errorf("set aside: %+v", failed)
	}
	p.Git("update-ref", ref, newer)
	if v, err := p.service().Status(t.Context(), id); err != nil || v.Task == nil {
		t.Errorf("status: %v", err)
	}
	if _, err := p.service().Work.Start(t.Context(), id, false, false); !errors.Is(err, ledger.ErrUnknownLaw) {
		t.Errorf("start: %v", err)
	}
	_, err := p.service().Knowledge.Learn(t.Context(), id,
		knowledge.Entry{T: "fact", Txt: "it was here"})
	if !errors.Is(err, ledger.ErrUnknownLaw) || p.Git("rev-parse", ref) != newer {
		t.Errorf("learn: %v", err)
	}
	if l, err := p.service().Claims.LockOf(t.Context(), id); err != nil || l.Lock.Held {
		t.Errorf("the lock is %+v, %v", l.Lock, err)
	}
	if failed := p.sync().Failed(); len(failed) != 0 {
		t.Errorf("what is the same on both sides: %+v", failed)
	}
}

// amended is a commit on ref with other contents of some files at the top.
func (p patient) amended(ref string, files map[string]string) string {
	p.T.Helper()
	var lines []string
	for line := range strings.Lines(p.Git("ls-tree", ref)) {
		head, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if text, changed := files[name]; changed {
			p.Write("amended", text)
			head = "100644 blob " + p.Git("hash-object", "-w", "amended")
		}
		lines = append(lines, head+"\t"+name)
	}
	p.Write("tree", strings.Join(lines, "\n")+"\n")
	tree := p.Git("-c", "alias.mk=!git mktree <tree", "mk")
	return p.Git("commit-tree", "-m", "by a newer one", "-p", ref, tree)
}
