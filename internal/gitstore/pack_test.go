package gitstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A pack that a killed change kept is let go of, by the next pack; a person's own, and
// one of a change that goes on, is left alone.
func TestLeftKeeps_oursAlone(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	dir := filepath.Join(f.Dir, ".git", "objects", "pack")
	long := time.Now().Add(-13 * time.Hour)
	keep := func(name, reason string, made time.Time) string {
		path := filepath.Join(dir, "pack-"+name+".keep")
		noError(t, os.MkdirAll(dir, 0o777))
		noError(t, os.WriteFile(path, []byte(reason), 0o666))
		noError(t, os.Chtimes(path, made, made))
		return path
	}
	dead := keep("dead", "until a ref leads here\n", long)
	stay := []string{
		keep("person", "mine\n", long), keep("empty", "", long),
		keep("living", "until a ref leads here\n", time.Now()),
	}
	equal(t, "left", strings.Join(repo.Objects.LeftKeeps(), " "), dead)

	w := repo.Objects.NewWriter()
	var last gitstore.OID
	for i := range 120 {
		last = w.Blob([]byte(fmt.Sprint(i)))
	}
	noError(t, repo.Publish(t.Context(), w, gitstore.Update{Ref: "refs/store/one", New: last}))
	equal(t, "left", len(repo.Objects.LeftKeeps()), 0)
	for _, path := range stay {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}
