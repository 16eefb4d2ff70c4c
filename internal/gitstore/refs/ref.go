package refs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/safego"
)

// maxSymbolic is how far a chain of symbolic refs is followed, as in git.
const maxSymbolic = 5

// Ref is a ref and where it points to.
type Ref struct {
	Name plumbing.RefName
	OID  plumbing.OID
	// Symbolic is the ref that this one names, "" for an ordinary ref.
	Symbolic plumbing.RefName
	// Err says why OID is zero: *BrokenRefError, or ErrNotExist for a
	// symbolic ref whose target is gone.
	Err error
}

// Get resolves a ref, through symbolic refs. ErrNotExist: there is no such ref,
// or the one it names does not exist.
func (r *Store) Get(ctx context.Context, name plumbing.RefName) (plumbing.OID, error) {
	id, err := r.resolve(ctx, name)
	if _, ok := errors.AsType[*plumbing.BrokenRefError](err); ok {
		return plumbing.OID{}, err // it names the ref
	}
	if err != nil {
		return plumbing.OID{}, fmt.Errorf("read ref %q: %w", name, err)
	}
	return id, nil
}

func (r *Store) resolve(ctx context.Context, name plumbing.RefName) (plumbing.OID, error) {
	for range maxSymbolic + 1 {
		id, target, err := r.readRef(ctx, name)
		if err != nil {
			return plumbing.OID{}, err
		}
		if target == "" {
			return id, nil
		}
		name = target
	}
	return plumbing.OID{}, &plumbing.BrokenRefError{Ref: name, Reason: "symbolic refs without end"}
}

// Symbolic gives the ref that a symbolic ref names, which need not exist.
// ErrNotExist: there is no such ref, or it is not symbolic.
func (r *Store) Symbolic(name plumbing.RefName) (plumbing.RefName, error) {
	_, target, err := r.readRef(context.Background(), name)
	if err == nil && target == "" {
		err = plumbing.ErrNotExist
	}
	if err != nil {
		return "", fmt.Errorf("read symbolic ref %q: %w", name, err)
	}
	return target, nil
}

// readRef reads one ref without following it: an id, or a target.
func (r *Store) readRef(ctx context.Context, name plumbing.RefName) (plumbing.OID, plumbing.RefName, error) {
	if _, err := plumbing.ParseRefName(string(name)); err != nil {
		return plumbing.OID{}, "", err
	}
	if r.at.Format.Reftable {
		return r.askRef(ctx, name)
	}
	id, target, err := r.readOwnFile(name)
	if err == nil || !errors.Is(err, plumbing.ErrNotExist) {
		return id, target, err
	}
	packed, err := r.openPacked()
	if err != nil {
		return plumbing.OID{}, "", err
	}
	defer packed.close()
	id, err = packed.find(name)
	return id, "", err
}

func (r *Store) readOwnFile(name plumbing.RefName) (plumbing.OID, plumbing.RefName, error) {
	path := r.refPath(name)
	data, err := gitfile.ReadFile(path)
	switch {
	case err == nil:
		return parseRef(name, data)
	case gitfile.IsDirError(err), gitfile.IsNotDir(err):
		return plumbing.OID{}, "", plumbing.ErrNotExist
	case errors.Is(err, fs.ErrNotExist):
		// core.preferSymlinkRefs: a link whose target is packed.
		if link, err := os.Readlink(path); err == nil && strings.HasPrefix(link, "refs/") {
			return plumbing.OID{}, plumbing.RefName(link), nil
		}
		return plumbing.OID{}, "", plumbing.ErrNotExist
	}
	if _, odd := errors.AsType[*gitfile.NotRegularError](err); odd {
		err = &plumbing.BrokenRefError{Ref: name, Reason: err.Error()}
	}
	return plumbing.OID{}, "", err
}

func parseRef(name plumbing.RefName, data []byte) (plumbing.OID, plumbing.RefName, error) {
	text := string(data)
	if target, ok := strings.CutPrefix(text, "ref:"); ok {
		full, err := plumbing.ParseRefName(strings.TrimSpace(target))
		if err != nil {
			return plumbing.OID{}, "", &plumbing.BrokenRefError{Ref: name, Reason: err.Error()}
		}
		return plumbing.OID{}, full, nil
	}
	if len(text) == 0 {
		return plumbing.OID{}, "", &plumbing.BrokenRefError{Ref: name, Reason: "its file is empty"}
	}
	if len(text) >= plumbing.HexSize && (len(text) == plumbing.HexSize ||
		strings.ContainsRune(" \t\r\n", rune(text[plumbing.HexSize]))) {
		if id, err := plumbing.ParseOID(text[:plumbing.HexSize]); err == nil && !id.IsZero() {
			return id, "", nil
		}
	}
	return plumbing.OID{}, "", &plumbing.BrokenRefError{Ref: name, Reason: fmt.Sprintf("its file holds %.60q", text)}
}

