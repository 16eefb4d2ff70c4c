package ledger

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// Each change is made to the tree that the one before it left.
func TestPut(t *testing.T) {
	const ref = clonesPrefix + "c"
	r := newRig(t)
	for _, step := range []struct {
		name  string
		files map[string][]byte
		want  string
	}{
		{"new", map[string][]byte{"a": []byte("1"), "d/b": []byte("2"), "d/e/c": []byte("3")}, "a d/b d/e/c"},
		{"changed and added", map[string][]byte{"a": []byte("4"), "d/e/f": []byte("5")}, "a d/b d/e/c d/e/f"},
		{"taken out", map[string][]byte{"a": nil}, "d/b d/e/c d/e/f"},
		{"an empty directory vanishes", map[string][]byte{"d/e/c": nil, "d/e/f": nil}, "d/b"},
		{"and those above it", map[string][]byte{"d/b": nil, "x": []byte("6")}, "x"},
		{"what is not there", map[string][]byte{"y": nil, "z/y": nil}, "x"},
		{"a file that becomes a directory", map[string][]byte{"x": nil, "x/y": []byte("7")}, "x/y"},
		{"an empty file", map[string][]byte{"empty": {}}, "empty x/y"},
		{"nothing left", map[string][]byte{"empty": nil, "x/y": nil}, ""},
	} {
		r.change(func(ctx context.Context, tx *Tx) error {
			_, err := tx.Put(ctx, ref, step.files, step.name+"\n")
			return err
		})
		if got := strings.Join(strings.Fields(r.Git("ls-tree", "-r", "--name-only", ref)), " "); got != step.want {
			t.Errorf("%s: %q, want %q", step.name, got, step.want)
		}
		for path, data := range step.files {
			got, err := r.l.File(context.Background(), r.tip(ref), path)
			if data == nil && err == nil || data != nil && (err != nil || string(got) != string(data)) {
				t.Errorf("%s: %s is %q, %v", step.name, path, got, err)
			}
		}
	}
}

// Several changes in one see one another, and each is a commit.
func TestPut_twiceInOneChange(t *testing.T) {
	const ref = clonesPrefix + "c"
	r := newRig(t)
	r.change(func(ctx context.Context, tx *Tx) error {
		_, a := tx.Put(ctx, ref, map[string][]byte{"d/a": []byte("1")}, "first\n")
		_, b := tx.Put(ctx, ref, map[string][]byte{"d/b": []byte("2")}, "second\n")
		return errors.Join(a, b)
	})
	if got := r.Git("log", "--format=%s", ref); got != "second\nfirst" {
		t.Errorf("commits %q", got)
	}
	entries, err := r.l.Dir(context.Background(), r.tip(ref), "d")
	if err != nil || len(entries) != 2 {
		t.Errorf("d holds %v, %v", entries, err)
	}
	for _, dir := range []string{"e", "d/a", "d/a/x"} {
		if entries, err := r.l.Dir(context.Background(), r.tip(ref), dir); err != nil || len(entries) != 0 {
			t.Errorf("%s holds %v, %v", dir, entries, err)
		}
	}
}
