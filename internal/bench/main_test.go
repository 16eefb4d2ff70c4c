// Package bench measures what git brew promises of its speed, as whole
// processes in real repositories, each against `git rev-parse HEAD` in the same
// run: the machine's mood is in both.
//
//	make bench           everything; writes docs/reference/benchmarks.md
//	make bench SHORT=1   fewer runs, prints only
//
// The large repositories are made once and kept in the temporary directory:
// git-brew-bench there may be deleted at any time.
package bench

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var (
	measure = flag.String("measure", "", "short or full; nothing is measured without")
	program = flag.String("program", "", "the git-brew to measure; built from the sources if empty")
	write   = flag.String("write", filepath.Join("..", "..", "docs/reference/benchmarks.md"),
		"where a full run writes its table")
)

// launchVariable makes this binary a small program that runs another one and
// prints how much memory that took.
const launchVariable = "BENCH_LAUNCH"

func TestMain(m *testing.M) {
	if os.Getenv(launchVariable) != "" {
		os.Exit(launch(os.Args[1:]))
	}
	flag.Parse()
	os.Exit(m.Run())
}

func TestBench(t *testing.T) {
	runs := map[string]int{"short": 40, "full": 300}[*measure]
	if runs == 0 {
		t.Skip("measures nothing without -measure short or full: make bench")
	}
	if *program == "" {
		*program = filepath.Join(t.TempDir(), "git-brew")
		build := exec.Command("go", "build", "-trimpath", "-tags", "unwatched", "-o", *program,
			"github.com/git-brew/git-brew/cmd/git-brew")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	cache := filepath.Join(os.TempDir(), "git-brew-bench")
	if err := os.MkdirAll(cache, 0o777); err != nil {
		t.Fatal(err)
	}
	s := &suite{t: t, cache: cache, work: t.TempDir()}
	s.prepare()
	rows := s.rows()
	s.run(runs, rows)
	text := report(s, rows, runs) + "\n" + s.runnersOwn() + "\n" + s.radarsOwn()
	fmt.Println(text)
	if *measure == "full" {
		if err := os.WriteFile(*write, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
