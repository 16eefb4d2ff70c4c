package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// Elsewhere is state that a remote has, of a repository that has none here.
type Elsewhere struct {
	Remote string `json:"-"`
	refsync.Found
	// Under is the namespace of that, where it is not the one that this clone uses.
	Under string `json:"under"`
}

// First is the command without which a sync would not bring it: it stands under
// another namespace there. "": none is needed.
func (e Elsewhere) First() string {
	if e.Under == "" {
		return ""
	}
	return NamespaceCommand(e.Under)
}

// askPatience is how long a remote may take to say what it has, and askAgain how long
// it is not asked again where it said that there is nothing, or said nothing. That there
// is something holds as long as there is nothing here.
const (
	askPatience = 3 * time.Second
	askAgain    = time.Hour
)

// Elsewhere looks, in a clone that has no state of git brew at all, whether the
// remote that it would be shared with has some. It asks the remote once, for at
// most some seconds, and keeps the answer. It asks nobody who wants no advice.
func (s *Exchange) Elsewhere(ctx context.Context) (Elsewhere, bool) {
	if here, err := s.anythingHere(ctx); err != nil || here {
		return Elsewhere{}, false
	}
	set, err := s.Config.Settings(ctx)
	if err != nil || !set.Bool(config.KeyAdvice) {
		return Elsewhere{}, false
	}
	remote, err := s.Config.RemoteFor(ctx, "")
	if err != nil {
		return Elsewhere{}, false
	}
	config, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return Elsewhere{}, false
	}
	url, _ := config.Get("remote." + remote.Name + ".url")
	sum := sha256.Sum256([]byte(url + " " + remote.Namespace)) // a URL may hold a password
	place := hex.EncodeToString(sum[:8])
	var a answer
	if data, err := gitfile.ReadFile(s.Clone.SyncFile(answerFile)); err == nil {
		_ = json.Unmarshal(data, &a) // else it is asked again
	}
	age := s.Clone.Now().Sub(a.At)
	if a.Of != place || age < 0 || age >= askAgain && !a.Any() {
		a = s.ask(ctx, remote)
		a.Of = place
		if data, err := json.Marshal(a); err == nil && ctx.Err() == nil {
			_ = s.Clone.Repo.WriteCache(answerFile, append(data, '\n'))
		}
	}
	a.Remote = remote.Name
	return a.Elsewhere, a.Any()
}

// ask asks a remote what it has; it asks the person for nothing.
func (s *Exchange) ask(ctx context.Context, remote refsync.Remote) answer {
	silent := s.Clone.Repo.Silent(ctx)
	defer func() { _ = silent.Close() }()
	found, _ := refsync.Ask(ctx, silent, remote, isTask, askPatience) // where that fails, it is asked again later
	a := answer{At: s.Clone.Now()}
	a.Found = found[string(remote.There(ledger.Prefix))]
	if a.Any() {
		return a
	}
	maps.DeleteFunc(found, func(_ string, f refsync.Found) bool { return !f.Any() })
	if len(found) > 0 {
		a.Under = slices.Min(slices.Collect(maps.Keys(found)))
		a.Found = found[a.Under]
	}
	return a
}

// anythingHere tells whether there is shared state, or a remote's, in this clone.
func (s *Exchange) anythingHere(ctx context.Context) (bool, error) {
	for _, below := range []string{string(ledger.TaskRef("")), strings.TrimSuffix(ledger.TrackingPrefix(""), "/")} {
		if here, err := s.Clone.Repo.Refs.Any(ctx, below); err != nil || here {
			return here, err
		}
	}
	for _, ref := range []gitstore.RefName{ledger.ArchiveRef, ledger.KnowledgeRef, ledger.ConfigRef} {
		if tip, err := s.Clone.Ledger.Tip(ctx, ref); err != nil || !tip.IsZero() {
			return true, err
		}
	}
	return false, nil
}

const answerFile = "elsewhere"

// answer is what a remote said last that it has, as it is kept.
type answer struct {
	Of string    `json:"of"` // a hash of the URL and the namespace
	At time.Time `json:"at"`
	Elsewhere
}
