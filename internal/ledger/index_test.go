package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger/cache"
)

// briefly is a tally as an index of the tests has it.
type briefly struct {
	Words []string
	Last  string
}

// index reads the index as a new process does: id=words, and which records had
// to be read.
func (r *rig) index() (rows, read []string) {
	r.T.Helper()
	repo := r.Open()
	l := New(repo, r.l.now, nil)
	got, err := cache.Index(context.Background(), l.Cache, cache.IndexKind[briefly]{
		Name: "index", Refs: TasksPrefix, File: tallyFile,
		Build: func(_ context.Context, id string, _ gitstore.OID, data []byte, err error) (briefly, error) {
			read = append(read, id)
			var s tally
			if err == nil {
				err = json.Unmarshal(data, &s)
			}
			if err != nil || len(s.Words) == 0 {
				return briefly{}, errors.Join(err, errRefused)
			}
			return briefly{s.Words, s.Words[len(s.Words)-1]}, nil
		},
	})
	if err := errors.Join(err, repo.Close()); err != nil { // which waits for the file
		r.T.Fatal(err)
	}
	for _, row := range got {
		text := row.ID + "="
		switch {
		case row.Err != nil:
			text += "?"
		case row.State.Last != row.State.Words[len(row.State.Words)-1]:
			r.T.Errorf("%s: %+v", row.ID, row.State)
		default:
			text += strings.Join(row.State.Words, ",")
		}
		if row.Ref != TaskRef(row.ID) || row.Err == nil && row.Tip != r.tip(row.Ref) {
			r.T.Errorf("%s: ref %s, tip %s", row.ID, row.Ref, row.Tip)
		}
		rows = append(rows, text)
	}
	slices.Sort(read)
	return rows, read
}

// wantIndex compares the index, and which records it had to read.
func (r *rig) wantIndex(what, rows, read string) {
	r.T.Helper()
	if gotRows, gotRead := r.index(); strings.Join(gotRows, " ") != rows || strings.Join(gotRead, " ") != read {
		r.T.Errorf("%s: %q, read %q; want %q, %q", what, gotRows, gotRead, rows, read)
	}
}

// settle waits until what has just changed is believed.
func settle() { time.Sleep(50 * time.Millisecond) }

// S-26: whoever moves a ref, the index has its new state, and reads no other
// record for that.
func TestIndex_S26_readsWhatMoved(t *testing.T) {
	r := newRig(t)
	a, b, c := TaskRef("a"), TaskRef("b"), TaskRef("c")
	r.wantIndex("nothing", "", "")
	r.add(a, Stamp{}, words("one")...)
	r.add(b, Stamp{}, words("two")...)
	r.wantIndex("made", "a=one b=two", "a b")
	r.wantIndex("again", "a=one b=two", "")
	settle()
	r.wantIndex("later", "a=one b=two", "")
	r.wantIndex("much later", "a=one b=two", "")
	r.add(b, Stamp{}, words("three")...)
	r.wantIndex("our own write", "a=one b=two,three", "b")
	second := r.tip(b)
	settle()
	r.index()
	r.Git("update-ref", string(b), string(b)+"~1")
	r.wantIndex("moved back by git", "a=one b=two", "b")
	r.Git("pack-refs", "--all", "--prune")
	r.wantIndex("packed", "a=one b=two", "")
	r.Git("fetch", "-q", ".", second.String()+":"+string(c))
	r.wantIndex("fetched", "a=one b=two c=two,three", "c")
	settle()
	r.index()
	r.Git("update-ref", "-d", string(a))
	r.wantIndex("deleted", "b=two c=two,three", "")
	r.Git("gc", "-q", "--prune=now")
	r.wantIndex("after gc", "b=two c=two,three", "")
	if err := os.Remove(filepath.Join(r.l.repo.CacheDir(), "index")); err != nil {
		t.Fatal(err)
	}
	r.wantIndex("without a file", "b=two c=two,three", "b c")
}

// S-27: a file that is gone, broken, or of another clone, type or version
// changes nothing but what is read.
func TestIndex_S27_brokenFile(t *testing.T) {
	r := newRig(t)
	r.add(TaskRef("a"), Stamp{}, words("one")...)
	settle()
	r.wantIndex("made", "a=one", "a")
	path := filepath.Join(r.l.repo.CacheDir(), "index")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := newRig(t)
	other.add(TaskRef("b"), Stamp{}, words("foreign")...)
	settle()
	other.index()
	foreign, err := os.ReadFile(filepath.Join(other.l.repo.CacheDir(), "index"))
	if err != nil {
		t.Fatal(err)
	}
	for what, data := range map[string]string{
		"empty": "", "cut short": string(whole[:len(whole)-3]), "noise": "\x00\x01\n\x02", "longer": string(whole) + "x",
		"another version": strings.Replace(string(whole), "cache 2 ", "cache 1 ", 1), "another clone's": string(foreign),
	} {
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		r.wantIndex(what, "a=one", "a")
		r.wantIndex(what+", then", "a=one", "")
	}
	// Of another type: what stands there is not taken for one of this.
	rows, err := cache.Index(context.Background(), New(r.Open(), r.l.now, nil).Cache, cache.IndexKind[tally]{
		Name: "index", Refs: TasksPrefix, File: tallyFile,
		Build: func(context.Context, string, gitstore.OID, []byte, error) (tally, error) {
			return tally{Clock: 7}, nil
		},
	})
	if err != nil || len(rows) != 1 || rows[0].State.Clock != 7 {
		t.Errorf("another type: %+v, %v", rows, err)
	}
}

