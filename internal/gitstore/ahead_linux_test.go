package gitstore

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Where a pipe holds a page alone, as Linux gives who has too many of them, questions
// and answers do not wait for each other.
func TestAhead_smallPipes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	repo, err := Open(Options{Dir: dir, Name: "brew", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = repo.Close() }()
	w := repo.NewWriter()
	var ids []OID
	for i := range 280 {
		ids = append(ids, w.Blob([]byte(strings.Repeat(fmt.Sprint(i), 1000))))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := w.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	child, _, err := repo.child(ctx, &repo.contents, "--batch")
	if err != nil {
		t.Fatal(err)
	}
	pipe, is := child.in.(*os.File)
	if !is {
		t.Skip("the pipe is none of the system's")
	}
	raw, err := pipe.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) { _, err = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 4096) }); err != nil {
		t.Fatal(err)
	}
	a := repo.Ahead()
	a.Read(ctx, 1<<20, ids...)
	if len(a.objects) != len(ids) {
		t.Errorf("%d of %d objects were read ahead", len(a.objects), len(ids))
	}
}
