package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxSymbolic is how far a chain of symbolic refs is followed, as in git.
const maxSymbolic = 5

// Ref is a ref and where it points to.
type Ref struct {
	Name RefName
	OID  OID
	// Symbolic is the ref that this one names, "" for an ordinary ref.
	Symbolic RefName
	// Err says why OID is zero: *BrokenRefError, or ErrNotExist for a
	// symbolic ref whose target is gone.
	Err error
}

// Ref resolves a ref, through symbolic refs. ErrNotExist: there is no such ref,
// or the one it names does not exist.
func (r *Repo) Ref(ctx context.Context, name RefName) (OID, error) {
	id, err := r.resolve(ctx, name)
	var broken *BrokenRefError
	if errors.As(err, &broken) {
		return OID{}, err // it names the ref
	}
	if err != nil {
		return OID{}, fmt.Errorf("read ref %q: %w", name, err)
	}
	return id, nil
}

func (r *Repo) resolve(ctx context.Context, name RefName) (OID, error) {
	for range maxSymbolic + 1 {
		id, target, err := r.readRef(ctx, name)
		if err != nil {
			return OID{}, err
		}
		if target == "" {
			return id, nil
		}
		name = target
	}
	return OID{}, &BrokenRefError{Ref: name, Reason: "symbolic refs without end"}
}

// SymbolicRef gives the ref that a symbolic ref names, which need not exist.
// ErrNotExist: there is no such ref, or it is not symbolic.
func (r *Repo) SymbolicRef(name RefName) (RefName, error) {
	_, target, err := r.readRef(context.Background(), name)
	if err == nil && target == "" {
		err = ErrNotExist
	}
	if err != nil {
		return "", fmt.Errorf("read symbolic ref %q: %w", name, err)
	}
	return target, nil
}

// readRef reads one ref without following it: an id, or a target.
func (r *Repo) readRef(ctx context.Context, name RefName) (OID, RefName, error) {
	if _, err := ParseRefName(string(name)); err != nil {
		return OID{}, "", err
	}
	if r.format.reftable {
		return r.askRef(ctx, name)
	}
	id, target, err := r.readLoose(name)
	if err == nil || !errors.Is(err, ErrNotExist) {
		return id, target, err
	}
	packed, err := r.openPacked()
	if err != nil {
		return OID{}, "", err
	}
	defer packed.close()
	id, err = packed.find(name)
	return id, "", err
}

// readLoose reads a ref's own file.
func (r *Repo) readLoose(name RefName) (OID, RefName, error) {
	path := r.refPath(name)
	data, err := ReadFile(path)
	switch {
	case err == nil:
		return parseRef(name, data)
	case isDirError(err), isNotDir(err):
		return OID{}, "", ErrNotExist
	case isNotRegular(err):
		return OID{}, "", &BrokenRefError{Ref: name, Reason: err.Error()}
	case errors.Is(err, fs.ErrNotExist):
		// core.preferSymlinkRefs: a link whose target is packed.
		if link, err := os.Readlink(path); err == nil && strings.HasPrefix(link, "refs/") {
			return OID{}, RefName(link), nil
		}
		return OID{}, "", ErrNotExist
	}
	return OID{}, "", err
}

func parseRef(name RefName, data []byte) (OID, RefName, error) {
	text := string(data)
	if target, ok := strings.CutPrefix(text, "ref:"); ok {
		full, err := ParseRefName(strings.TrimSpace(target))
		if err != nil {
			return OID{}, "", &BrokenRefError{Ref: name, Reason: err.Error()}
		}
		return OID{}, full, nil
	}
	if len(text) == 0 {
		return OID{}, "", &BrokenRefError{Ref: name, Reason: "its file is empty"}
	}
	if len(text) >= hexSize && (len(text) == hexSize || strings.ContainsRune(" \t\r\n", rune(text[hexSize]))) {
		if id, err := ParseOID(text[:hexSize]); err == nil && !id.IsZero() {
			return id, "", nil
		}
	}
	return OID{}, "", &BrokenRefError{Ref: name, Reason: fmt.Sprintf("its file holds %.60q", text)}
}

// refPath is where a loose ref of this name is, and where the packed ones are.
func (r *Repo) refPath(name RefName) string {
	base := r.commonDir
	if name.perWorktree() && name != packedFile {
		base = r.gitDir
	}
	return filepath.Join(base, filepath.FromSlash(string(name)))
}

// askRef reads one ref through git, for storages that only git can read.
func (r *Repo) askRef(ctx context.Context, name RefName) (OID, RefName, error) {
	out, err := r.Git(ctx, "symbolic-ref", "--quiet", string(name))
	if err == nil {
		target, err := ParseRefName(strings.TrimSpace(string(out)))
		return OID{}, target, err
	}
	if exitCode(err) != 1 {
		return OID{}, "", err
	}
	out, err = r.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", string(name))
	if exitCode(err) == 1 {
		return OID{}, "", ErrNotExist
	}
	if err != nil {
		return OID{}, "", err
	}
	id, err := ParseOID(strings.TrimSpace(string(out)))
	return id, "", err
}
