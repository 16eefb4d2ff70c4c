package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/notes"
)

// ErrNoRemote: the remote that was named is not configured.
var ErrNoRemote = errors.New("no such remote")

const remoteKey = "brew.remote"

// configFile is a copy of a git configuration that git itself edits, so that every
// way of writing one is understood; the copy never stays.
type configFile struct {
	repo *gitstore.Repo
	path string
}

// editConfig plans what edit makes of the configuration; it says what that is for.
func (w *planner) editConfig(follows string, edit func(c *configFile) (after []byte, about string, err error)) error {
	path := filepath.Join(w.repo.CommonDir, "config")
	before, ok, err := w.editable(path, follows)
	if err != nil || !ok || before == nil {
		return err
	}
	dir, err := os.MkdirTemp("", "git-brew-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c := &configFile{w.repo, filepath.Join(dir, "config")}
	if err := os.WriteFile(c.path, before, 0o600); err != nil {
		return err
	}
	after, about, err := edit(c)
	if err != nil {
		return err
	}
	if !bytes.HasSuffix(before, []byte("\n")) {
		after = bytes.TrimSuffix(after, []byte("\n")) // as it was, so that uninit finds it so
	}
	w.add(Change{Path: path, About: about, Before: before, After: after, lock: path + ".lock"})
	return nil
}

func (c *configFile) git(ctx context.Context, args ...string) ([]byte, error) {
	return c.repo.Git.Run(ctx, append([]string{"config", "--file", c.path}, args...)...)
}

// all gives the values of the keys that a pattern matches, with their keys.
func (c *configFile) all(ctx context.Context, pattern string) [][2]string {
	out, err := c.git(ctx, "-z", "--get-regexp", pattern)
	if err != nil {
		return nil // exit status 1: none
	}
	var found [][2]string
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if key, value, ok := strings.Cut(string(entry), "\n"); ok {
			found = append(found, [2]string{key, value})
		}
	}
	return found
}

// planConfig adds the refspecs to the remotes, and the remote to share with; ""
// leaves that as it is.
func (w *planner) planConfig(ctx context.Context, remotes []string, share string) error {
	return w.editConfig("fetch refspecs are not added", func(c *configFile) ([]byte, string, error) {
		var about []string
		for _, remote := range remotes {
			added, err := c.addRefspecs(ctx, &w.manifest, remote, w.namespace)
			if err != nil {
				return nil, "", err
			}
			if added {
				about = append(about, fmt.Sprintf("git fetch %s brings tasks too", remote))
			}
		}
		if share != "" {
			set, err := c.setRemote(ctx, &w.manifest, share)
			if err != nil {
				return nil, "", err
			}
			if set {
				about = append(about, "state is shared with "+share)
			}
		}
		after, err := gitfile.ReadFile(c.path)
		return after, strings.Join(about, "; "), err
	})
}

// addRefspecs lets git fetch bring what a remote has under a namespace, and no more
// what it has under one that was used before.
func (c *configFile) addRefspecs(ctx context.Context, m *manifest, remote, namespace string) (added bool, err error) {
	key, specs := "remote."+remote+".fetch", ledger.FetchRefspecs(remote, namespace)
	have := c.all(ctx, `^remote\..*\.fetch$`)
	for _, spec := range specs {
		if slices.Contains(have, [2]string{key, spec}) {
			continue
		}
		if _, err := c.git(ctx, "--add", key, spec); err != nil {
			return added, err
		}
		if !slices.Contains(m.Refspecs, spec) {
			m.Refspecs = append(m.Refspecs, spec)
		}
		added = true
	}
	for _, old := range have {
		if old[0] != key || !slices.Contains(m.Refspecs, old[1]) || slices.Contains(specs, old[1]) ||
			!strings.Contains(old[1], ":"+ledger.TrackingPrefix(remote)) {
			continue
		}
		if err := c.unset(ctx, key, old[1]); err != nil {
			return added, err
		}
	}
	return added, nil
}

// setRemote makes a remote the one to share with, and notes what was set before.
func (c *configFile) setRemote(ctx context.Context, m *manifest, share string) (set bool, err error) {
	have := c.all(ctx, `^brew\.remote$`)
	if len(have) == 1 && have[0][1] == share {
		return false, nil
	}
	if m.SetTo == "" {
		m.Section = len(c.all(ctx, `^brew\.`)) == 0
		if len(have) > 0 {
			m.Remote = &have[len(have)-1][1]
		}
	}
	m.SetTo = share
	_, err = c.git(ctx, "--replace-all", remoteKey, share)
	return err == nil, err
}

