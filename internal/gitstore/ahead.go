package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/beside"
)

// Ahead reads objects as Bounded does, and many of them before they are asked
// for: one exchange with git where each would have its own. It is for one
// goroutine.
type Ahead struct {
	repo    *Repo
	objects map[OID]rawObject
	sizes   map[OID]sizedObject
}

type sizedObject struct {
	kind kind
	size int64
}

// Ahead returns a reader that has nothing read yet.
func (r *Repo) Ahead() *Ahead {
	return &Ahead{repo: r, objects: map[OID]rawObject{}, sizes: map[OID]sizedObject{}}
}

// aheadBytes bounds what is kept of objects that were read ahead.
const aheadBytes = 16 << 20

// Read reads objects of at most limit bytes, in place of those that were read
// ahead before. It is a convenience: what can't be read fails when it is asked
// for.
func (a *Ahead) Read(ctx context.Context, limit int64, ids ...OID) {
	clear(a.objects)
	kept := 0
	a.repo.askMany(ctx, &a.repo.contents, "--batch", ids, limit, func(id OID, k kind, data []byte, _ int64) {
		if kept += len(data); kept <= aheadBytes && hashObject(k, data) == id {
			a.objects[id] = rawObject{kind: k, data: data}
		}
	})
}

// Measure finds the sizes of blobs, in place of those that were found before.
func (a *Ahead) Measure(ctx context.Context, ids ...OID) {
	clear(a.sizes)
	a.repo.askMany(ctx, &a.repo.checks, "--batch-check", ids, 0, func(id OID, k kind, _ []byte, size int64) {
		a.sizes[id] = sizedObject{k, size}
	})
}

// Tree is Bounded.Tree.
func (a *Ahead) Tree(ctx context.Context, id OID, limit int64) ([]Entry, error) {
	if o, known := a.objects[id]; known && o.kind == kindTree && int64(len(o.data)) <= limit {
		if entries, err := decodeTree(o.data); err == nil {
			return entries, nil
		}
	}
	return a.repo.UpTo(limit).Tree(ctx, id)
}

// Blob is Bounded.Blob.
func (a *Ahead) Blob(ctx context.Context, id OID, limit int64) ([]byte, error) {
	if o, known := a.objects[id]; known && o.kind == kindBlob && int64(len(o.data)) <= limit {
		return o.data, nil
	}
	return a.repo.UpTo(limit).Blob(ctx, id)
}

// BlobSize is Repo.BlobSize.
func (a *Ahead) BlobSize(ctx context.Context, id OID) (int64, error) {
	if o, known := a.sizes[id]; known && o.kind == kindBlob {
		return o.size, nil
	}
	return a.repo.BlobSize(ctx, id)
}

// askMany asks the child in *slot for several objects at once, and visits those
// that it has, up to the first that it can't give.
func (r *Repo) askMany(ctx context.Context, slot **batch, mode string, ids []OID, limit int64, visit func(id OID, k kind, data []byte, size int64)) {
	cold := make([]OID, 0, len(ids))
	for _, id := range ids {
		if _, known := r.warmed(id); !known {
			cold = append(cold, id)
		}
	}
	if ids = cold; len(ids) < 2 || ctx.Err() != nil {
		return // one is as quick when it is asked for
	}
	child, _, err := r.child(ctx, slot, mode)
	if err != nil {
		return
	}
	if err := child.requestMany(ctx, ids, limit, visit); err != nil {
		r.drop(slot, child) // what it was about to say nobody wants
	}
}

// requestMany writes the questions while it reads the answers: neither side waits for
// the other, however small the pipes between them are.
func (b *batch) requestMany(ctx context.Context, ids []OID, limit int64, visit func(id OID, k kind, data []byte, size int64)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead {
		return errors.New("git cat-file has ended")
	}
	stop := context.AfterFunc(ctx, func() { _ = b.cmd.Process.Kill() })
	defer stop()
	var questions bytes.Buffer
	for _, id := range ids {
		questions.WriteString(id.String() + "\n")
	}
	var asking beside.Group
	asking.Go(func() error {
		_, err := b.in.Write(questions.Bytes())
		return err
	})
	err := b.answers(ids, limit, visit)
	if err != nil {
		b.end() // who asks would wait for good
	}
	if asked := asking.Wait(); err == nil && asked != nil {
		err = fmt.Errorf("git cat-file: %w", asked)
	}
	return err
}

func (b *batch) answers(ids []OID, limit int64, visit func(id OID, k kind, data []byte, size int64)) error {
	b.limit = limit
	for _, id := range ids {
		k, data, err := b.answer(id)
		if errors.Is(err, ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		visit(id, k, data, b.size)
	}
	return nil
}
