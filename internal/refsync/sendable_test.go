package refsync_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/refsync"
)

// A record that is not fit to be sent stays, with what waits for it; the others
// go. It is looked at once for each state of it, and with nothing to send not at
// all.
func TestRun_S24_sendsWhatOthersTake(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada := h.desk("ada")
	one, two := taskRef("one"), taskRef("two")
	ada.add(one, "a1")
	ada.add(lockRef("one"), "released")
	ada.add(two, "b1")
	unfit := errors.New("it is damaged")
	ada.records.late = true
	ada.records.sendable = func(ref gitstore.RefName, there gitstore.OID) error {
		if ref == one && there == ada.tip(one) {
			return unfit
		}
		return nil
	}
	dry := ada.both()
	dry.DryRun = true
	for _, o := range []refsync.Options{dry, ada.both()} {
		report, err := ada.run(o)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(report.Refs, func(r refsync.RefReport) bool { return r.Ref == one })
		if got := report.Refs[i]; got.Outcome != refsync.SetAside || !errors.Is(got.Err, unfit) || got.Pushed || got.Pending {
			t.Errorf("%+v", got)
		}
	}
	h.on("tasks/two-aaaaaaa")
	ada.records.sendable, ada.records.calls = nil, nil
	ada.sync()
	h.on("locks/one-aaaaaaa", "tasks/one-aaaaaaa", "tasks/two-aaaaaaa")
	asked := func() (n int) {
		for _, call := range ada.records.calls {
			if call == "sendable "+string(one) {
				n++
			}
		}
		return n
	}
	if n := asked(); n != 1 {
		t.Errorf("it was looked at %d times", n)
	}
	ada.sync()
	if n := asked(); n != 1 {
		t.Error("with nothing to send it was looked at again")
	}
}
