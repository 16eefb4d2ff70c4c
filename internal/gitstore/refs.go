package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Refs lists the refs whose names start with prefix ("refs/", "refs/heads/"),
// loose and packed, sorted by name. A ref that can't be resolved is in the
// list, with its Err; nothing is dropped.
func (r *Repo) Refs(ctx context.Context, prefix string) ([]Ref, error) {
	if !strings.HasPrefix(prefix, "refs/") {
		return nil, fmt.Errorf("list refs: prefix %.100q is not below refs/", prefix)
	}
	list := r.listFiles
	if r.format.reftable {
		list = r.listByGit
	}
	found, err := list(ctx, prefix, true)
	if err != nil {
		return nil, fmt.Errorf("list refs %q: %w", prefix, err)
	}
	refs := make([]Ref, 0, len(found))
	for _, ref := range found {
		if ref.Symbolic != "" && ref.Err == nil {
			ref.OID, ref.Err = r.resolve(ctx, ref.Symbolic)
		}
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, func(a, b Ref) int { return strings.Compare(string(a.Name), string(b.Name)) })
	return refs, nil
}

// RefNames lists the names of the refs that Refs lists, in the same order, and
// looks at none of them: a name may be that of a ref which can't be read.
func (r *Repo) RefNames(ctx context.Context, prefix string) ([]RefName, error) {
	if !strings.HasPrefix(prefix, "refs/") {
		return nil, fmt.Errorf("list refs: prefix %.100q is not below refs/", prefix)
	}
	list := r.listFiles
	if r.format.reftable {
		list = r.listByGit
	}
	found, err := list(ctx, prefix, false)
	if err != nil {
		return nil, fmt.Errorf("list refs %q: %w", prefix, err)
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// listFiles reads the loose refs first: pack-refs writes packed-refs before it
// removes a loose ref, so none is missed in between. Without values, loose refs
// have none.
func (r *Repo) listFiles(_ context.Context, prefix string, values bool) (map[RefName]Ref, error) {
	found := map[RefName]Ref{}
	loose, err := r.looseNames(path.Dir(prefix+"x"), prefix, nil)
	if err == nil && values {
		err = r.readAllLoose(loose, found)
	}
	if err != nil {
		return nil, err
	}
	if !values {
		for _, name := range loose {
			found[name] = Ref{Name: name}
		}
	}
	packed, err := r.openPacked()
	if err != nil {
		return nil, err
	}
	defer packed.close()
	err = packed.from(prefix, func(name RefName, id OID) bool {
		if !strings.HasPrefix(string(name), prefix) {
			return !packed.sorted
		}
		if _, ok := found[name]; ok {
			return true
		}
		ref := Ref{Name: name, OID: id}
		if fault := refNameFault(string(name)); fault != "" {
			ref = Ref{Name: name, Err: &BrokenRefError{Ref: name, Reason: fault}}
		}
		found[name] = ref
		return true
	})
	return found, err
}

// looseNames appends the names of the loose refs in one directory and those
// below it.
func (r *Repo) looseNames(dir, prefix string, names []RefName) ([]RefName, error) {
	base := r.refPath(RefName(dir + "/x"))
	entries, err := os.ReadDir(filepath.Dir(base))
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return names, nil
	}
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		name := dir + "/" + entry.Name()
		if strings.HasSuffix(name, ".lock") {
			continue
		}
		isDirectory := entry.IsDir()
		if entry.Type()&fs.ModeSymlink != 0 {
			isDirectory = isDir(r.refPath(RefName(name)))
		}
		if isDirectory {
			if below := name + "/"; strings.HasPrefix(below, prefix) || strings.HasPrefix(prefix, below) {
				if names, err = r.looseNames(name, prefix, names); err != nil {
					return nil, err
				}
			}
			continue
		}
		if strings.HasPrefix(name, prefix) {
			names = append(names, RefName(name))
		}
	}
	return names, nil
}

// looseShare is how many loose refs are worth a reader of their own.
const looseShare = 1000

// readAllLoose reads loose refs, many of them side by side: each costs system
// calls, and little else.
func (r *Repo) readAllLoose(names []RefName, found map[RefName]Ref) error {
	refs, errs := make([]Ref, len(names)), make([]error, len(names))
	size := max(looseShare, (len(names)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var readers sync.WaitGroup
	for at := 0; at < len(names); at += size {
		read := func() {
			for i := at; i < min(at+size, len(names)); i++ {
				refs[i], errs[i] = r.looseRef(names[i])
			}
		}
		if len(names) <= size {
			read()
			break
		}
		readers.Go(read)
	}
	readers.Wait()
	for i, ref := range refs {
		if errs[i] != nil {
			return errs[i]
		}
		if ref.Name != "" {
			found[ref.Name] = ref
		}
	}
	return nil
}

// looseRef reads one; without a name where it is gone.
func (r *Repo) looseRef(name RefName) (ref Ref, err error) {
	ref = Ref{Name: name}
	if fault := refNameFault(string(name)); fault != "" {
		ref.Err = &BrokenRefError{Ref: name, Reason: fault}
		return ref, nil
	}
	ref.OID, ref.Symbolic, err = r.readLoose(name)
	var broken *BrokenRefError
	switch {
	case errors.Is(err, ErrNotExist):
		return Ref{}, nil // packed or deleted since the directory was read
	case errors.As(err, &broken):
		ref.Err = broken
	case err != nil:
		return Ref{}, fmt.Errorf("read ref %q: %w", name, err)
	}
	return ref, nil
}

func (r *Repo) listByGit(ctx context.Context, prefix string, _ bool) (map[RefName]Ref, error) {
	out, err := r.Git(ctx, "for-each-ref", "--format=%(objectname) %(symref) %(refname)", "--", path.Dir(prefix+"x")+"/")
	if err != nil {
		return nil, err
	}
	found := map[RefName]Ref{}
	for line := range strings.Lines(string(out)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		if len(fields) != 3 || !strings.HasPrefix(fields[2], prefix) {
			continue
		}
		id, err := ParseOID(fields[0])
		if err != nil {
			return nil, err
		}
		name := RefName(fields[2])
		found[name] = Ref{Name: name, OID: id, Symbolic: RefName(fields[1])}
	}
	return found, nil
}
