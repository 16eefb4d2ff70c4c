// Package torture proves on real processes what docs/reference/guarantees.md promises:
// many writers at once, beside git's own housekeeping; processes killed at any
// point; disks that are full or read-only; objects and refs that are damaged.
//
// Nothing here looks into the program: it is built, and run, and what is left
// is judged with plain git.
//
//	make torture           everything, some minutes
//	make torture SHORT=1   the same with fewer rounds; so does go test
package torture

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var (
	full    = flag.Bool("full", false, "as many rounds as docs/reference/guarantees.md says")
	program = flag.String("program", "", "the git-brew to torture; built from the sources if empty")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		return // 'make test' leaves it to 'make torture'
	}
	os.Exit(runBuilt(m))
}

// runBuilt builds the program once, puts it in front of PATH, as git needs it
// for `git brew`, and runs the tests.
func runBuilt(m *testing.M) int {
	dir, err := os.MkdirTemp("", "git-brew-torture-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if *program == "" {
		*program = filepath.Join(dir, "git-brew")
		build := exec.Command("go", "build", "-tags", "unwatched", "-o", *program,
			"github.com/git-brew/git-brew/cmd/git-brew")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
			return 1
		}
	}
	return m.Run()
}

// rounds is how often something is done: many with -full, else few.
func rounds(few, many int) int {
	if *full {
		return many
	}
	return few
}
