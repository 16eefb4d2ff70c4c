package ledger

import (
	"encoding/json"
	"fmt"

	"github.com/git-brew/git-brew/internal/operation"
)

// newerFormat is the error for a state's file in a format that is newer than
// ours, by however little: nil where it is not.
func newerFormat(file []byte) error {
	var state struct {
		Schema string `json:"schema"`
	}
	_ = json.Unmarshal(file, &state) // what is no state has no format
	if !operation.NewerFormat(state.Schema) {
		return nil
	}
	if err := operation.CheckFormat(state.Schema); err != nil {
		return err
	}
	return fmt.Errorf("it has format %q, this git-brew writes %s: %w", state.Schema, operation.Format, ErrUnknownLaw)
}
