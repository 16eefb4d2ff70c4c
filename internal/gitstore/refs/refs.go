package refs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// List lists the refs whose names start with prefix ("refs/", "refs/heads/"),
// loose and packed, sorted by name. A ref that can't be resolved is in the
// list, with its Err; nothing is dropped.
func (r *Store) List(ctx context.Context, prefix string) ([]Ref, error) {
	found, err := r.list(ctx, prefix, listing{values: true})
	if err != nil {
		return nil, err
	}
	refs := make([]Ref, 0, len(found))
	for _, ref := range found {
		refs = append(refs, ref.Ref)
	}
	return refs, nil
}

// Names lists the names of the refs that Refs lists, in the same order, and
// looks at none of them: a name may be that of a ref which can't be read.
func (r *Store) Names(ctx context.Context, prefix string) ([]plumbing.RefName, error) {
	found, err := r.list(ctx, prefix, listing{})
	names := make([]plumbing.RefName, 0, len(found))
	for _, ref := range found {
		names = append(names, ref.Name)
	}
	return names, err
}

// ListAgain is Refs for who has read them before, and known what was found then,
// sorted by name: a file that is still what it was is not read again, which is
// most of what a list of thousands of loose refs costs.
func (r *Store) ListAgain(ctx context.Context, prefix string, known []SeenRef) ([]SeenRef, error) {
	return r.list(ctx, prefix, listing{values: true, seen: true, known: known})
}

// listing says what is wanted of refs beside their names.
type listing struct {
	values bool
	seen   bool // what their files look like
	known  []SeenRef
}

func (r *Store) list(ctx context.Context, prefix string, want listing) ([]SeenRef, error) {
	if !strings.HasPrefix(prefix, "refs/") {
		return nil, fmt.Errorf("list refs: prefix %.100q is not below refs/", prefix)
	}
	list := r.listFiles
	if r.at.Format.Reftable {
		list = r.listByGit
	}
	found, err := list(ctx, prefix, want)
	if err != nil {
		return nil, fmt.Errorf("list refs %q: %w", prefix, err)
	}
	for i := range found {
		if ref := &found[i]; ref.Symbolic != "" && ref.Err == nil && want.values {
			ref.OID, ref.Err = r.resolve(ctx, ref.Symbolic)
		}
	}
	return found, nil
}

func byName(a, b SeenRef) int { return strings.Compare(string(a.Name), string(b.Name)) }

// listFiles reads the loose refs first: pack-refs writes packed-refs before it
// removes a loose ref, so none is missed in between. Without values, loose refs
// have none.
func (r *Store) listFiles(_ context.Context, prefix string, want listing) ([]SeenRef, error) {
	names, err := r.looseNames(path.Dir(prefix+"x"), prefix, nil)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	loose := make([]SeenRef, len(names))
	if want.values {
		err = r.readLoose(names, loose, want)
	} else {
		for i, name := range names {
			loose[i].Name = name
		}
	}
	if err != nil {
		return nil, err
	}
	loose = slices.DeleteFunc(loose, func(ref SeenRef) bool { return ref.Name == "" })
	packed, err := r.openPacked()
	if err != nil {
		return nil, err
	}
	defer packed.close()
	all := slices.Clip(loose)
	err = packed.from(prefix, func(name plumbing.RefName, id plumbing.OID) bool {
		ref := SeenRef{Ref: Ref{Name: name, OID: id}}
		if _, isLoose := slices.BinarySearchFunc(loose, ref, byName); isLoose {
			return true
		}
		if fault := plumbing.RefNameFault(string(name)); fault != "" {
			ref = SeenRef{Ref: Ref{Name: name, Err: &plumbing.BrokenRefError{Ref: name, Reason: fault}}}
		}
		all = append(all, ref)
		return true
	})
	slices.SortStableFunc(all, byName)
	return slices.CompactFunc(all, func(a, b SeenRef) bool { return a.Name == b.Name }), err
}

// looseNames appends the names of the loose refs in one directory and those
// below it.
func (r *Store) looseNames(dir, prefix string, names []plumbing.RefName) ([]plumbing.RefName, error) {
	open, err := gitfile.OpenRegular(filepath.Dir(r.refPath(plumbing.RefName(dir + "/x"))))
	if errors.Is(err, fs.ErrNotExist) || gitfile.IsNotDir(err) {
		return names, nil
	}
	if err != nil {
		return nil, err
	}
	defer open.Close()
	entries, err := open.ReadDir(-1) // os.ReadDir would sort
	if err != nil && !gitfile.IsNotDir(err) {
		return nil, err
	}
	names = slices.Grow(names, len(entries))
	for _, entry := range entries {
		name := dir + "/" + entry.Name()
		if strings.HasSuffix(name, ".lock") {
			continue
		}
		isDirectory := entry.IsDir()
		if entry.Type()&fs.ModeSymlink != 0 {
			isDirectory = gitfile.IsDir(r.refPath(plumbing.RefName(name)))
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
			names = append(names, plumbing.RefName(name))
		}
	}
	return names, nil
}

// readLoose reads loose refs, sorted by name, that are not as they are known. One that
// is gone leaves an empty place.
func (r *Store) readLoose(names []plumbing.RefName, refs []SeenRef, want listing) error {
	known := want.known
	for i, name := range names {
		var seen gitfile.FileSeen
		if want.seen {
			seen = r.seen(name)
		}
		for len(known) > 0 && known[0].Name < name {
			known = known[1:]
		}
		if seen != (gitfile.FileSeen{}) && len(known) > 0 && known[0].Name == name && known[0].Seen == seen {
			refs[i] = known[0]
			continue
		}
		ref, err := r.looseRef(name)
		if err != nil {
			return err
		}
		if ref.Err != nil || ref.Symbolic != "" {
			seen = gitfile.FileSeen{} // another file decides, or a person mends it
		}
		refs[i] = SeenRef{Ref: ref, Seen: seen}
	}
	return nil
}

// looseRef reads one; without a name where it is gone.
func (r *Store) looseRef(name plumbing.RefName) (ref Ref, err error) {
	ref = Ref{Name: name}
	if fault := plumbing.RefNameFault(string(name)); fault != "" {
		ref.Err = &plumbing.BrokenRefError{Ref: name, Reason: fault}
		return ref, nil
	}
	ref.OID, ref.Symbolic, err = r.readOwnFile(name)
	var broken *plumbing.BrokenRefError
	switch {
	case errors.Is(err, plumbing.ErrNotExist):
		return Ref{}, nil // packed or deleted since the directory was read
	case errors.As(err, &broken):
		ref.Err = broken
	case err != nil:
		return Ref{}, fmt.Errorf("read ref %q: %w", name, err)
	}
	return ref, nil
}

func (r *Store) listByGit(ctx context.Context, prefix string, _ listing) ([]SeenRef, error) {
	out, err := r.at.Git.Run(ctx, "for-each-ref", "--format=%(objectname) %(symref) %(refname)", "--",
		path.Dir(prefix+"x")+"/")
	if err != nil {
		return nil, err
	}
	var found []SeenRef
	for line := range strings.Lines(string(out)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		if len(fields) != 3 || !strings.HasPrefix(fields[2], prefix) {
			continue
		}
		id, err := plumbing.ParseOID(fields[0])
		if err != nil {
			return nil, err
		}
		found = append(found, SeenRef{Ref: Ref{
			Name: plumbing.RefName(fields[2]), OID: id,
			Symbolic: plumbing.RefName(fields[1]),
		}})
	}
	slices.SortFunc(found, byName)
	return found, nil
}