func (c *configFile) unset(ctx context.Context, key, value string) error {
	_, err := c.git(ctx, "--fixed-value", "--unset-all", key, value)
	return err
}

// remotes are the configured ones, or the one that is named.
func (w *planner) remotes(ctx context.Context, share string) ([]string, error) {
	config, err := w.repo.Config.Read(ctx)
	if err != nil {
		return nil, err
	}
	names := config.Remotes()
	if share == "" {
		return names, nil
	}
	if !slices.Contains(names, share) {
		return nil, fmt.Errorf("%w: %q", ErrNoRemote, share)
	}
	return []string{share}, nil
}

// planConfigBack takes out what planConfig put in.
func (w *planner) planConfigBack(ctx context.Context) error {
	m := w.manifest
	return w.editConfig("", func(c *configFile) ([]byte, string, error) {
		w.alias = notes.AliasHere(w.repo) // else somebody else's notes are meant
		if err := c.removeAdded(ctx, m, w.namespace, w.alias); err != nil {
			return nil, "", err
		}
		if have := c.all(ctx, `^brew\.remote$`); m.SetTo != "" && len(have) == 1 && have[0][1] == m.SetTo {
			args := []string{"--unset-all", remoteKey}
			if m.Remote != nil {
				args = []string{"--replace-all", remoteKey, *m.Remote}
			}
			if _, err := c.git(ctx, args...); err != nil {
				return nil, "", err
			}
		}
		after, err := gitfile.ReadFile(c.path)
		if m.Section && len(c.all(ctx, `^brew\.`)) == 0 {
			after = withoutSection(after, "brew")
		}
		if w.alias && len(c.all(ctx, `^notes\.`)) == 0 {
			after = withoutSection(after, "notes")
		}
		return after, "git fetch brings tasks no more", err
	})
}

// removeAdded takes out the refspecs that init added, and where alias says so git's
// settings that show notes.
func (c *configFile) removeAdded(ctx context.Context, m manifest, namespace string, alias bool) error {
	for _, entry := range c.all(ctx, `^remote\..*\.fetch$`) {
		remote := strings.TrimSuffix(strings.TrimPrefix(entry[0], "remote."), ".fetch")
		known := slices.Contains(m.Refspecs, entry[1])
		if m.Refspecs == nil { // the manifest is lost, or says nothing
			known = slices.Contains(ledger.FetchRefspecs(remote, ledger.Prefix), entry[1]) ||
				slices.Contains(ledger.FetchRefspecs(remote, namespace), entry[1])
		}
		if known {
			if err := c.unset(ctx, entry[0], entry[1]); err != nil {
				return err
			}
		}
	}
	if !alias {
		return nil
	}
	for _, key := range notes.Settings() {
		if slices.Contains(c.all(ctx, "^"+key+"$"), [2]string{key, string(ledger.NotesAlias)}) {
			if err := c.unset(ctx, key, string(ledger.NotesAlias)); err != nil {
				return err
			}
		}
	}
	return nil
}

// withoutSection takes an empty section out, which git leaves where it stands
// behind a comment.
func withoutSection(config []byte, name string) []byte {
	lines := bytes.SplitAfter(config, []byte("\n"))
	at := slices.IndexFunc(lines, func(line []byte) bool { return string(line) == "["+name+"]\n" })
	if at < 0 || len(lines[at+1]) > 0 && lines[at+1][0] != '[' {
		return config
	}
	return bytes.Join(slices.Delete(lines, at, at+1), nil)
}

// Share plans what it takes to share with a remote: git fetch brings its tasks
// too, and brew.remote names it where that names none. Uninit takes it out
// again, as what Init put in. Namespace is Options.Namespace.
func Share(ctx context.Context, repo *gitstore.Repo, remote, namespace string) (Plan, error) {
	w, err := newPlanner(repo, namespace)
	if err != nil {
		return Plan{}, err
	}
	w.noteMade(manifestPath(w.repo))
	remotes, err := w.remotes(ctx, remote)
	if err != nil {
		return w.Plan, err
	}
	config, err := repo.Config.Read(ctx)
	if err != nil {
		return w.Plan, err
	}
	share := remote
	if _, named := config.Get(remoteKey); named {
		share = ""
	}
	if err := w.planConfig(ctx, remotes, share); err != nil || len(w.Changes) == 0 {
		return w.Plan, err
	}
	err = w.addManifest()
	return w.Plan, err
}
