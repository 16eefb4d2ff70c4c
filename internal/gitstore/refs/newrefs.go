package refs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// manyNew is from how many new refs on they go into packed-refs at once: as
// files of their own, each would have to be synced for itself, which takes some
// ten seconds for ten thousand of them, and every later listing as many files.
const manyNew = 64

// packedHead is the first line of packed-refs where there is none yet.
const packedHead = "# pack-refs with: peeled fully-peeled sorted \n"

// createPacked makes many new refs, and nothing else, in one transaction: git
// takes the lock of each and finds that none of them exists, then they are
// written to packed-refs, and git lets go of the locks. A git whose input ends
// does that too, so nothing is left behind when this process dies.
func (r *Store) createPacked(ctx context.Context, updates []Update) error {
	if runtime.GOOS == "windows" || !r.onlyNewCommits(ctx, updates) {
		return errLeaveToGit
	}
	locks, err := r.holdNew(ctx, updates)
	if err != nil {
		return r.classify(ctx, err, updates)
	}
	defer locks.release()
	lock, err := r.lockRef(ctx, packedFile)
	if errors.Is(err, plumbing.ErrLocked) {
		return errLeaveToGit // somebody packs refs, which may take long
	}
	if err != nil {
		return err
	}
	defer lock.release()
	content, err := r.packedWith(updates)
	if err != nil {
		return err
	}
	return lock.commit(content, !r.config.NoSync(ctx))
}

// onlyNewCommits tells whether the updates are new refs that lead to commits,
// which have nothing to be peeled, and whether nobody wants to see how each one
// is made.
func (r *Store) onlyNewCommits(ctx context.Context, updates []Update) bool {
	if r.at.Format.Reftable || r.at.Git.Env.Get("GIT_QUARANTINE_PATH") != "" {
		return false
	}
	config, err := r.config.Read(ctx)
	if err != nil || r.hasTransactionHook(config) {
		return false
	}
	info, err := os.Lstat(r.refPath(packedFile))
	if err == nil && !info.Mode().IsRegular() || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	for _, u := range updates {
		if !u.Old.IsZero() || u.New.IsZero() || u.Ref.PerWorktree() || r.keepsReflog(config, u.Ref) {
			return false
		}
	}
	var ids bytes.Buffer
	for _, u := range updates {
		ids.WriteString(u.New.String() + "\n")
	}
	kinds, err := r.at.Git.AsStored(ctx, ids.Bytes(), "cat-file", "--batch-check=%(objecttype)")
	return err == nil && strings.Count(string(kinds), string(plumbing.KindCommit)+"\n") == len(updates)
}

// packedWith is the content of packed-refs with new refs among the old ones.
func (r *Store) packedWith(updates []Update) ([]byte, error) {
	old, err := gitfile.ReadFile(r.refPath(packedFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	head, rest, found := bytes.Cut(old, []byte{'\n'})
	switch {
	case len(old) == 0:
		head = []byte(strings.TrimSuffix(packedHead, "\n"))
	case !found || !bytes.HasPrefix(head, []byte("# pack-refs with:")) || !slices.Contains(strings.Fields(string(head)), "sorted"):
		return nil, errLeaveToGit
	}
	updates = slices.Clone(updates)
	slices.SortFunc(updates, func(a, b Update) int { return strings.Compare(string(a.Ref), string(b.Ref)) })
	var out bytes.Buffer
	out.Grow(len(old) + 120*len(updates))
	out.Write(head)
	out.WriteByte('\n')
	for line := range bytes.Lines(rest) {
		if line[0] != '^' { // what was peeled stands behind its ref
			name, _, err := parsePacked(bytes.TrimSuffix(line, []byte{'\n'}))
			if err != nil {
				return nil, errLeaveToGit
			}
			for len(updates) > 0 && string(updates[0].Ref) < name {
				fmt.Fprintf(&out, "%s %s\n", updates[0].New, updates[0].Ref)
				updates = updates[1:]
			}
		}
		out.Write(line)
	}
	for _, u := range updates {
		fmt.Fprintf(&out, "%s %s\n", u.New, u.Ref)
	}
	return out.Bytes(), nil
}

// held are the locks of refs, in the hands of a git that waits.
type held struct {
	in  io.WriteCloser
	end func() error
}

// release lets the refs go, as they are.
func (h *held) release() {
	_, _ = io.WriteString(h.in, "abort\x00") // as does the end of its input
	_ = h.in.Close()
	_ = h.end() // it has nothing more to say
}

// holdNew makes git lock refs that must not exist.
func (r *Store) holdNew(ctx context.Context, updates []Update) (*held, error) {
	args := []string{"update-ref", "-z", "--stdin"}
	// It has to outlive a kill of ours by the moment in which it gives the
	// locks back.
	cmd := r.at.Git.Command(context.WithoutCancel(ctx), args...)
	cmd.Env = gitcmd.Environ(cmd.Env).With("LC_ALL=C")
	gitcmd.OwnGroup(cmd)
	var problems gitcmd.Tail
	cmd.Stderr = &problems
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, gitcmd.NotRun(err)
	}
	var script bytes.Buffer
	script.WriteString("start\x00")
	for _, u := range updates {
		fmt.Fprintf(&script, "option no-deref\x00create %s\x00%s\x00", u.Ref, u.New)
	}
	script.WriteString("prepare\x00")
	_, failed := in.Write(script.Bytes())
	answers := bufio.NewReader(out)
	for _, want := range []string{"start: ok\n", "prepare: ok\n"} {
		if failed != nil {
			break
		}
		var line string
		if line, failed = answers.ReadString('\n'); failed == nil && line != want {
			failed = fmt.Errorf("git update-ref: unexpected answer %.100q", line)
		}
	}
	if failed == nil {
		return &held{in: in, end: cmd.Wait}, nil
	}
	_ = in.Close()
	_ = cmd.Wait() // what it said tells more
	return nil, &gitcmd.CommandError{Args: args, Code: cmd.ProcessState.ExitCode(), Stderr: problems.String()}
}
