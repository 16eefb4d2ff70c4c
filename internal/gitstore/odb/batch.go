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

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// batch is a "git cat-file" child that answers one request after the other.
// It looks for new packs by itself, so it lives as long as the Store. When this
// process dies, its input ends and so does it.
type batch struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs gitcmd.Tail
}

// ask sends one request to the child, which is started when there is none, and once
// more when it turns out to have died of something else.
func (r *Store) ask(ctx context.Context, id plumbing.OID, limit int64) (o rawObject, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for first := true; ; first = false {
		if ctx.Err() != nil {
			return o, context.Cause(ctx)
		}
		fresh := r.child == nil
		if fresh {
			// The child outlives this request, but not what the request carries.
			if r.child, err = r.startBatch(context.WithoutCancel(ctx), nil); err != nil {
				return o, err
			}
		}
		o, err = r.child.request(ctx, id, limit)
		tooLarge := errors.Is(err, plumbing.ErrTooLarge)
		if err == nil || errors.Is(err, plumbing.ErrNotExist) || tooLarge && o.size <= MaxObjectSize {
			return o, err
		}
		r.child.end() // what it was about to say nobody wants
		r.child = nil
		if fresh || !first || ctx.Err() != nil || tooLarge {
			return o, err
		}
	}
}

// startBatch starts a child, with all its questions where they are known.
func (r *Store) startBatch(ctx context.Context, questions io.Reader, options ...string) (*batch, error) {
	b := &batch{cmd: r.at.Git.Command(ctx, append([]string{"cat-file", "--batch"}, options...)...)}
	b.cmd.Env = gitcmd.Environ(b.cmd.Env).With("LC_ALL=C", "GIT_NO_REPLACE_OBJECTS=1")
	b.cmd.Stdin, b.cmd.Stderr = questions, &b.errs
	var err error
	if questions == nil {
		b.in, err = b.cmd.StdinPipe()
	}
	out, oerr := b.cmd.StdoutPipe()
	if err := cmp.Or(err, oerr); err != nil {
		return nil, fmt.Errorf("run git cat-file: %w", err)
	}
	b.out = bufio.NewReaderSize(out, 64<<10)
	if err := b.cmd.Start(); err != nil {
		return nil, gitcmd.NotRun(err)
	}
	return b, nil
}

func (b *batch) end() {
	if b == nil {
		return
	}
	_ = b.cmd.Process.Kill() // it may have ended, or what it still says is not wanted
	_ = b.cmd.Wait()         // its status says nothing then
}

func (b *batch) request(ctx context.Context, id plumbing.OID, limit int64) (rawObject, error) {
	stop := context.AfterFunc(ctx, func() { _ = b.cmd.Process.Kill() })
	defer stop()
	_, err := io.WriteString(b.in, id.String()+"\n")
	var o rawObject
	if err == nil {
		o, err = b.answer(id, limit)
	}
	if err == nil || errors.Is(err, plumbing.ErrNotExist) || errors.Is(err, plumbing.ErrTooLarge) {
		return o, err
	}
	if ctx.Err() != nil {
		return o, context.Cause(ctx)
	}
	b.end() // all that it said is there then
	if text := strings.TrimSpace(b.errs.String()); text != "" {
		if strings.Contains(text, "from promisor remote") {
			return o, fmt.Errorf("%s: %w", id, plumbing.ErrPromised)
		}
		err = errors.New(text)
	}
	return o, fmt.Errorf("git cat-file: %w", err)
}

// answer reads what the child says to a question. Of an object of more than limit bytes,
// which is ErrTooLarge, the content is passed over, unless it is larger than any that is
// read: then the child is of no more use.
func (b *batch) answer(id plumbing.OID, limit int64) (o rawObject, err error) {
	line, err := b.out.ReadString('\n')
	if err != nil {
		return o, err
	}
	fields := strings.Fields(line)
	if len(fields) == 2 && fields[1] == "missing" {
		return o, plumbing.ErrNotExist
	}
	if len(fields) != 3 || fields[0] != id.String() {
		return o, fmt.Errorf("unexpected answer %.100q", line)
	}
	o.kind = plumbing.Kind(fields[1])
	if o.size, err = strconv.ParseInt(fields[2], 10, 64); err != nil || o.size < 0 {
		return o, fmt.Errorf("unexpected answer %.100q", line)
	}
	if o.size > MaxObjectSize {
		return o, tooLarge(o.size)
	}
	if o.size > limit {
		if _, err := b.out.Discard(int(o.size) + 1); err != nil {
			return o, err
		}
		return o, tooLarge(o.size)
	}
	data := make([]byte, o.size+1)
	_, err = io.ReadFull(b.out, data)
	o.data = data[:o.size:o.size]
	return o, err
}
