package ledger

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// OneRecord are the bounds of the one record at a ref, whose operations name no texts.
func OneRecord(ref gitstore.RefName) Bounds {
	return Bounds{
		Owns: func(of gitstore.RefName, _ operation.Operation) error {
			if of != ref {
				return fmt.Errorf("%.200q is not %s", string(of), ref)
			}
			return nil
		},
		Limit: func(string) int64 { return gitstore.MaxObjectSize },
		Texts: func(operation.Operation) []string { return nil },
	}
}
