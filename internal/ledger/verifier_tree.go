package ledger

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// newer says why a tree that is not what its operations make here may be what
// they make elsewhere: it is in a newer format.
func (v *verifier[S]) newer(ctx context.Context, s Step) error {
	entries, err := v.l.repo.Tree(ctx, s.tree)
	if err != nil {
		return nil //nolint:nilerr // nothing excuses it
	}
	for _, e := range entries {
		if e.Mode != gitstore.ModeFile || !strings.HasSuffix(e.Name, ".json") || e.Name == opFile || !v.law.Needs(e.Name) {
			continue
		}
		data, err := v.l.repo.Blob(ctx, e.OID)
		if err != nil {
			return nil //nolint:nilerr // nothing excuses it
		}
		if err := newerFormat(data); err != nil {
			return fmt.Errorf("%s at %s: %w", e.Name, s.Commit.Short(), err)
		}
	}
	return nil
}

// stateAt is the state of a commit that was made before, or is believed.
func (v *verifier[S]) stateAt(ctx context.Context, commit gitstore.OID) (S, error) {
	if state, ok := v.states[commit]; ok {
		return state, nil
	}
	state, err := Load(ctx, v.l, v.law, commit)
	if err == nil {
		v.states[commit] = state
	}
	return state, err
}

// compare makes the tree of the state, with the commit's own op.json, and
// compares it with the commit's.
func (v *verifier[S]) compare(s Step, state S) error {
	files, err := v.files(state)
	if err != nil {
		return err
	}
	if s.Op != nil {
		files[opFile] = s.opBlob
	}
	want, err := v.l.repo.NewWriter().Files(files)
	if err != nil {
		return err
	}
	if s.tree != want {
		return &BrokenLawError{Commit: s.Commit, Why: "its tree is not what its operations make"}
	}
	return nil
}

// files are those of a state. Most are what they were before.
func (v *verifier[S]) files(state S) (map[string]gitstore.OID, error) {
	made, err := v.law.Encode(state)
	if err != nil {
		return nil, fmt.Errorf("encode the record: %w", err)
	}
	oids := make(map[string]gitstore.OID, len(made)+1)
	for path, f := range made {
		if f.Data == nil {
			if oids[path], err = gitstore.ParseOID(f.OID); err != nil {
				return nil, fmt.Errorf("encode %s: %w", path, err)
			}
			continue
		}
		last, known := v.hashed[path]
		if !known || !bytes.Equal(last.data, f.Data) {
			last = hashed{f.Data, gitstore.HashBlob(f.Data)}
			v.hashed[path] = last
		}
		oids[path] = last.oid
	}
	return oids, nil
}
