package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// height is the highest that the operations up to a commit say.
type height struct {
	clock, fence uint64
	law          int
}

func (h height) join(o height) height {
	return height{max(h.clock, o.clock), max(h.fence, o.fence), max(h.law, o.law)}
}

// heightAt is the height at a commit of ours, without its fence: that of its
// operation, for a merge the highest of those it joins. A clock is above every
// one before it, and a law not below.
func (l *Ledger) heightAt(ctx context.Context, commit gitstore.OID) (height, error) {
	var highest height
	seen := map[gitstore.OID]bool{}
	for left := []gitstore.OID{commit}; len(left) > 0; {
		at := left[len(left)-1]
		if left = left[:len(left)-1]; seen[at] {
			continue
		}
		seen[at] = true
		s, err := readStep(ctx, l.repo.Objects.UpTo(gitstore.MaxObjectSize), at)
		if err == nil {
			err = l.readOperation(ctx, &s)
		}
		switch {
		case err != nil:
			return height{}, err
		case s.Op != nil:
			highest = highest.join(height{clock: s.Op.Clock, law: s.Op.Law})
		default:
			left = append(left, s.Parents...)
		}
	}
	return highest, nil
}

// KnownLaw refuses a record some of whose operations were made under rules that are
// not known here (ErrUnknownLaw): what a fold of ours made of it would be a guess.
func (l *Ledger) KnownLaw(ctx context.Context, tip gitstore.OID) error {
	if tip.IsZero() {
		return nil
	}
	h, err := l.heightAt(ctx, tip)
	if err != nil || h.law <= operation.Law {
		return err
	}
	return fmt.Errorf("its operations have law %d, this git-brew knows %d: %w", h.law, operation.Law, ErrUnknownLaw)
}

// newerFormat says which newer format, by however little, the state in a tree has;
// nil for none.
func newerFormat(ctx context.Context, l *Ledger, tree gitstore.OID, needs func(path string) bool) error {
	entries, err := l.repo.Objects.Tree(ctx, tree)
	if err != nil {
		return nil //nolint:nilerr // nothing excuses it
	}
	for _, e := range entries {
		if e.Mode != gitstore.ModeFile || !strings.HasSuffix(e.Name, ".json") || e.Name == opFile || !needs(e.Name) {
			continue
		}
		var state struct {
			Schema string `json:"schema"`
		}
		data, err := l.repo.Objects.Blob(ctx, e.OID)
		if err != nil || json.Unmarshal(data, &state) != nil || !operation.NewerFormat(state.Schema) {
			continue // what is no state has no format
		}
		if err := operation.CheckFormat(state.Schema); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		return fmt.Errorf("%s: it has format %q, this git-brew writes %s: %w",
			e.Name, state.Schema, operation.Format, ErrUnknownLaw)
	}
	return nil
}
