package trust

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// trustSeen, in the cache directory, has the hashes of what a list of what waits
// for trust showed to a person last, and whole, a line each. Without it nothing was shown.
const trustSeen = "trust-seen"

// NoteTrustSeen notes that a person was shown these contents whole, and no others:
// they are what TrustSeen trusts.
func (s *Trust) NoteTrustSeen(items []config.TrustItem) {
	if s.Clone.Caller.Agent() {
		return
	}
	var text strings.Builder
	for _, t := range items {
		if !t.Trusted {
			text.WriteString(t.Hash + "\n")
		}
	}
	_ = s.Clone.Repo.WriteCache(trustSeen, []byte(text.String())) // else they have to be named
}

// TrustSeen is Trust for all that waits and that the person was shown last. What
// was cut, and what came since, by a sync in the background or by what this very
// command took over from a fetch, nobody has looked at: it goes on waiting, and is
// unseen.
func (s *Trust) TrustSeen(ctx context.Context) (trusted, unseen []config.TrustItem, err error) {
	items, err := s.forPerson(ctx)
	if err != nil {
		return nil, nil, err
	}
	data, _ := gitfile.ReadFile(filepath.Join(s.Clone.Repo.CacheDir(), trustSeen))
	shown := strings.Fields(string(data))
	for _, t := range items {
		switch {
		case t.Trusted:
		case slices.Contains(shown, t.Hash):
			trusted = append(trusted, t)
		default:
			unseen = append(unseen, t)
		}
	}
	if len(trusted) == 0 {
		if len(unseen) > 0 {
			err = clone.Refuse("look at it with 'git brew trust list', and take what that cuts by its hash",
				"%s, and nothing of that was shown to you whole yet", WaitingForTrust(len(unseen)))
		}
		return nil, unseen, err
	}
	trusted, err = s.trust(ctx, trusted)
	return trusted, unseen, err
}
