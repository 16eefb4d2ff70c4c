package ledger

import (
	"context"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/operation"

	"github.com/git-brew/git-brew/internal/ledger/compact"
)

func TestLeftovers(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	r.add(refA, Stamp{}, words("one")...)
	dir := filepath.Dir(r.l.snapshotPath(refA))
	old := r.l.now().Add(-2 * abandoned)
	for name, when := range map[string]time.Time{
		"tasks+gone-aaaaaaa": r.l.now(), "tmp-old.tmp": old,
		"tmp-new.tmp": r.l.now(),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	aside := filepath.Join(r.l.repo.CacheDir(), "counts-old.tmp")
	for path, when := range map[string]time.Time{
		aside: old,
		filepath.Join(r.l.repo.CacheDir(), "free-branches-new.tmp"): r.l.now(),
	} {
		if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	pushed := filepath.Join(r.l.repo.CacheDir(), "aside-1")
	if err := os.Mkdir(pushed, 0o700); err != nil {
		t.Fatal(err)
	}
	killed := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(pushed, killed, killed); err != nil {
		t.Fatal(err)
	}
	left, err := r.l.Leftovers(ctx)
	want := []string{aside, pushed, filepath.Join(dir, "tasks+gone-aaaaaaa"), filepath.Join(dir, "tmp-old.tmp")}
	if err != nil || !slices.Equal(left, want) {
		t.Errorf("Leftovers() = %q, %v; want %q", left, err, want)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if left, err := r.l.Leftovers(ctx); err != nil || !slices.Equal(left, []string{aside, pushed}) {
		t.Errorf("without a directory: %q, %v", left, err)
	}
}

// A snapshot is of its form, its law and its type: where the form changes,
// snapshotVersion does, and this text with it.
func TestSnapshot_versionIsOfItsForm(t *testing.T) {
	r := newRig(t)
	type inner struct{ B bool }
	type all struct {
		Text   string
		Number int
		Size   uint64
		Share  float64
		Inner  *inner
		None   *inner
		List   []string
		Map    map[string]inner
	}
	v := reflect.ValueOf(all{
		"é", -3, 300, 0.5, &inner{true}, nil,
		[]string{"", "x"},
		map[string]inner{"b": {}, "a": {true}},
	})
	data, err := compact.Append(nil, v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	got := snapshotVersion + hex.EncodeToString(data)
	if want := "snapshot 1 02c3a905ac023fe00000000000000101000300017803016101016200"; got != want {
		t.Errorf("the form is now\n%s, was\n%s", got, want)
	}
	head := r.l.header(r.OID("HEAD"), v.Type(), "")
	if !strings.HasPrefix(head, snapshotVersion+strconv.Itoa(operation.Law)+" ") {
		t.Errorf("header %q is of no law", head)
	}
	if other := r.l.header(r.OID("HEAD"), reflect.TypeOf(inner{}), ""); other == head {
		t.Error("two types share a header")
	}
}
