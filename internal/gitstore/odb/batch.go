package odb

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// batch is a "git cat-file" child that answers one request after the other.
// It looks for new packs by itself, so it lives as long as the Repo. When this
// process dies, its input ends and so does it.
type batch struct {
	mu   sync.Mutex
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs gitcmd.Tail
	dead bool
	// withContent: the child prints the object after its header.
	withContent bool
	limit       int64 // of what is read, in bytes; 0: MaxObjectSize
	size        int64 // of the object that was answered last
}

// ask sends one request to the child in *slot, which is started when there is
// none, and once more when it turns out to have died of something else.
//
// An object of more than limit bytes is ErrTooLarge, unread.
func (r *Store) ask(ctx context.Context, slot **batch, id plumbing.OID,
	limit int64,
) (plumbing.Kind, []byte, int64, error) {
	if err := ctx.Err(); err != nil {
		return "", nil, 0, context.Cause(ctx)
	}
	for try := 0; ; try++ {
		child, fresh, err := r.child(ctx, slot)
		if err != nil {
			return "", nil, 0, err
		}
		k, data, size, err := child.request(ctx, id, limit)
		if err == nil || errors.Is(err, plumbing.ErrNotExist) {
			return k, data, size, err
		}
		r.drop(slot, child) // what it was about to say nobody wants
		if fresh || try > 0 || ctx.Err() != nil || errors.Is(err, plumbing.ErrTooLarge) {
			return "", nil, 0, err
		}
	}
}

func (r *Store) child(ctx context.Context, slot **batch) (child *batch, fresh bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if *slot != nil {
		return *slot, false, nil
	}
	b := &batch{withContent: slot == &r.contents}
	// The child outlives this request, but not what the request carries.
	if err := r.startBatch(context.WithoutCancel(ctx), b, nil); err != nil {
		return nil, false, err
	}
	*slot = b
	return b, true, nil
}

// startBatch starts the child, with all its questions where they are known.
func (r *Store) startBatch(ctx context.Context, b *batch, questions io.Reader, options ...string) error {
	mode := "--batch-check"
	if b.withContent {
		mode = "--batch"
	}
	b.cmd = r.at.Git.Command(ctx, append([]string{"cat-file", mode}, options...)...)
	b.cmd.Env = gitcmd.Environ(b.cmd.Env).With("LC_ALL=C", "GIT_NO_REPLACE_OBJECTS=1")
	b.cmd.Stdin, b.cmd.Stderr = questions, &b.errs
	var err error
	if questions == nil {
		b.in, err = b.cmd.StdinPipe()
	}
	out, oerr := b.cmd.StdoutPipe()
	if err := cmp.Or(err, oerr); err != nil {
		return fmt.Errorf("run git cat-file: %w", err)
	}
	b.out = bufio.NewReaderSize(out, 64<<10)
	if err := b.cmd.Start(); err != nil {
		return gitcmd.NotRun(err)
	}
	return nil
}

func (r *Store) drop(slot **batch, child *batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if *slot == child {
		*slot = nil
	}
	child.close()
}

// close ends the child, if there is one.
func (b *batch) close() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end()
}

func (b *batch) end() {
	if b.dead {
		return
	}
	b.dead = true
	_ = b.in.Close()
	_ = b.cmd.Process.Kill()
	_ = b.cmd.Wait() // it was killed: its status says nothing
}

func (b *batch) request(ctx context.Context, id plumbing.OID, limit int64) (plumbing.Kind, []byte, int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead {
		return "", nil, 0, errors.New("git cat-file has ended")
	}
	stop := context.AfterFunc(ctx, func() { _ = b.cmd.Process.Kill() })
	defer stop()
	k, data, err := b.exchange(id, limit)
	if err == nil || errors.Is(err, plumbing.ErrNotExist) {
		return k, data, b.size, err
	}
	b.end()
	if ctx.Err() != nil {
		return "", nil, 0, context.Cause(ctx)
	}
	if text := strings.TrimSpace(b.errs.String()); text != "" && !errors.Is(err, plumbing.ErrTooLarge) {
		if strings.Contains(text, "from promisor remote") {
			return "", nil, 0, fmt.Errorf("%s: %w", id, plumbing.ErrPromised)
		}
		return "", nil, 0, fmt.Errorf("git cat-file: %s", text)
	}
	return "", nil, 0, err
}

func (b *batch) exchange(id plumbing.OID, limit int64) (plumbing.Kind, []byte, error) {
	if _, err := io.WriteString(b.in, id.String()+"\n"); err != nil {
		return "", nil, fmt.Errorf("git cat-file: %w", err)
	}
	b.limit = limit
	return b.answer(id)
}

// answer reads what the child says to a question.
func (b *batch) answer(id plumbing.OID) (plumbing.Kind, []byte, error) {
	line, err := b.out.ReadString('\n')
	if err != nil {
		return "", nil, fmt.Errorf("git cat-file: %w", err)
	}
	fields := strings.Fields(line)
	if len(fields) == 2 && fields[1] == "missing" {
		return "", nil, plumbing.ErrNotExist
	}
	if len(fields) != 3 || fields[0] != id.String() {
		return "", nil, fmt.Errorf("git cat-file: unexpected answer %.100q", line)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return "", nil, fmt.Errorf("git cat-file: unexpected answer %.100q", line)
	}
	k := plumbing.Kind(fields[1])
	if b.size = size; !b.withContent {
		return k, nil, nil
	}
	if size > cmp.Or(b.limit, MaxObjectSize) {
		return "", nil, fmt.Errorf("%d bytes: %w", size, plumbing.ErrTooLarge)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(b.out, data); err != nil {
		return "", nil, fmt.Errorf("git cat-file: %w", err)
	}
	return k, data[:size:size], nil
}
