package ledger

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/operation"
)

// inspector looks at commits, parents before children, before anything is made of
// them. What it has seen once, or what our own history has, it does not look at again.
type inspector struct {
	l      *Ledger
	limits limits
	limit  func(path string) int64
	cut    bool // what is before may be missing
	reads  bool // all that files hold is read, too

	commit  gitstore.OID // that is looked at
	entries int          // of it that are new

	trees map[gitstore.OID]bool // that are sound wherever they stand
	blobs map[gitstore.OID]int64
	// stood are the blobs that stand in the trees of the commits, or in those
	// that these were made on and changed.
	stood map[gitstore.OID]bool
	// commits are the trees of those that were looked at, read what some trees hold.
	commits map[gitstore.OID]gitstore.OID
	read    map[gitstore.OID][]gitstore.Entry
}

func newInspector(l *Ledger, may limits, limit func(path string) int64) *inspector {
	return &inspector{
		l: l, limits: may, limit: limit, trees: map[gitstore.OID]bool{}, blobs: map[gitstore.OID]int64{},
		stood: map[gitstore.OID]bool{}, commits: map[gitstore.OID]gitstore.OID{}, read: map[gitstore.OID][]gitstore.Entry{},
	}
}

// together is how many commits are looked at before what they hold is read, in
// a few exchanges with git instead of some for each.
const together = 200

// maxRead bounds how many trees are kept at hand: most are compared with the
// one before.
const maxRead = 4 * together

// each looks at commits that a stranger made, and has then something more looked at.
func (in *inspector) each(ctx context.Context, steps []Step, more func(s *Step) error) error {
	for i := range steps {
		if i%together == 0 {
			in.expect(ctx, steps[i:min(i+together, len(steps))])
		}
		s := &steps[i]
		if why := commitFault(*s.made); why != "" {
			return &UnsoundError{Commit: s.Commit, Why: why}
		}
		if s.cut && !in.cut {
			return &UnsoundError{Commit: s.Commit, Err: ErrShallow}
		}
		s.made = nil // it may be long, and is not needed any more
		if err := in.walk(ctx, s); err != nil {
			return err
		}
		if err := more(s); err != nil {
			return err
		}
	}
	return nil
}

func (in *inspector) walk(ctx context.Context, s *Step) error {
	base, err := in.baseTree(ctx, s)
	if err != nil {
		return err
	}
	in.commits[s.Commit] = s.tree
	in.commit, in.entries = s.Commit, 0
	return Unsound(ctx, s.Commit, in.tree(ctx, s.tree, base, "", 0))
}

func (in *inspector) entriesOf(ctx context.Context, tree gitstore.OID) ([]gitstore.Entry, error) {
	if entries, known := in.read[tree]; known {
		return entries, nil
	}
	if len(in.read) >= maxRead {
		clear(in.read)
	}
	entries, err := in.l.repo.Objects.UpTo(in.limits.tree).Tree(ctx, tree)
	if err == nil {
		in.read[tree] = entries
	}
	return entries, err
}

// expect reads ahead what commits will be looked at for: their trees, then their
// operations.
func (in *inspector) expect(ctx context.Context, steps []Step) {
	var trees, ops []gitstore.OID
	for _, s := range steps {
		trees = append(trees, s.tree)
	}
	in.l.repo.Objects.Prefetch(ctx, in.limits.tree, trees...)
	for _, tree := range trees {
		entries, _ := in.entriesOf(ctx, tree) // why not is told when its turn comes
		for _, e := range entries {
			if e.Name == opFile && e.Mode == gitstore.ModeFile {
				ops = append(ops, e.OID)
			}
		}
	}
	in.l.repo.Objects.Prefetch(ctx, operation.MaxSize, ops...)
}

// baseTree is the tree that a commit's is compared with: that of its first
// parent, which was looked at before, or is ours.
func (in *inspector) baseTree(ctx context.Context, s *Step) (gitstore.OID, error) {
	if len(s.Parents) == 0 || s.cut {
		return gitstore.OID{}, nil
	}
	if tree, known := in.commits[s.Parents[0]]; known {
		return tree, nil
	}
	c, err := in.l.repo.Objects.Commit(ctx, s.Parents[0])
	if err != nil {
		return gitstore.OID{}, Unsound(ctx, s.Commit, fmt.Errorf("what it was made on: %w", err))
	}
	return c.Tree, nil
}

