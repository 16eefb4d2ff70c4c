package ledger

import (
	"context"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// Void returns the commits of a record's history whose operations are left out of its
// fold (operation.Void). ErrShallow where a part of the history is not here.
func (l *Ledger) Void(ctx context.Context, tip gitstore.OID, rules operation.Rules) ([]Step, error) {
	c, err := l.commitGraph(ctx, tip)
	if err != nil {
		return nil, err
	}
	if c.cut[c.at[tip]] {
		return nil, errCut(c.cutAt(c.at[tip]))
	}
	r, g := newReader(l, c, unlimited()), newOperationGraph()
	var made []Step // as g.nodes
	for i := range c.commits {
		s, err := r.grow(ctx, g, i)
		if err != nil {
			return nil, err
		}
		if s.Op != nil {
			made = append(made, s)
		}
	}
	void, err := operation.Void(g.nodes, rules, nil)
	if err != nil {
		return nil, err
	}
	var all []Step
	for i, s := range made {
		if void[i] {
			all = append(all, s)
		}
	}
	return all, nil
}
