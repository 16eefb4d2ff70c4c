package workflow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Everything is every ref of git brew's in this clone, and what remotes may have
// beside that.
func (s *Service) Everything(ctx context.Context) (refs []gitstore.RefName, left []string, err error) {
	if refs, err = s.repo.RefNames(ctx, ledger.Prefix); err != nil {
		return nil, nil, err
	}
	refs = slices.DeleteFunc(refs, func(ref gitstore.RefName) bool {
		_, err := gitstore.ParseRefName(string(ref))
		return err != nil // git knows no such ref
	})
	config, err := s.repo.Config(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, remote := range remotes(config) {
		n := 0
		for _, ref := range refs {
			if strings.HasPrefix(string(ref), ledger.TrackingPrefix(remote)) {
				n++
			}
		}
		if n > 0 {
			left = append(left, fmt.Sprintf("%s had %d of them when it was asked last, and keeps them: 'git ls-remote %[1]s' shows them", remote, n))
		}
	}
	if ledger.NotesAliasHere(s.repo) {
		refs = append(refs, ledger.NotesAlias)
	}
	return refs, left, nil
}
