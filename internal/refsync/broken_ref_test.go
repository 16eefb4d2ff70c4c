package refsync_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/refsync"
)

// S-24: git gives up a fetch over any ref that it can't read here. The other
// records come, go and vanish all the same; where it is a record's, that is set
// aside.
func TestRun_S24_othersGoOnPastABrokenRef(t *testing.T) {
	t.Parallel()
	nowhere := strings.Repeat("1", 40) + "\n"
	a := taskRef("a")
	for name, bad := range map[string]struct {
		ref  func(d *desk) gitstore.RefName
		text string
		want refsync.Outcome // of the task a
	}{
		"no ref":          {func(*desk) gitstore.RefName { return a }, "", "set-aside"},
		"no object":       {func(*desk) gitstore.RefName { return a }, nowhere, "set-aside"},
		"seen, no ref":    {func(d *desk) gitstore.RefName { return d.remote.Seen(a) }, "garbled", "set-aside"},
		"seen, no object": {func(d *desk) gitstore.RefName { return d.remote.Seen(a) }, nowhere, "fast-forwarded"},
		"a branch's":      {func(*desk) gitstore.RefName { return "refs/heads/other" }, nowhere, "fast-forwarded"},
		"of another remote": {func(*desk) gitstore.RefName {
			return "refs/brew/remotes/other/tasks/x-aaaaaaa"
		}, "", "fast-forwarded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, "")
			ada, jo := h.desk("ada"), h.desk("jo")
			ada.Unchecked()
			ada.add(a, "1")
			ada.add(taskRef("gone"), "1")
			ada.sync()
			jo.sync()
			jo.add(a, "2")
			jo.add(taskRef("new"), "1")
			jo.sync()
			ada.add(taskRef("ours"), "1")
			h.Git("update-ref", "-d", string(taskRef("gone")))
			file := filepath.Join(ada.Dir, ".git", filepath.FromSlash(string(bad.ref(ada))))
			whole, err := os.ReadFile(file)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			ada.Write(".git/"+string(bad.ref(ada)), bad.text)
			if out, err := ada.TryGit("fetch", "-q", "origin", "+refs/brew/*:refs/other/*"); err == nil && bad.text == nowhere {
				t.Errorf("it is not in git's way: %s", out)
			}
			r := ada.sync()
			if len(r.Refs) != 4 || r.Refs[0].Ref != a || r.Refs[0].Outcome != bad.want {
				t.Errorf("%s", told(r))
			}
			h.on("tasks/a-aaaaaaa", "tasks/gone-aaaaaaa", "tasks/new-aaaaaaa", "tasks/ours-aaaaaaa")
			if whole != nil {
				ada.Write(".git/"+string(bad.ref(ada)), string(whole))
			} else if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			ada.sync()
			same(t, a, ada, jo)
		})
	}
}
