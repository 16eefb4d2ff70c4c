package app_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// shared is a repository with some tasks that clones are made of.
func shared(t *testing.T) (*gitstoretest.Fixture, *app.App) {
	t.Helper()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	for _, title := range []string{"First", "Second"} {
		create(t, s, app.CreateRequest{Title: title, NoSwitch: true, Plan: []byte("the plan\n")})
	}
	f.Git("config", "uploadpack.allowFilter", "true")
	f.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	return f, s
}

// fetching makes plain git fetch bring records.
func fetching(f *gitstoretest.Fixture) *gitstoretest.Fixture {
	for _, what := range []string{"tasks/*", "locks/*", "knowledge*", "config*", "notes*"} {
		f.Git("config", "--add", "remote.origin.fetch", "+refs/brew/"+what+":refs/brew/remotes/origin/"+what)
	}
	return f
}

// titles are what a list shows, in the order of their names.
func titles(t *testing.T, s *app.App) string {
	t.Helper()
	l, err := s.List(context.Background(), app.ListRequest{All: true})
	if err != nil || len(l.Broken) > 0 {
		t.Fatalf("List() = %+v, %v", l.Broken, err)
	}
	var all []string
	for _, v := range l.Tasks {
		all = append(all, v.Title)
	}
	return strings.Join(all, ", ")
}

// settle waits until what has just changed is believed.
func settle() { time.Sleep(50 * time.Millisecond) }

func wantLines(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: said %q, want %d lines", what, got, len(want))
	}
	for i, line := range got {
		if !strings.Contains(line, want[i]) {
			t.Errorf("%s: said %q, want %q", what, line, want[i])
		}
	}
}

// S-35: in a shallow clone plain git brings the records whole; where a person
// has cut them short, too, they are left alone until the rest is here.
func TestTakeFetched_S35_shallowClone(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	from, _ := shared(t)
	f := gitstoretest.New(t)
	f.In(f.Root).Git("clone", "-q", "--depth=1", "file://"+from.Dir, f.Root+"/shallow")
	f = fetching(f.In(f.Root + "/shallow"))
	f.Git("fetch", "-q")
	s := open(t, f, mara)
	wantLines(t, "shallow", s.Exchange.TakeFetched(ctx, false))
	if got := titles(t, s); got != "Second, First" {
		t.Errorf("listed %s", got)
	}

	f.In(f.Root).Git("clone", "-q", "--depth=1", "file://"+from.Dir, f.Root+"/cut")
	cut := fetching(f.In(f.Root + "/cut"))
	cut.Git("fetch", "-q", "--depth=1")
	s = open(t, cut, mara)
	lines := s.Exchange.TakeFetched(ctx, false)
	wantLines(t, "cut short", lines, "--unshallow", "--unshallow")
	cut.Git("fetch", "-q", "--unshallow")
	s = open(t, cut, mara)
	wantLines(t, "whole again", s.Exchange.TakeFetched(ctx, false))
	if got := titles(t, s); got != "Second, First" {
		t.Errorf("listed %s", got)
	}
}

// S-35: in a partial clone nothing is fetched object by object, least of all in
// a hook.
func TestTakeFetched_S35_partialCloneAsksNobody(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	from, _ := shared(t)
	f := gitstoretest.New(t)
	f.In(f.Root).Git("clone", "-q", "--filter=blob:none", "file://"+from.Dir, f.Root+"/partial")
	f = fetching(f.In(f.Root + "/partial"))
	f.Git("fetch", "-q")
	trace := filepath.Join(f.Root, "trace")
	f.Setenv("GIT_TRACE", trace)
	s := open(t, f, mara)
	wantLines(t, "partial", s.Exchange.TakeFetched(ctx, false), "2 that were fetched from origin are not whole")
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("fetch")) {
		t.Errorf("it fetched:\n%s", data)
	}
	if got := titles(t, s); got != "" {
		t.Errorf("listed %s", got)
	}
	f.Setenv("GIT_TRACE", "")
	f.Git("fetch", "-q", "--refetch", "--no-filter")
	s = open(t, f, mara)
	wantLines(t, "whole", s.Exchange.TakeFetched(ctx, false))
	if got := titles(t, s); got != "Second, First" {
		t.Errorf("listed %s", got)
	}
}