func (r *Store) refPath(name plumbing.RefName) string {
	base := r.at.CommonDir
	if name.PerWorktree() {
		base = r.at.GitDir
	}
	return filepath.Join(base, filepath.FromSlash(string(name)))
}

// askRef reads one ref through git, for storages that only git can read.
func (r *Store) askRef(ctx context.Context, name plumbing.RefName) (plumbing.OID, plumbing.RefName, error) {
	out, err := r.at.Git.Run(ctx, "symbolic-ref", "--quiet", string(name))
	if err == nil {
		target, err := plumbing.ParseRefName(strings.TrimSpace(string(out)))
		return plumbing.OID{}, target, err
	}
	if gitcmd.ExitCode(err) != 1 {
		return plumbing.OID{}, "", err
	}
	out, err = r.at.Git.Run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", string(name))
	if gitcmd.ExitCode(err) == 1 {
		return plumbing.OID{}, "", plumbing.ErrNotExist
	}
	if err != nil {
		return plumbing.OID{}, "", err
	}
	id, err := plumbing.ParseOID(strings.TrimSpace(string(out)))
	return id, "", err
}

// SeenRef is a ref, and what its own file looked like before it was read.
type SeenRef struct {
	Ref
	Seen gitfile.FileSeen
}

// Unchanged looks at the files of refs, sorted by name, and reads none. It does so on
// a goroutine of its own: what it returns waits, and reports whether all of them are
// still what they were.
func (r *Store) Unchanged(refs []SeenRef) func() bool {
	var looking safego.Group
	looking.Go(func() error {
		if slices.ContainsFunc(refs, func(ref SeenRef) bool { return r.seen(ref.Name) != ref.Seen }) {
			return plumbing.ErrRefMoved
		}
		return nil
	})
	return func() bool { return looking.Wait() == nil }
}

// seen looks at a ref's file, without reading it. Where the system keeps no ctime, the
// time and the size of the content have to do.
func (r *Store) seen(ref plumbing.RefName) gitfile.FileSeen {
	info, err := os.Lstat(r.refPath(ref))
	if err != nil || !info.Mode().IsRegular() {
		return gitfile.FileSeen{}
	}
	s := gitfile.StampOf(info)
	if s.Ctime == 0 {
		return gitfile.FileSeen{Changed: s.Mtime, Inode: uint64(s.Size)}
	}
	return gitfile.FileSeen{Changed: s.Ctime, Inode: s.Inode}
}

// Head is what is checked out in a work tree.
type Head struct {
	// Branch is the short name of the branch; "" when HEAD is detached.
	Branch string
	// OID is zero while the branch has no commit yet.
	OID plumbing.OID
	// Rebasing is the short name of the branch that a rebase in progress
	// will move, "" when there is none.
	Rebasing string
}

// Head reads this work tree's HEAD. It starts no process, except for a
// storage that only git can read.
func (r *Store) Head(ctx context.Context) (Head, error) {
	id, target, err := r.readRef(ctx, "HEAD")
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	head := Head{OID: id, Branch: target.Branch()}
	if target != "" {
		head.OID, err = r.resolve(ctx, target)
		if err != nil && !errors.Is(err, plumbing.ErrNotExist) {
			return Head{}, fmt.Errorf("read HEAD: %w", err)
		}
	}
	head.Rebasing, err = rebasing(r.at.GitDir)
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	return head, nil
}

func rebasing(gitDir string) (string, error) {
	for _, dir := range []string{"rebase-merge", "rebase-apply"} {
		data, err := gitfile.ReadFile(filepath.Join(gitDir, dir, "head-name"))
		if errors.Is(err, fs.ErrNotExist) || gitfile.IsNotDir(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		// A rebase of a detached HEAD says so in words.
		return plumbing.RefName(strings.TrimSpace(string(data))).Branch(), nil
	}
	return "", nil
}
