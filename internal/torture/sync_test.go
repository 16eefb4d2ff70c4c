package torture

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// S-1, S-2: three clones change one task apart. In whichever order they sync,
// each one twice, all come to the same commits, and in each order to the same
// files.
func TestSync_S2_threeClonesSixOrders(t *testing.T) {
	hub := newHub(t)
	names := []string{"laptop", "desk", "build"}
	desks := map[string]*repo{}
	var id string
	for _, name := range names {
		desks[name] = hub.clone(name, hub.fileURL())
		if id == "" {
			id = desks[name].create("Three work on it", "--phase", "One")
		}
		desks[name].must("sync")
		// It has to lead to the copy of the hub that is beside it.
		desks[name].git("config", "remote.origin.url", "../served/hub.git")
	}
	desks["laptop"].must("edit", id, "--title", "Another title")
	desks["desk"].must("stage", "plan", "--task", id)
	desks["desk"].must("phase", "add", "--task", id, "By the desk")
	desks["build"].must("phase", "add", "--task", id, "By the build")
	desks["build"].must("learn", "--task", id, "-t", "fact", "tokens are text")
	desks["build"].must("learn", "--project", "-t", "fact", "builds take long")

	shared := func(r *repo) string {
		return r.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/brew/tasks", "refs/brew/locks",
			"refs/brew/knowledge", "refs/brew/config", "refs/brew/notes", "refs/brew/archive")
	}
	top, first := filepath.Dir(filepath.Dir(hub.dir)), ""
	for n, text := range []string{
		"laptop desk build", "laptop build desk", "desk laptop build",
		"desk build laptop", "build laptop desk", "build desk laptop",
	} {
		order := strings.Fields(text)
		here := filepath.Join(t.TempDir(), fmt.Sprint(n))
		if out, err := exec.Command("cp", "-R", top, here).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		in := func(name string) *repo {
			c := *hub
			c.dir = filepath.Join(here, name)
			return &c
		}
		for range 2 {
			for _, name := range order {
				in(name).must("sync")
				in(name).must("sync")
			}
		}
		want := shared(in("served/hub.git"))
		for _, name := range names {
			if have := shared(in(name)); have != want {
				t.Errorf("%v: %s has\n%s\nthe hub has\n%s", order, name, have, want)
			}
			in(name).healthy()
			if res := in(name).must("sync"); !strings.Contains(res.out, "up to date") {
				t.Errorf("%v: %s: one more sync says %s", order, name, res.out)
			}
		}
		if have := shared(in("served/hub.git")); have != want {
			t.Errorf("%v: one more round of syncs wrote\n%s\nto the hub that had\n%s", order, have, want)
		}
		files := in("laptop").git("ls-tree", "-r", "refs/brew/tasks/"+id) + "\n" +
			in("laptop").git("ls-tree", "-r", "refs/brew/knowledge")
		if first == "" {
			first = files
		}
		if files != first {
			t.Errorf("%v comes to\n%s\nthe first order to\n%s", order, files, first)
		}
		if shown := in("desk").must("show", id).out; !strings.Contains(shown, "Another title") ||
			!strings.Contains(shown, "By the desk") || !strings.Contains(shown, "By the build") {
			t.Errorf("%v: something is gone:\n%s", order, shown)
		}
	}
}

