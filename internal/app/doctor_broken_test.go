package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// sharing is a patient that has shared its task with a hub.
func sharing(t *testing.T) (p patient, id task.ID, ref string) {
	t.Helper()
	p, id = newPatient(t)
	hub := filepath.Join(p.Root, "hub")
	p.Git("init", "-q", "--bare", hub)
	p.Git("config", "remote.hub.url", hub)
	p.Git("config", "brew.remote", "hub")
	p.sync()
	return p, id, string(ledger.TaskRef(string(id)))
}

func (p patient) sync() exchange.SyncReport {
	p.T.Helper()
	report, err := p.service().Exchange.Sync(p.T.Context(), exchange.SyncRequest{})
	if err != nil {
		p.T.Fatal(err)
	}
	return report
}

// S-24: a task's ref that lost its content keeps git from fetching anything, and
// no other record from a sync. Its file is named and stays as it is; moved away, it makes
// room for what the remote has.
func TestDoctor_S24_brokenRef(t *testing.T) {
	for _, held := range []string{"", "garbled"} {
		p, _, ref := sharing(t)
		file := filepath.Join(p.Dir, ".git", filepath.FromSlash(ref))
		tip := p.Git("rev-parse", ref)
		p.Git("pack-refs", "--all")
		p.Git("update-ref", "-d", ref)
		p.Write(".git/"+ref, held)
		if failed := p.sync().Failed(); len(failed) != 1 || string(failed[0].Ref) != ref ||
			!strings.Contains(failed[0].Err.Error(), "'git brew doctor --fix'") {
			t.Errorf("set aside: %+v", failed)
		}
		report := p.finds("broken", true, "problem "+ref+": the ref can't be read", "remark sync")
		if hint := report[0].Hint; !strings.Contains(hint, "move "+file) {
			t.Errorf("%q does not name %s", hint, file)
		}
		if kept, err := os.ReadFile(file); err != nil || string(kept) != held {
			t.Errorf("the file has %q, %v", kept, err)
		}
		if err := os.Rename(file, filepath.Join(t.TempDir(), "aside")); err != nil {
			t.Fatal(err)
		}
		p.sync()
		if got := p.Git("rev-parse", ref); got != tip {
			t.Errorf("%s instead of %s", got, tip)
		}
		p.finds("after that", false)
	}
}

// S-24: what was last seen of a remote, and can't be read any more, is asked for
// again.
func TestDoctor_S24_brokenTrackingRef(t *testing.T) {
	p, _, ref := sharing(t)
	seen := "refs/brew/remotes/hub/" + strings.TrimPrefix(ref, "refs/brew/")
	p.Git("update-ref", "-d", seen)
	p.Write(".git/"+seen, "garbled")
	p.finds("broken", false, "problem "+seen+": what was last seen of a remote can't be read")
	p.finds("mended", true, "fixed "+seen)
	p.sync()
	p.finds("after that", false)
	if p.Git("rev-parse", seen) != p.Git("rev-parse", ref) {
		t.Error("it was not asked for again")
	}
}

// A lock that was left behind is named; one that may be held is not.
func TestDoctor_leftLocks(t *testing.T) {
	p, _ := newPatient(t)
	for _, name := range []string{
		"refs/brew/knowledge.lock", "refs/brew/tasks/x.lock", "packed-refs.lock",
		"config.lock",
	} {
		p.Write(".git/"+name, "")
		path := filepath.Join(p.Dir, ".git", name)
		old := func(age time.Duration) {
			at := p.now.Add(-age)
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		old(-time.Minute)
		p.finds(name+" just made", false)
		old(time.Minute)
		p.finds(name+" left behind", false, "problem lock file: "+path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// What no other clone would take is found here, before anybody is told there:
// the first commit of it, and the next one is no other finding.
func TestDoctor_whatNobodyTakes(t *testing.T) {
	p, _ := newPatient(t)
	ref := p.Git("for-each-ref", "--format=%(refname)", "refs/brew/tasks")
	bad := p.Git("commit-tree", "-m", "again", "-p", ref, ref+"^{tree}")
	p.Git("update-ref", ref, p.Git("commit-tree", "-m", "and again", "-p", bad, ref+"^{tree}"))
	p.finds("repeated", false, "problem "+ref+": no other clone takes it: commit "+bad[:10])
}
