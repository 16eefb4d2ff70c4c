package gitstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

// Bounded reads objects as Repo does, up to a size: what is larger is
// ErrTooLarge, and its content is not read.
type Bounded struct {
	repo  *Repo
	limit int64
}

// UpTo reads objects of at most limit bytes, and never more than MaxObjectSize.
func (r *Repo) UpTo(limit int64) Bounded { return Bounded{r, min(limit, MaxObjectSize)} }

// Commit is Repo.Commit.
func (b Bounded) Commit(ctx context.Context, id OID) (Commit, error) {
	data, err := b.read(ctx, id, kindCommit)
	if err != nil {
		return Commit{}, err
	}
	c, err := decodeCommit(data)
	if err != nil {
		return Commit{}, fmt.Errorf("read commit: %w", &CorruptError{OID: id, Err: err})
	}
	return c, nil
}

// Tree lists a tree. Unlike Repo.Tree it takes no commit for one.
func (b Bounded) Tree(ctx context.Context, id OID) ([]Entry, error) {
	data, err := b.read(ctx, id, kindTree)
	if err != nil {
		return nil, err
	}
	entries, err := decodeTree(data)
	if err != nil {
		return nil, fmt.Errorf("read tree: %w", &CorruptError{OID: id, Err: err})
	}
	return entries, nil
}

// Blob is Repo.Blob.
func (b Bounded) Blob(ctx context.Context, id OID) ([]byte, error) { return b.read(ctx, id, kindBlob) }

func (b Bounded) read(ctx context.Context, id OID, want kind) ([]byte, error) {
	k, data, err := b.repo.objectUpTo(ctx, id, b.limit)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", want, err)
	}
	if k != want {
		return nil, fmt.Errorf("read %s: object %s is a %s, %w", want, id, k, ErrKind)
	}
	return data, nil
}

// BlobSize is how many bytes a blob has, its content unread and unchecked.
// ErrNotExist, ErrKind, *CorruptError.
func (r *Repo) BlobSize(ctx context.Context, id OID) (int64, error) {
	k, size, err := r.sizeOf(ctx, id)
	if err != nil {
		return 0, fmt.Errorf("look for object %s: %w", id, err)
	}
	if k != kindBlob {
		return 0, fmt.Errorf("object %s is a %s, %w", id, k, ErrKind)
	}
	return size, nil
}

func (r *Repo) sizeOf(ctx context.Context, id OID) (kind, int64, error) {
	if id.IsZero() {
		return "", 0, ErrNotExist
	}
	if o, known := r.prefetched.get(id); known {
		return o.kind, o.size, nil
	}
	file, err := openRegular(r.loosePath(id))
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		k, _, size, err := r.ask(ctx, &r.checks, id, 0)
		return k, size, err
	}
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	in, err := objfile.NewReader(file)
	if err != nil {
		return "", 0, &CorruptError{OID: id, Err: truncated(err)}
	}
	defer in.Close()
	k, size, err := looseHeader(in)
	if err != nil {
		return "", 0, &CorruptError{OID: id, Err: err}
	}
	return k, size, nil
}

// Boundary are the commits whose parents were left out of a shallow clone.
func (r *Repo) Boundary() (map[OID]bool, error) { return r.shallowCommits() }

// Linked is a commit, and those it was made on.
type Linked struct {
	OID     OID
	Parents []OID
}

// Commits lists what is reachable from some commits and not from others,
// parents before children: limit commits at most, else ErrTooLarge. At the
// boundary of a shallow clone a commit has no parents.
func (r *Repo) Commits(ctx context.Context, limit int, from, without []OID) ([]Linked, error) {
	lines, err := r.revList(ctx, from, without, "--topo-order", "--parents", fmt.Sprintf("--max-count=%d", limit+1))
	if err != nil {
		return nil, err
	}
	if len(lines) > limit {
		return nil, fmt.Errorf("list commits: more than %d: %w", limit, ErrTooLarge)
	}
	list := make([]Linked, len(lines))
	for i, line := range lines {
		list[i] = Linked{OID: line[0], Parents: line[1:]}
	}
	apart := make(map[OID]bool, len(list))
	for _, c := range list {
		apart[c.OID] = true
	}
	if err := r.strike(ctx, apart, without); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(c Linked) bool { return !apart[c.OID] })
	slices.Reverse(list)
	return list, nil
}

// Apart tells which of some commits are not reachable from others.
func (r *Repo) Apart(ctx context.Context, commits, from []OID) (map[OID]bool, error) {
	lines, err := r.revList(ctx, commits, from)
	if err != nil {
		return nil, err
	}
	asked := make(map[OID]bool, len(commits))
	for _, id := range commits {
		asked[id] = true
	}
	apart := map[OID]bool{}
	for _, line := range lines {
		if asked[line[0]] {
			apart[line[0]] = true
		}
	}
	return apart, r.strike(ctx, apart, from)
}

// strike takes out what is reachable from some commits all the same. Git looks
// for that by the times of commits, and stops early: where clocks went wrong it
// lists more than there is.
func (r *Repo) strike(ctx context.Context, apart map[OID]bool, from []OID) error {
	if len(apart) == 0 || len(from) == 0 {
		return nil
	}
	lines, err := r.revList(ctx, from, nil)
	for _, line := range lines {
		delete(apart, line[0])
	}
	return err
}

// revList asks git rev-list what is reachable from some commits and not from others: a
// commit, and what else the arguments ask for, a line. What it lists before an error is
// given, too.
func (r *Repo) revList(ctx context.Context, from, without []OID, args ...string) ([][]OID, error) {
	revs := bytes.NewBuffer(oidLines(from))
	for _, id := range without {
		if !id.IsZero() {
			revs.WriteString("^" + id.String() + "\n")
		}
	}
	out, err := r.asStored(ctx, revs.Bytes(), slices.Concat([]string{"rev-list"}, args, []string{"--stdin"})...)
	if err != nil {
		err = fmt.Errorf("list commits: %w", err)
	}
	var lines [][]OID
	for text := range strings.Lines(string(out)) {
		var line []OID
		for field := range strings.FieldsSeq(text) {
			id, perr := ParseOID(field)
			if perr != nil {
				return lines, cmp.Or(err, fmt.Errorf("list commits: %w", perr))
			}
			line = append(line, id)
		}
		lines = append(lines, line)
	}
	return lines, err
}

// asStored runs git on objects as they are stored, not as somebody's
// replacements have them.
func (r *Repo) asStored(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := r.command(ctx, args...)
	cmd.Env = environ(cmd.Env).with("LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1")
	return output(ctx, cmd, stdin, args)
}

// Unreached tells which of some blobs stand in no tree that a commit leads to.
func (r *Repo) Unreached(ctx context.Context, from OID, blobs []OID) (map[OID]bool, error) {
	lines, err := r.revList(ctx, []OID{from}, nil, "--objects", "--no-object-names")
	if err != nil {
		return nil, err
	}
	apart := make(map[OID]bool, len(blobs))
	for _, id := range blobs {
		apart[id] = true
	}
	for _, line := range lines {
		delete(apart, line[0])
	}
	return apart, nil
}
