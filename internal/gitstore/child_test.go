package gitstore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// childVariable makes the test binary play a part as a process of its own:
// "<part> <argument>...".
const childVariable = "GITSTORE_TEST_CHILD"

func TestMain(m *testing.M) {
	part := os.Getenv(childVariable)
	if part == "" {
		os.Exit(m.Run())
	}
	if err := play(strings.Fields(part)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(f *gitstoretest.Fixture, part ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Dir = f.Dir
	cmd.Env = append(f.Env[:len(f.Env):len(f.Env)], childVariable+"="+strings.Join(part, " "))
	cmd.Stderr = os.Stderr
	return cmd
}

func play(part []string) error {
	ctx := context.Background()
	repo, err := gitstore.Open(gitstore.Options{Name: gitstoretest.Name})
	if err != nil {
		return err
	}
	defer repo.Close()
	switch part[0] {
	case "append": // append <ref> <writer> <count>: as many lines to one file
		count, err := strconv.Atoi(part[3])
		if err != nil {
			return err
		}
		for i := range count {
			if err := appendLine(ctx, repo, gitstore.RefName(part[1]), fmt.Sprintf("%s-%d", part[2], i)); err != nil {
				return fmt.Errorf("%s: line %d: %w", part[2], i, err)
			}
			fmt.Printf("%s-%d\n", part[2], i) // acknowledged
		}
		return nil
	case "race": // race <ref> <writer> <count>: the same without the queue
		count, err := strconv.Atoi(part[3])
		if err != nil {
			return err
		}
		for i := range count {
			line := fmt.Sprintf("%s-%d", part[2], i)
			for {
				err := appendUnqueued(ctx, repo, gitstore.RefName(part[1]), line)
				if err == nil {
					break
				}
				if !errors.Is(err, gitstore.ErrRefMoved) && !errors.Is(err, gitstore.ErrLocked) {
					return err
				}
			}
			fmt.Println(line)
		}
		return nil
	case "pair": // pair <ref> <ref> <line>: one commit for two refs, in one transaction
		return appendPair(ctx, repo, gitstore.RefName(part[1]), gitstore.RefName(part[2]), part[3])
	case "many": // many <name>: a hundred new refs
		return createHundred(ctx, repo, part[1])
	case "hold": // hold: inside Locked until standard input ends
		return repo.Locked(ctx, func() error {
			fmt.Println("held")
			_, err := io.Copy(io.Discard, os.Stdin)
			return err
		})
	}
	return fmt.Errorf("no such part: %q", part)
}

func appendLine(ctx context.Context, repo *gitstore.Repo, name gitstore.RefName, line string) error {
	return repo.Locked(ctx, func() error { return appendUnqueued(ctx, repo, name, line) })
}

func appendUnqueued(ctx context.Context, repo *gitstore.Repo, name gitstore.RefName, line string) error {
	tip, err := repo.Refs.Get(ctx, name)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return err
	}
	c := gitstore.Commit{Author: ada(), Committer: ada(), Message: line + "\n"}
	old := ""
	if !tip.IsZero() {
		c.Parents = []gitstore.OID{tip}
		files, err := repo.Objects.Files(ctx, tip)
		if err != nil {
			return err
		}
		data, err := repo.Objects.Blob(ctx, files[0].OID)
		if err != nil {
			return err
		}
		old = string(data)
	}
	w := repo.Objects.NewWriter()
	if c.Tree, err = w.Files(map[string]gitstore.OID{"lines": w.Blob([]byte(old + line + "\n"))}); err != nil {
		return err
	}
	next := w.Commit(c)
	if err := w.Flush(ctx); err != nil {
		return err
	}
	return repo.Refs.Update(ctx, gitstore.Update{Ref: name, Old: tip, New: next})
}

func appendPair(ctx context.Context, repo *gitstore.Repo, a, b gitstore.RefName, line string) error {
	return repo.Locked(ctx, func() error {
		tip, err := repo.Refs.Get(ctx, a)
		if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
			return err
		}
		c := gitstore.Commit{Author: ada(), Committer: ada(), Message: line + "\n"}
		if !tip.IsZero() {
			c.Parents = []gitstore.OID{tip}
		}
		w := repo.Objects.NewWriter()
		if c.Tree, err = w.Files(map[string]gitstore.OID{"lines": w.Blob([]byte(line))}); err != nil {
			return err
		}
		next := w.Commit(c)
		if err := w.Flush(ctx); err != nil {
			return err
		}
		return repo.Refs.Update(ctx, gitstore.Update{Ref: a, Old: tip, New: next},
			gitstore.Update{Ref: b, Old: tip, New: next})
	})
}

// lines reads what appendLine wrote, through git.
func lines(f *gitstoretest.Fixture, name string) []string {
	f.T.Helper()
	text := f.Git("show", name+":lines")
	return strings.Split(text, "\n")
}

// startChild starts a part, and gives the lines that it prints.
func startChild(t testing.TB, cmd *exec.Cmd) (*bufio.Scanner, io.Closer) {
	t.Helper()
	in, err := cmd.StdinPipe()
	noError(t, err)
	out, err := cmd.StdoutPipe()
	noError(t, err)
	noError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return bufio.NewScanner(out), in
}

// torture is how often a torture test repeats: a few times, or what the
// variable TORTURE says.
func torture(t testing.TB, few int) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("TORTURE"))
	if err != nil {
		return few
	}
	return n
}
