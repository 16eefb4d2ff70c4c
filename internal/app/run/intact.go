package run

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
)

// ground is what decides how git reads, checks out and merges, and lies in no commit: what each
// of the repository's files was when the run began, by its path from the common directory.
type ground map[string]string

// maxGround is how much of a file is looked at.
const maxGround = 4 << 20

// readGround reads what the ground is now. Settings of git brew's own, and those of branches
// and notes, change while workers are at work, and decide nothing of that.
func readGround(common string) ground {
	names := []string{
		"config", "config.worktree", "info/attributes", "info/exclude", "info/sparse-checkout", "info/grafts",
		"objects/info/alternates",
	}
	hooks, _ := os.ReadDir(filepath.Join(common, "hooks")) // none where there is no such directory
	for _, hook := range hooks {
		names = append(names, "hooks/"+hook.Name())
	}
	all := ground{}
	for _, name := range names {
		all[name] = printOf(filepath.Join(common, filepath.FromSlash(name)), name == "config")
	}
	return all
}

// printOf is a file's size and hash; of what is none, what it is.
func printOf(path string, settings bool) string {
	at, err := os.Stat(path) // a hook may be a link
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return "unreadable"
	case !at.Mode().IsRegular():
		return at.Mode().Type().String()
	}
	file, err := os.Open(path)
	if err != nil {
		return "unreadable"
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxGround))
	if err != nil {
		return "unreadable"
	}
	if settings {
		data = withoutOwn(data)
		return fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return fmt.Sprintf("%d %x", at.Size(), sha256.Sum256(data))
}

// withoutOwn is a file of git's settings without the sections brew, branch and notes. A section whose
// first line has anything more than its name stays.
func withoutOwn(data []byte) []byte {
	own := regexp.MustCompile(`^(?i)\[(brew|branch|notes)([ \t]+"[^"\]\\]*")?\]$`)
	var rest strings.Builder
	left := false
	for line := range strings.Lines(string(data)) {
		if bare := strings.TrimSpace(line); strings.HasPrefix(bare, "[") {
			left = own.MatchString(bare)
		}
		if !left {
			rest.WriteString(line)
		}
	}
	return []byte(rest.String())
}

// changedSince names a file that is not as it was, "" for none.
func (g ground) changedSince(was ground) string {
	all := maps.Clone(was)
	maps.Copy(all, g)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if was[name] != g[name] {
			return name
		}
	}
	return ""
}

// intact ends the run where somebody changed what decides how git reads the repository: what is
// proved then may not be what is merged.
func (r *target) intact() error {
	common := r.s.Clone.Repo.CommonDir
	name := readGround(common).changedSince(r.ground)
	if name == "" {
		return nil
	}
	return clone.Refuse("look at it, then 'git brew run' goes on",
		"%s was changed while workers were at work", filepath.Join(common, filepath.FromSlash(name)))
}

// keepProving has what proves work stay as it was when the run began, and tells once of a change
// that does not count.
func (r *run) keepProving(set *config.Settings) {
	keys := []config.Key{config.KeyRunReview, config.KeyExecutiveCommand}
	if r.proves == nil {
		r.proves, r.toldProving = map[config.Key]string{}, map[config.Key]string{}
		for _, key := range keys {
			r.proves[key] = set.Text(key)
		}
	}
	for _, key := range keys {
		now := set.Text(key)
		if now != r.proves[key] && r.toldProving[key] != now {
			r.toldProving[key] = now
			r.tell(Event{Kind: Noted, Text: fmt.Sprintf(
				"%s was changed; it proves what workers do, so it counts from the next run on", key)})
		}
	}
	r.workers.proving = r.proves
}

// isAncestor reports whether a commit leads to another one, as they are stored.
func (a *trees) isAncestor(ctx context.Context, from, to gitstore.OID) (bool, error) {
	if from == to {
		return true, nil
	}
	_, err := a.git().Run(ctx, "merge-base", "--is-ancestor", from.String(), to.String())
	if failed, is := errors.AsType[*gitstore.CommandError](err); is && failed.Code == 1 {
		return false, nil
	}
	return err == nil, err
}