// S-25: a record that can't be read is in every answer, and comes back to life
// when its objects do, though no ref moves.
func TestIndex_S25_brokenRecord(t *testing.T) {
	r := newRig(t)
	r.Unchecked()
	r.add(TaskRef("a"), Stamp{}, words("one")...)
	r.add(TaskRef("b"), Stamp{}, words("two")...)
	blob := r.Git("rev-parse", string(TaskRef("b"))+":"+tallyFile)
	path := filepath.Join(r.Dir, ".git", "objects", blob[:2], blob[2:])
	if err := os.Rename(path, path+"-away"); err != nil {
		t.Fatal(err)
	}
	settle()
	for n := range 3 {
		rows, read := r.index()
		if want := []string{"a=one", "b=?"}; !slices.Equal(rows, want) || !slices.Contains(read, "b") ||
			n > 0 && len(read) > 1 {
			t.Errorf("broken: %q, read %q", rows, read)
		}
	}
	if err := os.Rename(path+"-away", path); err != nil {
		t.Fatal(err)
	}
	r.wantIndex("mended", "a=one b=two", "b")
	r.wantIndex("mended, then", "a=one b=two", "")

	// Refs that change without the files that are watched, and what is none of
	// the records.
	r.Git("update-ref", "refs/elsewhere", string(TaskRef("a")))
	r.Git("symbolic-ref", string(TaskRef("link")), "refs/elsewhere")
	r.Git("update-ref", string(TaskRef("dir/inner")), string(TaskRef("a")))
	settle()
	for range 2 {
		rows, _ := r.index()
		if want := []string{"a=one", "b=two", "link=one"}; !slices.Equal(rows, want) {
			t.Errorf("with a symbolic ref: %q", rows)
		}
	}
	r.Git("update-ref", "refs/elsewhere", string(TaskRef("b")))
	if rows, _ := r.index(); !slices.Contains(rows, "link=two") {
		t.Errorf("the target moved: %q", rows)
	}
	if err := os.WriteFile(filepath.Join(r.Dir, ".git", filepath.FromSlash(string(TaskRef("empty")))), nil,
		0o666); err != nil {
		t.Fatal(err)
	}
	if rows, _ := r.index(); !slices.Contains(rows, "empty=?") {
		t.Errorf("an empty ref: %q", rows)
	}
}

// S-27: a ref's file that is emptied, overwritten or mended in place changes no
// directory, and shows all the same, at once and later.
func TestIndex_S27_refChangedInPlace(t *testing.T) {
	r := newRig(t)
	r.add(TaskRef("a"), Stamp{}, words("one")...)
	r.add(TaskRef("b"), Stamp{}, words("two")...)
	first := r.tip(TaskRef("a"))
	r.add(TaskRef("a"), Stamp{}, words("three")...)
	inPlace := func(content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(r.Dir, ".git", filepath.FromSlash(string(TaskRef("a")))), []byte(content),
			0o666); err != nil {
			t.Fatal(err)
		}
	}
	settle()
	r.index()
	for _, step := range []struct{ what, content, want string }{
		{"emptied", "", "a=? b=two"},
		{"another tip", first.String() + "\n", "a=one b=two"},
		{"no id", "no id\n", "a=? b=two"},
		{"mended", first.String() + "\n", "a=one b=two"},
	} {
		inPlace(step.content)
		for _, when := range []string{"at once", "again"} {
			if rows, _ := r.index(); strings.Join(rows, " ") != step.want {
				t.Errorf("%s, %s: %q; want %s", step.what, when, rows, step.want)
			}
		}
		settle()
		if rows, _ := r.index(); strings.Join(rows, " ") != step.want {
			t.Errorf("%s, later: %q; want %s", step.what, rows, step.want)
		}
	}
}

// Many records are read in one pass, and the rows keep their order.
func TestIndex_many(t *testing.T) {
	r := newRig(t)
	r.add(TaskRef("t000"), Stamp{}, words("one")...)
	tip := r.tip(TaskRef("t000")).String()
	var script strings.Builder
	for n := 1; n < 300; n++ {
		fmt.Fprintf(&script, "create %s %s\n", TaskRef(fmt.Sprintf("t%03d", n)), tip)
	}
	if _, err := r.l.repo.Git.Input(context.Background(), []byte(script.String()), "update-ref", "--stdin"); err != nil {
		t.Fatal(err)
	}
	r.Git("repack", "-a", "-d", "-q")
	rows, read := r.index()
	if len(rows) != 300 || len(read) != 300 || !slices.IsSorted(rows) || rows[299] != "t299=one" {
		t.Errorf("%d rows, %d read", len(rows), len(read))
	}
}

// The ids alone are the names of the refs, loose and packed, whatever is in them.
func TestTaskIDs_S26(t *testing.T) {
	r := newRig(t)
	ids := func(want string) {
		t.Helper()
		got, err := New(r.Open(), r.l.now, nil).TaskIDs(context.Background())
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("TaskIDs() = %q, %v; want %q", got, err, want)
		}
	}
	ids("")
	r.add(TaskRef("b"), Stamp{}, words("one")...)
	r.add(TaskRef("a"), Stamp{}, words("two")...)
	ids("a b")
	r.Git("pack-refs", "--all")
	ids("a b")
	r.Git("update-ref", string(TaskRef("c")), string(TaskRef("a")))
	r.Git("update-ref", string(TaskRef("d/e")), string(TaskRef("a")))
	ids("a b c")
	r.Git("update-ref", "-d", string(TaskRef("a")))
	ids("b c")
}
