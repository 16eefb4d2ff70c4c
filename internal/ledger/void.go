package ledger

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// Void returns the commits of a record's history whose operations are left out of its
// fold (operation.Void). ErrShallow where a part of the history is not here.
func (l *Ledger) Void(ctx context.Context, tip gitstore.OID, rules operation.Rules) ([]Step, error) {
	steps, err := l.complete(ctx, tip)
	if err != nil {
		return nil, err
	}
	g := newOperationGraph()
	var made []Step                            // as g.nodes
	for _, s := range slices.Backward(steps) { // parents first
		if err := g.add(s); err != nil {
			return nil, err
		}
		if len(g.nodes) > len(made) {
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
