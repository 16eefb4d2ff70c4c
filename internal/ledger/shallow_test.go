package ledger

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// back takes the words back that were added at a commit and since.
func (r *rig) back(on, commit gitstore.OID) gitstore.OID {
	r.T.Helper()
	return r.forge(on, func(op *operation.Operation) {
		op.Kind, op.Payload = opBack, json.RawMessage(`{"commit":"`+commit.String()+`"}`)
	})
}

// more adds a word.
func (r *rig) more(on gitstore.OID) gitstore.OID {
	r.T.Helper()
	return r.forge(on, func(op *operation.Operation) {
		op.Kind, op.Payload = opAdd, json.RawMessage(`{"word":"more"}`)
	})
}

// lying is a commit with a tree that says something else.
func (r *rig) lying(commit gitstore.OID) gitstore.OID {
	r.T.Helper()
	c, err := r.l.repo.Objects.Commit(r.T.Context(), commit)
	if err != nil {
		r.T.Fatal(err)
	}
	lines := r.lines(c.Tree, line{"100644", tallyFile, r.blob(`{"clock":9,"words":["mine"]}`)})
	if len(c.Parents) > 1 {
		lines = slices.DeleteFunc(lines, func(l line) bool { return l.name == opFile })
	}
	return r.rawCommit(r.rawTree(lines...), ada, "lie\n", c.Parents...)
}

// cutOff is shallow, without the objects that a clone beside it takes along.
func (r *rig) cutOff(ref gitstore.RefName) *rig {
	r.T.Helper()
	near := r.shallow(ref)
	near.Git("gc", "-q", "--prune=now")
	return near
}

// S-35: whatever part of the history an operation names that a shallow clone
// lacks, nothing that a stranger's tree says is believed for it, neither of that
// commit nor of those after it. What can be made of what is here is taken.
func TestAccept_S35_shallowBelievesNothing(t *testing.T) {
	far := newRig(t)
	before := far.add(refA, Stamp{}, words("one")...)
	last := far.add(refA, Stamp{}, words("two")...)
	absent := gitstore.HashBlob([]byte("absent"))
	for _, row := range []struct {
		name string
		make func(r *rig, base gitstore.OID) gitstore.OID
		want string // empty: it is taken
		deep string // the same, of a clone that has it all
	}{
		{"an invented commit", func(r *rig, base gitstore.OID) gitstore.OID {
			return r.lying(r.back(base, absent))
		}, "--unshallow", "nowhere in its history"},
		{"an invented commit, and no lie yet", func(r *rig, base gitstore.OID) gitstore.OID {
			return r.back(base, absent)
		}, "--unshallow", "nowhere in its history"},
		{"a commit that was brought along", func(r *rig, base gitstore.OID) gitstore.OID {
			return r.back(base, r.add(refB, Stamp{}, words("else", "two")...))
		}, "--unshallow", "nowhere in its history"},
		{"the last one that is here, and a lie", func(r *rig, base gitstore.OID) gitstore.OID {
			return r.lying(r.back(base, last))
		}, "--unshallow", "not what its operations make"},
		{"a lie behind it", func(r *rig, base gitstore.OID) gitstore.OID {
			return r.lying(r.more(r.back(r.add(refA, Stamp{}, words("x")...), base)))
		}, "not what its operations make", "not what its operations make"},
		{"a merge that lies", func(r *rig, base gitstore.OID) gitstore.OID {
			a := r.forge(base, func(*operation.Operation) {})
			r.branch(refB, base)
			m, _, err := r.merge(a, r.add(refB, Stamp{}, words("there")...))
			if err != nil {
				m = r.commit(a, a, r.tip(refB))
			}
			return r.lying(m)
		}, "--unshallow", "not what its operations make"},
		{"what is here", func(r *rig, base gitstore.OID) gitstore.OID {
			tip := r.add(refA, Stamp{}, words("three", "four")...)
			return r.back(tip, tip)
		}, "", ""},
		{"a lie behind what is here", func(r *rig, base gitstore.OID) gitstore.OID {
			tip := r.add(refA, Stamp{}, words("three", "four")...)
			return r.lying(r.more(r.back(tip, tip)))
		}, "not what its operations make", "not what its operations make"},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, clone := range []struct {
				r    *rig
				want string
			}{{far.cutOff(refA), row.want}, {rigOn(far.Clone()), row.deep}} {
				r := clone.r
				if r.tip(refA).IsZero() {
					r.Git("fetch", "-q", "file://"+far.Dir, string(refA)+":"+string(refA))
				}
				base := r.tip(refA)
				theirs := row.make(r, base)
				r.Unchecked() // such objects are here now
				err := r.accept(base, theirs)
				switch {
				case clone.want == "" && err == nil:
				case err == nil || clone.want == "" || !strings.Contains(err.Error(), clone.want):
					t.Errorf("%v, want %q", err, clone.want)
				case errors.Is(err, ErrShallow) != (clone.want == "--unshallow"):
					t.Errorf("%v: told as cut short: %v", err, errors.Is(err, ErrShallow))
				}
			}
		})
	}

	// What is honest, and can't be seen here, is taken once it can.
	near := far.cutOff(refA)
	for name, commit := range map[string]gitstore.OID{
		"one that is not here":           before,
		"one whose own past is not here": last,
	} {
		honest := far.back(last, commit)
		near.Git("fetch", "-q", "file://"+far.Dir, honest.String())
		if err := near.accept(last, honest); !errors.Is(err, ErrShallow) {
			t.Errorf("%s: %v", name, err)
		}
		deep := far.cutOff(refA)
		deep.Git("fetch", "-q", "--unshallow", "file://"+far.Dir, string(refA), honest.String())
		if err := deep.accept(last, honest); err != nil {
			t.Errorf("%s, deepened: %v", name, err)
		}
	}
	// A merge whose lines parted here is folded, and taken.
	far.branch(refB, last)
	here, there := far.add(refA, Stamp{}, words("here")...), far.add(refB, Stamp{}, words("there")...)
	m, _, err := far.merge(here, there)
	if err != nil {
		t.Fatal(err)
	}
	near.Git("fetch", "-q", "file://"+far.Dir, m.String())
	if err := near.accept(last, m); err != nil {
		t.Errorf("an honest merge: %v", err)
	}
}
