package clone

import (
	"io"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Clone is this clone, seen from one work tree by one caller: its repository, its records and its own notebook.
type Clone struct {
	Repo   *gitstore.Repo
	Ledger *ledger.Ledger
	Now    func() time.Time
	Random io.Reader
	Caller Caller
	Open   func(dir string) (*gitstore.Repo, error)
	Asks   func(remote string) (done func())
	Waits  func(what string) (done func())
	// address is Options.Address.
	Address func(text, name string) string
	ID      string
	// program and version are as in Options.
	Program string
	Version func() string
}
