package refsync_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// S-7: what others archived between fetch and push is seen in the next round:
// their archive is asked for, too.
func TestRun_S7_archivedMeanwhile(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	old := taskRef("old")
	ada.add(old, "1")
	ada.sync()
	ada.add(old, "2")
	ada.records.settle = func(gitstore.RefName) error {
		ada.records.settle = nil
		ada.records.archived["old-aaaaaaa"] = true // with the archive that comes now
		jo.add(ledger.ArchiveRef, "old")
		jo.Git("push", "-q", "origin", string(ledger.ArchiveRef), ":"+string(old))
		return nil
	}
	r := ada.sync()
	if r.Rounds != 2 || len(r.Refs) != 2 || r.Refs[0].Outcome != refsync.New || r.Refs[1].Outcome != refsync.Archived {
		t.Errorf("%d rounds: %s", r.Rounds, told(r))
	}
	h.on("archive")
}

// Refs are deleted on the remote only when it has the archive.
func TestRun_S7_deletesBehindTheArchive(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	old := taskRef("old")
	ada.add(old, "1")
	ada.sync()
	jo.sync()

	ada.records.archived["old-aaaaaaa"] = true
	ada.Git("update-ref", "-d", string(old))
	expect(t, ada.sync(), "tasks/old-aaaaaaa archived pending") // there is no archive
	h.hook("update", `case $1 in *archive) exit 1;; esac`)
	ada.add(ledger.ArchiveRef, "old")
	r, err := ada.run(ada.both())
	if !errors.Is(err, refsync.ErrRefused) || strings.Contains(told(r), "deleted") {
		t.Errorf("%v; %s", err, told(r))
	}
	h.on("tasks/old-aaaaaaa")
	h.hook("update", "")
	o := ada.both()
	o.Tasks = []string{"old-aaaaaaa"} // the archive is not asked for
	if r, err = ada.run(o); err != nil {
		t.Fatal(err)
	}
	expect(t, r, "tasks/old-aaaaaaa archived pending")
	expect(t, ada.sync(), "archive ahead pushed", "tasks/old-aaaaaaa archived deleted")
	h.on("archive")

	jo.records.archived["old-aaaaaaa"] = true
	expect(t, jo.sync(), "archive new", "tasks/old-aaaaaaa archived")
	h.on("archive")
	if !jo.tip(old).IsZero() || !ada.tip(ada.remote.Seen(old)).IsZero() {
		t.Error("the task is still there")
	}
}
