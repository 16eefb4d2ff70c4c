package workflow_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/workflow"
)

// A task that a newer git-brew wrote is shown as what nobody here verified, by
// the sync that takes it over and afterwards, and is not changed here.
func TestSync_unverified(t *testing.T) {
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
	newer := p.amended(ref, map[string]string{
		"op.json":   head + rest,
		"task.json": strings.Replace(p.Git("show", ref+":task.json"), `"clock": 1`, `"clock": 2`, 1) + "\n",
	})
	p.Git("push", "-q", "hub", newer+":"+ref)
	report := p.sync()
	told := func(lines []string) bool {
		return slices.ContainsFunc(lines, func(line string) bool {
			return strings.Contains(line, "it was not verified: its operations have law 9")
		})
	}
	if len(report.Failed()) != 0 || !slices.ContainsFunc(report.Records, func(r workflow.SyncedRecord) bool { return string(r.Ref) == ref && told(r.Notes) }) {
		t.Errorf("sync: %+v", report.Records)
	}
	v, err := p.service().Status(t.Context(), id)
	if err != nil || !told(v.Warnings) {
		t.Errorf("status: %q, %v", v.Warnings, err)
	}
	for _, cold := range []bool{true, false} {
		all, err := p.service().List(t.Context(), workflow.ListRequest{})
		if err != nil || len(all.Tasks) != 1 || !all.Tasks[0].Unverified {
			t.Errorf("listed, cold %t: %+v, %v", cold, all, err)
		}
	}
	if shown, err := p.service().ShowAt(t.Context(), id, "", ""); err != nil || !told([]string{shown.Unverified}) {
		t.Errorf("shown: %q, %v", shown.Unverified, err)
	}
	if _, err := p.service().Start(t.Context(), id, false, false); !errors.Is(err, ledger.ErrUnknownLaw) {
		t.Errorf("start: %v", err)
	}
	_, err = p.service().Learn(t.Context(), workflow.Scope{Task: id}, workflow.LearnRequest{Kind: "fact", Text: "it was here"})
	if !errors.Is(err, ledger.ErrUnknownLaw) || p.Git("rev-parse", ref) != newer {
		t.Errorf("learn: %v", err)
	}
	if l, err := p.service().LockOf(t.Context(), id); err != nil || l.Lock.Held {
		t.Errorf("the lock is %+v, %v", l.Lock, err)
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