// S-35: every kind of clone takes part, and gives the remote nothing but its
// records, whatever else it has or lacks.
func TestSync_S35_everyKindOfClone(t *testing.T) {
	hub := newHub(t)
	hub.git("config", "uploadpack.allowFilter", "true")
	desk := hub.clone("desk", hub.fileURL())
	for i := range 5 {
		writeFile(t, filepath.Join(desk.dir, "file"), strings.Repeat(fmt.Sprintln("line", i), 50))
		desk.git("add", "file")
		desk.git("commit", "-q", "-m", fmt.Sprint("Commit ", i))
	}
	desk.git("push", "-q", "origin", "HEAD:main", "HEAD~2:refs/heads/other", "HEAD~1:refs/tags/v1")
	id := desk.create("Known to all", "--phase", "One")
	plan := filepath.Join(filepath.Dir(desk.dir), "plan.md")
	writeFile(t, plan, "First this.\nThen that.\n")
	desk.must("doc", "set", "--task", id, "plan", plan)
	desk.must("sync")
	code := func() string {
		return hub.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags")
	}
	before := code()
	for _, kind := range []struct {
		name string
		more []string
	}{
		{"shallow", []string{"--depth=1"}},
		{"partial", []string{"--filter=blob:none"}},
		{"treeless", []string{"--filter=tree:0"}},
		{"single-branch", []string{"--single-branch", "--branch=other"}},
		{"bare", []string{"--bare"}},
		{"mirror", []string{"--mirror"}},
		{"no-tags", []string{"--no-tags", "--no-checkout"}},
		{"reftable", []string{"--ref-format=reftable"}},
	} {
		t.Run(kind.name, func(t *testing.T) {
			if kind.name == "reftable" && desk.run("", "git", "init", "-q", "--ref-format=reftable", t.TempDir()).code != 0 {
				t.Skip("this git knows no reftable")
			}
			at := *hub
			at.t = t
			c := at.clone(kind.name, hub.fileURL(), kind.more...)
			c.must("sync")
			if res := c.must("list"); !strings.Contains(res.out, "known-to-all") {
				t.Errorf("list shows\n%s", res.out)
			}
			if res := c.must("doc", "get", "plan", "--task", id); !strings.Contains(res.out, "Then that.") {
				t.Errorf("the plan is\n%s", res.out)
			}
			own := c.create("Made in a clone that is " + kind.name)
			c.must("learn", "--task", id, "-t", "fact", kind.name+" was here, and worked")
			c.must("lock", "acquire", own)
			c.must("sync")
			if res := c.must("sync"); !strings.Contains(res.out, "up to date") {
				t.Errorf("one more sync says %s", res.out)
			}
			c.refsWhole()
			if res := c.brew("doctor"); res.code != 0 {
				t.Errorf("doctor: exit %d\n%s%s", res.code, res.out, res.err)
			}
			if after := code(); after != before {
				t.Errorf("the remote's branches and tags are\n%s\nand were\n%s", after, before)
			}
			for _, ref := range []string{"refs/brew/tasks/" + own, "refs/brew/locks/" + own} {
				if hub.git("rev-parse", ref) != c.git("rev-parse", ref) {
					t.Errorf("%s is not on the remote as it is here", ref)
				}
			}
			if res := hub.run("", "git", "for-each-ref", "refs/brew/heads", "refs/brew/keep", "refs/brew/clones",
				"refs/brew/remotes"); res.out != "" {
				t.Errorf("the remote has\n%s", res.out)
			}
		})
	}
	desk.must("sync")
	known := desk.texts(id)
	if len(known) < 6 {
		t.Errorf("the desk knows %v", known)
	}
	desk.healthy()
}

// S-30: a sync is killed at any moment, here and there. The next one finishes.
func TestSync_S30_killedAnywhere(t *testing.T) {
	hub := newHub(t)
	desk := hub.clone("desk", hub.fileURL())
	other := hub.clone("other", hub.fileURL())
	ids := []string{desk.create("One"), desk.create("Two"), desk.create("Three")}
	desk.must("sync")
	other.must("sync")
	died := 0
	total := rounds(12, 300)
	victim := victim{name: "sync", begin: func(int) ([]string, string) { return []string{"sync"}, "" }}
	for i := range total {
		for n, id := range ids {
			desk.must("learn", "--task", id, "-t", "fact", fmt.Sprintf("the desk in round %d of task %d", i, n))
			if i%3 == n {
				other.must("learn", "--task", id, "-t", "fact", fmt.Sprintf("the other one in round %d of task %d", i, n))
			}
		}
		usual := other.must("sync").took
		killed, _ := desk.kill(victim, i, usual)
		if killed {
			died++
		}
		desk.refsWhole()
		if res := desk.brew("sync"); res.code != 0 {
			t.Fatalf("round %d: after one that was killed: exit %d\n%s%s", i, res.code, res.out, res.err)
		}
		other.must("sync")
		for _, id := range ids {
			if a, b := desk.git("rev-parse", "refs/brew/tasks/"+id), other.git("rev-parse", "refs/brew/tasks/"+id); a != b {
				t.Fatalf("round %d: %s is at %s here and at %s there", i, id, a, b)
			}
		}
	}
	t.Logf("%d of %d killed in the middle", died, total)
	if died < total/4 {
		t.Errorf("only %d of %d were alive when they were killed: too little was tested", died, total)
	}
	for n, id := range ids {
		if known := desk.texts(id); len(known) != total+(total+2-n)/3 {
			t.Errorf("%d facts of task %d, want %d", len(known), n, total+(total+2-n)/3)
		}
	}
	desk.healthy()
	other.healthy()
	if entries, err := os.ReadDir(filepath.Join(desk.dir, ".git", "brew")); err != nil || len(entries) == 0 {
		t.Errorf("%v, %v", entries, err)
	}
}