// lastTime is the first second that no commit is believed to have been made at.
// Clocks are off by years, but git, and a merge that copies a time, have an end.
const lastTime = 1 << 32 // in the year 2106

const maxName = 1024

func commitFault(c gitstore.Commit) string {
	for _, who := range []gitstore.Signature{c.Author, c.Committer} {
		switch {
		case who.When.Before(time.Unix(0, 0)) || who.When.Unix() >= lastTime:
			return "it has no time that git can keep"
		case strings.Trim(who.Name, ` .,:;<>"'\`) == "":
			return "nobody made it"
		case len(who.Name) > maxName || len(who.Email) > maxName:
			return "a name in it is too long"
		case !plainLine(who.Name) || !plainLine(who.Email):
			return "a name in it has control characters, or is not UTF-8"
		}
	}
	for line := range strings.SplitSeq(c.Message, "\n") {
		if !plainLine(strings.ReplaceAll(line, "\t", " ")) {
			return "its message has control characters, or is not UTF-8"
		}
	}
	return ""
}

func plainLine(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
}

func (in *inspector) fault(path, format string, args ...any) error {
	return &UnsoundError{Commit: in.commit, Path: path, Why: fmt.Sprintf(format, args...)}
}

// tree looks at a tree, but for what base has in the same place: that was
// looked at, or is ours.
func (in *inspector) tree(ctx context.Context, tree, base gitstore.OID, path string, depth int) error {
	if tree == base || depth > 0 && in.trees[tree] {
		return nil
	}
	if depth > in.limits.depth {
		return in.fault(path, "directories lie too deep")
	}
	entries, err := in.entriesOf(ctx, tree)
	if err != nil {
		return unsoundAt(ctx, in.commit, path, err)
	}
	have := map[string]gitstore.Entry{} // what stood there before
	if !base.IsZero() {
		before, err := in.entriesOf(ctx, base)
		if err != nil {
			return err
		}
		for _, e := range before {
			have[e.Name] = e
		}
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		if names[e.Name] {
			return in.fault(path+e.Name, "it is there twice")
		}
		names[e.Name] = true
		old := have[e.Name]
		if old == e {
			delete(have, e.Name)
			continue
		}
		if err := in.entry(ctx, e, old, path, depth); err != nil {
			return err
		}
	}
	for _, old := range have {
		in.stood[old.OID] = true
	}
	in.trees[tree] = true
	return nil
}

func (in *inspector) entry(ctx context.Context, e, old gitstore.Entry, dir string, depth int) error {
	path := dir + e.Name
	if in.entries++; in.entries > in.limits.entries {
		return in.fault(dir, "more than %d files and directories", in.limits.entries)
	}
	if err := plumbing.CheckPath(e.Name); err != nil || strings.Contains(e.Name, "/") {
		return in.fault(path, "no file may be called that")
	}
	switch e.Mode {
	case gitstore.ModeDir:
		var below gitstore.OID
		if old.Mode == gitstore.ModeDir {
			below = old.OID
		}
		return in.tree(ctx, e.OID, below, path+"/", depth+1)
	case gitstore.ModeFile:
		return in.blob(ctx, e.OID, path)
	default:
	}
	return in.fault(path, "its mode is %06o, and only files and directories are kept", uint32(e.Mode))
}

// blob looks at the size of a file, and takes nothing from its content.
func (in *inspector) blob(ctx context.Context, blob gitstore.OID, path string) error {
	size, known := in.blobs[blob]
	if !known {
		var err error
		if size, err = in.l.repo.Objects.BlobSize(ctx, blob); err == nil && in.reads {
			_, err = in.l.repo.Objects.Blob(ctx, blob)
		}
		if err != nil {
			return unsoundAt(ctx, in.commit, path, err)
		}
		in.blobs[blob] = size
	}
	in.stood[blob] = true
	most := in.limit(path)
	if most < 0 {
		return in.fault(path, "no such file belongs there")
	}
	if size > most {
		return in.fault(path, "%d bytes, at most %d", size, most)
	}
	return nil
}
