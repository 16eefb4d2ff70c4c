package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// bulk is how many objects one child is asked for: it bounds what is kept in
// between, not what can be read.
const bulk = 4000

// FileOfEach reads one file, by its name at the top of the tree, of many
// commits, in one pass: a process for thousands of them instead of a question
// for each. Visit gets the place in commits, in no order, and the content, or
// the error that Commit, Tree and Blob would have given; ErrNotExist where the
// tree has no such file. The error returned is that ctx has ended.
func (r *Repo) FileOfEach(ctx context.Context, commits []OID, name string, visit func(i int, data []byte, err error)) error {
	// From the commits to their trees, from these to the file.
	return r.eachBlob(ctx, commits, visit, treeOf, entryOf(name))
}

// FilesOfEach is FileOfEach for several files: those with the first name are
// visited before those with the second. Visit gets the places in commits and in
// names.
func (r *Repo) FilesOfEach(ctx context.Context, commits []OID, names []string, visit func(i, n int, data []byte, err error)) error {
	for at := range slices.Chunk(places(len(commits)), bulk) {
		found := make([][]OID, len(names))
		var have []int
		tops := make([]OID, len(at))
		for k, i := range at {
			tops[k] = commits[i]
		}
		err := r.eachObject(ctx, at, tops, func(i int, k kind, tree []byte, err error) {
			for n, name := range names {
				var id OID
				ferr := err
				if ferr == nil {
					if id, ferr = entryOf(name)(k, tree); ferr != nil && !errors.Is(ferr, ErrNotExist) {
						ferr = fmt.Errorf("read the tree of %s: %w", commits[i], ferr)
					}
				}
				if ferr != nil {
					visit(i, n, nil, ferr)
				}
				found[n] = append(found[n], id)
			}
			have = append(have, i)
		}, treeOf)
		if err != nil {
			return err
		}
		for n := range names {
			var ids []OID
			var of []int
			for k, id := range found[n] {
				if !id.IsZero() {
					ids, of = append(ids, id), append(of, have[k])
				}
			}
			err := r.eachObject(ctx, of, ids, func(i int, k kind, data []byte, err error) {
				if err == nil && k != kindBlob {
					err = fmt.Errorf("read blob: it is a %s, %w", k, ErrKind)
				}
				visit(i, n, data, err)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// FileOfEachTree is FileOfEach for trees.
func (r *Repo) FileOfEachTree(ctx context.Context, trees []OID, name string, visit func(i int, data []byte, err error)) error {
	return r.eachBlob(ctx, trees, visit, entryOf(name))
}

// eachBlob reads the blobs to which steps lead, each from one object to another.
func (r *Repo) eachBlob(ctx context.Context, from []OID, visit func(i int, data []byte, err error), steps ...func(kind, []byte) (OID, error)) error {
	for at := range slices.Chunk(places(len(from)), bulk) {
		ids := make([]OID, len(at))
		for n, i := range at {
			ids[n] = from[i]
		}
		err := r.eachObject(ctx, at, ids, func(i int, k kind, data []byte, err error) {
			if err == nil && k != kindBlob {
				err = fmt.Errorf("read blob: it is a %s, %w", k, ErrKind)
			}
			visit(i, data, err)
		}, steps...)
		if err != nil {
			return err
		}
	}
	return nil
}

// eachObject reads the objects to which steps lead from others, whose places are
// told.
func (r *Repo) eachObject(ctx context.Context, at []int, ids []OID, visit func(i int, k kind, data []byte, err error), steps ...func(kind, []byte) (OID, error)) error {
	for _, step := range steps {
		var found []int
		next := make([]OID, 0, len(ids))
		err := r.objects(ctx, ids, func(n int, k kind, data []byte, err error) {
			var id OID
			if err == nil {
				if id, err = step(k, data); err != nil && !errors.Is(err, ErrNotExist) && !errors.Is(err, ErrKind) {
					err = &CorruptError{OID: ids[n], Err: err}
				}
			}
			if err != nil {
				visit(at[n], k, nil, err)
				return
			}
			found, next = append(found, at[n]), append(next, id)
		})
		if err != nil {
			return err
		}
		at, ids = found, next
	}
	return r.objects(ctx, ids, func(n int, k kind, data []byte, err error) { visit(at[n], k, data, err) })
}

// places are the numbers below n.
func places(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// treeOf gives a commit's tree.
func treeOf(k kind, data []byte) (OID, error) {
	if k != kindCommit {
		return OID{}, fmt.Errorf("the object is a %s, %w", k, ErrKind)
	}
	c, err := decodeCommit(data)
	return c.Tree, err
}

// entryOf gives what a tree has under a name.
func entryOf(name string) func(kind, []byte) (OID, error) {
	return func(k kind, data []byte) (OID, error) {
		if k != kindTree {
			return OID{}, fmt.Errorf("the object is a %s, %w", k, ErrKind)
		}
		entries, err := decodeTree(data)
		if err != nil {
			return OID{}, err
		}
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name })
		if i < 0 {
			return OID{}, fmt.Errorf("no file %q: %w", name, ErrNotExist)
		}
		return entries[i].OID, nil
	}
}

// objects reads many objects and checks each against its id. Visit gets them in
// no order; its error is that of object. The error returned is that ctx has
// ended.
func (r *Repo) objects(ctx context.Context, ids []OID, visit func(n int, k kind, data []byte, err error)) error {
	var packed []int
	alone := func(n int) error {
		k, data, err := r.object(ctx, ids[n])
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		visit(n, k, data, err)
		return nil
	}
	for n, id := range ids {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		k, data, err := r.loose(id)
		switch {
		case err == nil:
			visit(n, k, data, nil)
		case errors.Is(err, fs.ErrNotExist):
			packed = append(packed, n)
		default: // there may be a sound copy in a pack
			if err := alone(n); err != nil {
				return err
			}
		}
	}
	for len(packed) > 0 {
		done, err := r.packedObjects(ctx, packed, ids, visit)
		if err != nil {
			return err
		}
		if packed = packed[done:]; len(packed) == 0 {
			break
		}
		// What the child could not give it may have died of.
		if err := alone(packed[0]); err != nil {
			return err
		}
		packed = packed[1:]
	}
	return nil
}

// packedObjects asks one child for the objects at these places of ids, and says
// how many it gave before one that it could not give. The child collects its
// answers, and ends by itself.
func (r *Repo) packedObjects(ctx context.Context, at []int, ids []OID, visit func(n int, k kind, data []byte, err error)) (done int, err error) {
	if len(at) == 1 {
		return 0, nil // not worth a process of its own
	}
	var questions bytes.Buffer
	for _, n := range at {
		questions.WriteString(ids[n].String() + "\n")
	}
	b := &batch{withContent: true}
	b.cmd = r.command(ctx, "cat-file", "--batch", "--buffer")
	b.cmd.Env = environ(b.cmd.Env).with("LC_ALL=C", "GIT_NO_REPLACE_OBJECTS=1")
	b.cmd.Stdin, b.cmd.Stderr = &questions, &b.errs
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return 0, fmt.Errorf("run git cat-file: %w", err)
	}
	b.out = bufio.NewReaderSize(out, 64<<10)
	if err := b.cmd.Start(); err != nil {
		return 0, notRun(err)
	}
	for _, n := range at {
		k, data, err := b.answer(ids[n])
		if errors.Is(err, ErrNotExist) {
			visit(n, "", nil, fmt.Errorf("object %s: %w", ids[n], err))
			done++
			continue
		}
		if err != nil || ctx.Err() != nil || hashObject(k, data) != ids[n] {
			break
		}
		visit(n, k, data, nil)
		done++
	}
	_ = b.cmd.Process.Kill() // it has ended, or what it still says is not wanted
	_ = b.cmd.Wait()
	if ctx.Err() != nil {
		return done, context.Cause(ctx)
	}
	return done, nil
}
