package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
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
	found, err := list(ctx, prefix)
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

// listFiles reads the loose refs first: pack-refs writes packed-refs before it
// removes a loose ref, so none is missed in between.
func (r *Repo) listFiles(_ context.Context, prefix string) (map[RefName]Ref, error) {
	found := map[RefName]Ref{}
	if err := r.looseRefs(path.Dir(prefix+"x"), prefix, found); err != nil {
		return nil, err
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

// looseRefs reads the loose refs in one directory and those below it.
func (r *Repo) looseRefs(dir, prefix string, found map[RefName]Ref) error {
	base := r.refPath(RefName(dir + "/x"))
	entries, err := os.ReadDir(filepath.Dir(base))
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return nil
	}
	if err != nil {
		return err
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
				if err := r.looseRefs(name, prefix, found); err != nil {
					return err
				}
			}
			continue
		}
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		ref, ok, err := r.looseRef(RefName(name))
		if err != nil {
			return err
		}
		if ok {
			found[ref.Name] = ref
		}
	}
	return nil
}

func (r *Repo) looseRef(name RefName) (ref Ref, ok bool, err error) {
	ref = Ref{Name: name}
	if fault := refNameFault(string(name)); fault != "" {
		ref.Err = &BrokenRefError{Ref: name, Reason: fault}
		return ref, true, nil
	}
	ref.OID, ref.Symbolic, err = r.readLoose(name)
	var broken *BrokenRefError
	switch {
	case errors.Is(err, ErrNotExist):
		return Ref{}, false, nil // packed or deleted since the directory was read
	case errors.As(err, &broken):
		ref.Err = broken
	case err != nil:
		return Ref{}, false, fmt.Errorf("read ref %q: %w", name, err)
	}
	return ref, true, nil
}

func (r *Repo) listByGit(ctx context.Context, prefix string) (map[RefName]Ref, error) {
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
