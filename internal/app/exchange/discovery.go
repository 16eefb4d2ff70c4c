package exchange

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strconv"
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
	Remote string
	refsync.Found
}

// First is the command without which a sync would not bring it: it stands under
// another namespace there. "": none is needed.
func (e Elsewhere) First() string {
	if e.Under == "" {
		return ""
	}
	return NamespaceCommand(e.Under)
}

// askPatience is how long a remote may take to say what it has. How long its
// answer holds: while there is something, as long as there is nothing here.
const (
	askPatience   = 3 * time.Second
	askAgain      = 24 * time.Hour
	askUnanswered = time.Hour
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
	a := s.recallAnswer(url + " " + remote.Namespace)
	if !a.holds(s.Clone.Now()) {
		a.Found, err = refsync.Ask(ctx, s.Clone.Repo, remote, isTask, askPatience)
		a.at, a.failed = s.Clone.Now(), err != nil
		if ctx.Err() == nil {
			s.keepAnswer(a)
		}
	}
	return Elsewhere{remote.Name, a.Found}, a.Any()
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

// answers is the file of what remotes said, a line each: a hash of the URL and
// the namespace, when (in seconds), tasks, whether there is an archive, whether
// there was no answer, and the other namespace that the tasks stand under.
const answers = "elsewhere"

// maxAnswers is how many are kept. noNamespace stands for none of another name.
const (
	maxAnswers  = 20
	noNamespace = "-"
)

type answer struct {
	of string
	at time.Time
	refsync.Found
	failed bool
}

// holds: the answer need not be asked for again.
func (a answer) holds(now time.Time) bool {
	age := now.Sub(a.at)
	switch {
	case a.at.IsZero() || age < 0:
		return false
	case a.Any():
		return true
	case a.failed:
		return age < askUnanswered
	}
	return age < askAgain
}

func (a answer) line() string {
	return strings.Join([]string{
		a.of, strconv.FormatInt(a.at.Unix(), 10), strconv.Itoa(a.Tasks), strconv.FormatBool(a.Archive),
		strconv.FormatBool(a.failed),
		cmp.Or(a.Under, noNamespace),
	}, " ")
}

func parseAnswer(line string) (a answer, ok bool) {
	f := strings.Fields(line) // a ref's name has no blank
	if len(f) != 6 {
		return a, false
	}
	at, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil {
		return a, false
	}
	a = answer{of: f[0], at: time.Unix(at, 0), failed: f[4] == "true"}
	a.Tasks, a.Archive = config.Count(f[2]), f[3] == "true"
	if f[5] != noNamespace {
		a.Under = f[5]
	}
	return a, true
}

func (s *Exchange) answersFile() string { return filepath.Join(s.Clone.Repo.CacheDir(), answers) }

// readAnswers reads the lines of the file; none where it is none.
func (s *Exchange) readAnswers() []string {
	data, err := gitfile.ReadFile(s.answersFile())
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// recallAnswer is the last answer about a place, which may be none.
func (s *Exchange) recallAnswer(place string) answer {
	sum := sha256.Sum256([]byte(place)) // a URL may hold a password
	of := hex.EncodeToString(sum[:8])
	for _, line := range s.readAnswers() {
		if a, ok := parseAnswer(line); ok && a.of == of {
			return a
		}
	}
	return answer{of: of}
}

func (s *Exchange) keepAnswer(a answer) {
	lines := slices.DeleteFunc(s.readAnswers(), func(line string) bool {
		old, ok := parseAnswer(line)
		return !ok || old.of == a.of
	})
	lines = append(lines[max(0, len(lines)+1-maxAnswers):], a.line())
	_ = s.Clone.Repo.WriteCache(answers, []byte(strings.Join(lines, "\n")+"\n")) // else it is asked again
}
