package ledger

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// brief reads the brief of refA as a new process does, and says whether it had
// to be built.
func (r *rig) brief() (s tally, built bool) {
	r.T.Helper()
	l := New(r.Open(), r.l.now, nil)
	s, _, err := Brief(context.Background(), l, refA, func(ctx context.Context, tip gitstore.OID) (tally, error) {
		built = true
		return Load(ctx, l, tallyLaw(), tip)
	})
	if err != nil {
		r.T.Fatal(err)
	}
	return s, built
}

// briefing counts how often a brief is asked for.
func briefing(asked *int) Law[tally] {
	law := tallyLaw()
	law.Brief = func(s tally) any {
		*asked++
		return s
	}
	return law
}

// BW-43: of a change that makes several operations one after another, the brief is
// asked for once, and of the last.
func TestBrief_BW43_onceForAChange(t *testing.T) {
	r := newRig(t)
	asked := 0
	law := briefing(&asked)
	err := r.l.Change(context.Background(), func(ctx context.Context, tx *Tx) (err error) {
		var state tally
		for _, word := range []string{"one", "two", "three"} {
			if state, err = Append(ctx, tx, law, refA, state, Stamp{}, words(word)...); err != nil {
				return err
			}
		}
		return nil
	})
	if s, built := r.brief(); err != nil || built || len(s.Words) != 3 || asked != 1 {
		t.Errorf("%+v, built %t, asked for %d times, %v", s, built, asked, err)
	}
}

func (r *rig) snapshotPath() string {
	return filepath.Join(r.l.repo.CacheDir(), "snapshots", "tasks+a")
}

// S-27: a snapshot is believed only where it is whole, of this program, of this
// repository, and of the tip that the ref has now.
func TestBrief_S27_believesOnlyItsOwnTip(t *testing.T) {
	r := newRig(t)
	r.add(refA, Stamp{}, words("one")...)
	if _, built := r.brief(); built {
		t.Fatal("a change left no snapshot")
	}
	path := r.snapshotPath()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(data string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string]string{
		"empty": "", "truncated": string(whole[:len(whole)-1]), "longer": string(whole) + "x",
		"garbled":         string(whole[:len(whole)-1]) + "\xff",
		"another version": strings.Replace(string(whole), "cache 2 ", "cache 1 ", 1),
		"another program": strings.Replace(string(whole), strconv.Itoa(operation.Law)+"  ",
			strconv.Itoa(operation.Law)+" 9z.1 ", 1),
		"another tip": strings.Replace(string(whole), r.tip(refA).String(), r.OID("HEAD").String(), 1),
		"noise":       "\x00\x01\n\x02",
	} {
		if data == string(whole) {
			t.Fatalf("%s: the test changed nothing", name)
		}
		write(data)
		if s, built := r.brief(); !built || !slices.Equal(s.Words, []string{"one"}) {
			t.Errorf("%s: built %t, %+v", name, built, s)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != string(whole) {
			t.Errorf("%s: not mended: %v", name, err)
		}
	}

	// The tip moves without us.
	first := r.tip(refA)
	r.add(refA, Stamp{}, words("two")...)
	r.Git("update-ref", string(refA), first.String())
	if s, built := r.brief(); !built || !slices.Equal(s.Words, []string{"one"}) {
		t.Errorf("moved back: built %t, %+v", built, s)
	}
	r.Git("update-ref", "-d", string(refA))
	if s, built := r.brief(); built || len(s.Words) != 0 {
		t.Errorf("no such ref: built %t, %+v", built, s)
	}
}

// S-27: the directory of caches may come from another clone, or not be
// writable: answers stay right.
func TestBrief_S27_copiedDirectory(t *testing.T) {
	r := newRig(t)
	r.add(refA, Stamp{}, words("one")...)
	other := newRig(t)
	other.add(refA, Stamp{}, words("else")...)
	from, to := other.l.repo.CacheDir(), r.l.repo.CacheDir()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if s, _ := r.brief(); !slices.Equal(s.Words, []string{"one"}) {
		t.Errorf("%+v", s)
	}
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, nil, 0o666); err != nil { // no directory can be made
		t.Fatal(err)
	}
	if s, built := r.brief(); !built || !slices.Equal(s.Words, []string{"one"}) {
		t.Errorf("no directory: built %t, %+v", built, s)
	}
}

func TestStore_leavesNothingBehind(t *testing.T) {
	r := newRig(t)
	tip := r.add(refA, Stamp{}, words("one")...)
	r.l.Cache.Store(refA, tip, make(chan int)) // no state: no snapshot, the old one stays
	if _, built := r.brief(); built {
		t.Error("the snapshot is gone")
	}
	entries, err := os.ReadDir(filepath.Dir(r.snapshotPath()))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
