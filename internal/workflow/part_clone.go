package workflow

import (
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"io"
	"time"
)

// Clone is this clone, seen from one work tree by one caller: its repository, its records and its own notebook.
type Clone struct {
	Repo   *gitstore.Repo
	ledger *ledger.Ledger
	Now    func() time.Time
	random io.Reader
	caller Caller
	open   func(dir string) (*gitstore.Repo, error)
	asks   func(remote string) (done func())
	waits  func(what string) (done func())
	// address is Options.Address.
	address func(text, name string) string
	clone   string
	// program and version are as in Options.
	program string
	version func() string
}