// While nothing was fetched, nothing is looked at: not even a ref that somebody
// took away here by hand.
func TestTakeFetched_nothingNewCostsNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	from, theirs := shared(t)
	f := fetching(from.Clone())
	f.Git("fetch", "-q")
	settle()
	s := open(t, f, mara)
	s.Exchange.TakeFetched(ctx, false)
	settle()
	s.Exchange.TakeFetched(ctx, false)
	trace := filepath.Join(f.Root, "trace")
	f.Setenv("GIT_TRACE", trace)
	f.Git("for-each-ref") // makes the file
	before, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	s = open(t, f, mara)
	wantLines(t, "again", s.Exchange.TakeFetched(ctx, false))
	after, err := os.ReadFile(trace)
	if err != nil || len(after) != len(before) {
		t.Errorf("it ran git: %v\n%s", err, after[len(before):])
	}
	if _, err := theirs.Tasks.Create(ctx, app.CreateRequest{Title: "Third", NoSwitch: true}); err != nil {
		t.Fatal(err)
	}
	f.Git("fetch", "-q")
	s = open(t, f, mara)
	wantLines(t, "fetched", s.Exchange.TakeFetched(ctx, false))
	if got := titles(t, s); got != "Third, Second, First" && got != "Second, Third, First" {
		t.Errorf("listed %s", got)
	}
}

// S-27: what is said of a ref that can't be read ends when the ref is mended, though
// nothing that was fetched has moved.
func TestTakeFetched_S27_refChangedInPlace(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	from, _ := shared(t)
	f := gitstoretest.New(t)
	f.In(f.Root).Git("clone", "-q", "file://"+from.Dir, f.Root+"/clone")
	f = fetching(f.In(f.Root + "/clone"))
	f.Git("fetch", "-q")
	s := open(t, f, mara)
	wantLines(t, "whole", s.Exchange.TakeFetched(ctx, false))
	refs := strings.Fields(f.Git("for-each-ref", "--format=%(refname)", "refs/brew/tasks"))
	inPlace := func(ref, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(f.Dir, ".git", filepath.FromSlash(ref)), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ours, tracked := refs[0], strings.Replace(refs[0], "refs/brew/", "refs/brew/remotes/origin/", 1)
	tip := f.Git("rev-parse", ours) + "\n"
	for _, ref := range []string{ours, tracked} {
		inPlace(ref, "")
		f.Git("update-ref", "refs/brew/remotes/origin/tasks/x-aaaaaaa", "HEAD") // a plain fetch
		f.Git("update-ref", "-d", "refs/brew/remotes/origin/tasks/x-aaaaaaa")
		settle()
		wantLines(t, ref+" is emptied", s.Exchange.TakeFetched(ctx, false), "its file is empty")
		inPlace(ref, tip)
		wantLines(t, ref+" is mended", s.Exchange.TakeFetched(ctx, false))
	}
}

// After a sync of many records, the first command need not look through all of
// them: that nothing is left to take over is known.
func TestTakeFetched_knownAfterALargeSync(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f, s := shared(t)
	for n := range 49 {
		create(t, s, app.CreateRequest{Title: fmt.Sprintf("One of many, %d", n), NoSwitch: true})
	}
	clone := f.Clone()
	if _, err := open(t, clone, mara).Exchange.Sync(ctx, exchange.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	watch := clone.Open().Cache.WatchRefs("refs/brew/remotes/origin/tasks", "refs/brew/remotes/origin/locks",
		"refs/brew/remotes/origin")
	if _, current := clone.Open().Cache.GetPiece("folded-in", watch); !current {
		t.Error("it has to look again")
	}
}

// A repository that can't be written to is read as it is.
func TestTakeFetched_readOnly(t *testing.T) {
	t.Parallel()
	if asNobody(t) {
		return
	}
	ctx := context.Background()
	from, _ := shared(t)
	f := fetching(from.Clone())
	f.Git("fetch", "-q")
	common := filepath.Join(f.Dir, ".git")
	if err := os.Chmod(common, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(common, 0o755) })
	s := open(t, f, mara)
	wantLines(t, "read-only", s.Exchange.TakeFetched(ctx, false))
	if got := titles(t, s); got != "" {
		t.Errorf("listed %s", got)
	}
}
