package gitstore_test

import (
	"slices"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
)

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t testing.TB, what string, have, want T) {
	t.Helper()
	if have != want {
		t.Errorf("%s: have %v, want %v", what, have, want)
	}
}

func ada() gitstore.Signature {
	return gitstore.Signature{Name: "Ada", Email: "ada@example.com", When: time.Unix(1_700_000_000, 0).UTC()}
}

// commitFiles writes a commit of these files, on top of parent unless it is
// zero.
func commitFiles(t testing.TB, repo *gitstore.Repo, parent gitstore.OID, files map[string]string) gitstore.OID {
	t.Helper()
	w := repo.Objects.NewWriter()
	blobs := map[string]gitstore.OID{}
	for path, text := range files {
		blobs[path] = w.Blob([]byte(text))
	}
	tree, err := w.Files(blobs)
	noError(t, err)
	c := gitstore.Commit{Tree: tree, Author: ada(), Committer: ada(), Message: "change\n"}
	if !parent.IsZero() {
		c.Parents = []gitstore.OID{parent}
	}
	id := w.Commit(c)
	noError(t, w.Flush(t.Context()))
	return id
}

func sortedCopy(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}
