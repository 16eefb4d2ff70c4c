package gitstore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A cache file has all of what was written last, and nothing stays beside it.
func TestWriteCache(t *testing.T) {
	repo := gitstoretest.New(t).Open()
	for _, text := range []string{"a long first text", "second"} {
		if err := repo.WriteCache("notes", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(repo.CacheDir(), "notes")); err != nil || string(got) != text {
			t.Errorf("the file has %q, %v; want %q", got, err, text)
		}
	}
	if err := os.Mkdir(filepath.Join(repo.CacheDir(), "taken"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := repo.WriteCache("taken", []byte("x")); err == nil {
		t.Error("a file was written over a directory")
	}
	if left, err := os.ReadDir(repo.CacheDir()); err != nil || len(left) != 2 {
		t.Errorf("beside the file there are %v, %v", left, err)
	}
}
