package gitstore

import (
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
	if o, known := r.warmed(id); known {
		return o.kind, int64(len(o.data)), nil
	}
	file, err := openRegular(r.loosePath(id))
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		k, _, size, err := r.ask(ctx, &r.checks, "--batch-check", id, 0)
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
	var revs strings.Builder
	for _, id := range from {
		revs.WriteString(id.String() + "\n")
	}
	for _, id := range without {
		revs.WriteString("^" + id.String() + "\n")
	}
	out, err := r.asStored(ctx, []byte(revs.String()), "rev-list", "--topo-order", "--parents", fmt.Sprintf("--max-count=%d", limit+1), "--stdin")
	if err != nil {
		return nil, fmt.Errorf("list commits: %w", err)
	}
	var list []Linked
	for line := range strings.Lines(string(out)) {
		var c Linked
		for i, field := range strings.Fields(line) {
			id, err := ParseOID(field)
			if err != nil {
				return nil, fmt.Errorf("list commits: %w", err)
			}
			if i == 0 {
				c.OID = id
			} else {
				c.Parents = append(c.Parents, id)
			}
		}
		list = append(list, c)
	}
	if len(list) > limit {
		return nil, fmt.Errorf("list commits: more than %d: %w", limit, ErrTooLarge)
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
	apart := make(map[OID]bool, len(commits))
	var revs strings.Builder
	for _, id := range commits {
		apart[id] = true
		revs.WriteString(id.String() + "\n")
	}
	for _, id := range from {
		revs.WriteString("^" + id.String() + "\n")
	}
	out, err := r.asStored(ctx, []byte(revs.String()), "rev-list", "--stdin")
	if err != nil {
		return nil, fmt.Errorf("list commits: %w", err)
	}
	some := map[OID]bool{}
	for line := range strings.Lines(string(out)) {
		id, err := ParseOID(strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("list commits: %w", err)
		}
		if apart[id] {
			some[id] = true
		}
	}
	return some, r.strike(ctx, some, from)
}

// strike takes out what is reachable from some commits all the same. Git looks
// for that by the times of commits, and stops early: where clocks went wrong it
// lists more than there is.
func (r *Repo) strike(ctx context.Context, apart map[OID]bool, from []OID) error {
	if len(apart) == 0 || len(from) == 0 {
		return nil
	}
	var revs strings.Builder
	for _, id := range from {
		revs.WriteString(id.String() + "\n")
	}
	out, err := r.asStored(ctx, []byte(revs.String()), "rev-list", "--stdin")
	if err != nil {
		return fmt.Errorf("list commits: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		id, err := ParseOID(strings.TrimSpace(line))
		if err != nil {
			return fmt.Errorf("list commits: %w", err)
		}
		delete(apart, id)
	}
	return nil
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
	out, err := r.asStored(ctx, nil, "rev-list", "--objects", "--no-object-names", "--end-of-options", from.String(), "--")
	if err != nil {
		return nil, fmt.Errorf("list objects: %w", err)
	}
	apart := make(map[OID]bool, len(blobs))
	for _, id := range blobs {
		apart[id] = true
	}
	for line := range strings.Lines(string(out)) {
		id, err := ParseOID(strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("list objects: %w", err)
		}
		delete(apart, id)
	}
	return apart, nil
}
