package refsync

import (
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Remote is where records are exchanged.
type Remote struct {
	// Name is what git's configuration calls it.
	Name string
	// Namespace is what the names of records begin with there: ledger.Prefix,
	// or what brew.sync.namespace says, with a slash at its end.
	Namespace string
}

// There is the name on the remote of a record's ref.
func (r Remote) There(ref gitstore.RefName) gitstore.RefName {
	return gitstore.RefName(r.Namespace + strings.TrimPrefix(string(ref), ledger.Prefix))
}

// Seen is the ref here that says what the remote had when it was last asked.
func (r Remote) Seen(ref gitstore.RefName) gitstore.RefName { return ledger.TrackingRef(r.Name, ref) }
