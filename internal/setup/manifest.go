package setup

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/hooks/settings"
	"github.com/git-brew/git-brew/internal/ledger"
)

// manifest is what init made that the files themselves don't tell, kept in the
// cache directory. Where it is lost, uninit still takes out what is known to be
// ours, and leaves empty directories.
type manifest struct {
	Schema string `json:"schema"`
	// Remote is brew.remote as it was before, Refspecs the values that were
	// added to remote.*.fetch.
	Remote   *string  `json:"remote,omitempty"`
	SetTo    string   `json:"set_to,omitempty"`
	Section  bool     `json:"section,omitempty"` // it needed a section of its own
	Refspecs []string `json:"refspecs,omitempty"`
	// Made are the directories and files, relative to the git directory, that
	// were not there.
	Made []string `json:"made,omitempty"`
	// WorkTrees says the same of each work tree, by its key.
	WorkTrees map[string]*workTree `json:"worktrees,omitempty"`
}

type workTree struct {
	// Made is relative to the work tree.
	Made []string `json:"made,omitempty"`
	// Shared: the agent's hooks were put into the shared settings.
	Shared bool `json:"shared,omitempty"`
	// AgentsFile: the block in AGENTS.md was added.
	AgentsFile bool `json:"agents_file,omitempty"`
	// Agents are the other clients that were set up, by name.
	Agents []string `json:"agents,omitempty"`
	// Allowed are the permission rules that were added to the agent's settings, a person's
	// own; SharedAllowed to those that are shared.
	Allowed       []string `json:"allowed,omitempty"`
	SharedAllowed []string `json:"shared_allowed,omitempty"`
}

// planner makes a plan for a repository, and the manifest that goes with it.
type planner struct {
	Plan
	repo *gitstore.Repo
	top  string // of the work tree; "" in a bare repository
	// namespace is what the names of records begin with on remotes.
	namespace string

	manifest manifest
	stored   []byte // the manifest as it stands; nil: there is none
	key      string // of this work tree in it
	tree     *workTree
}

func newPlanner(repo *gitstore.Repo, namespace string) (*planner, error) {
	w := &planner{repo: repo, top: repo.WorkTree, namespace: cmp.Or(namespace, ledger.Prefix), key: "main"}
	if id := repo.WorktreeID(); id != "" {
		w.key = "linked-" + id
	}
	var err error
	if w.stored, err = w.read(manifestPath(w.repo)); err != nil {
		return nil, err
	}
	if json.Unmarshal(w.stored, &w.manifest) != nil {
		w.manifest = manifest{} // what it told is lost; the files still tell most of it
	}
	w.manifest.Schema, w.locked = "1.0.0", repo.Locked
	if w.tree = w.manifest.WorkTrees[w.key]; w.tree == nil {
		w.tree = &workTree{}
	}
	return w, nil
}

func manifestPath(repo *gitstore.Repo) string {
	return filepath.Join(repo.CacheDir(), ledger.SetupFile)
}

// addManifest puts the manifest before all else, so that what a cut-off init made can
// be taken out.
func (w *planner) addManifest() error {
	data, err := json.MarshalIndent(w.manifest, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the manifest: %w", err)
	}
	changes := w.Changes
	w.Changes = nil
	w.add(Change{Path: manifestPath(w.repo), Before: w.stored, After: append(data, '\n'), private: true})
	w.Changes = append(w.Changes, changes...)
	return nil
}

// noteMade records a path that is to be made, and the directories above it that are not
// there yet.
func (w *planner) noteMade(path string) {
	for _, path := range append(missingDirs(filepath.Dir(path)), path) {
		if list, rel := w.madeList(path); !slices.Contains(*list, rel) {
			*list = append(*list, rel)
		}
	}
}

func (w *planner) made(path string) bool {
	list, rel := w.madeList(path)
	return slices.Contains(*list, rel)
}

// madeList is the list of the manifest in which a path stands, and how it stands there.
func (w *planner) madeList(path string) (list *[]string, rel string) {
	root, list := w.repo.CommonDir, &w.manifest.Made
	if w.inTree(path) {
		root, list = w.top, &w.tree.Made
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		rel = path // on another volume; never taken out by this list
	}
	return list, filepath.ToSlash(rel)
}

// madeIn are the paths of a list of what init made, relative to root: they go where they are
// empty in the end, the deepest first.
func madeIn(root string, list []string) (paths []string) {
	for _, rel := range slices.Backward(list) {
		if path := filepath.Join(root, filepath.FromSlash(rel)); filepath.IsLocal(filepath.FromSlash(rel)) && path != root {
			paths = append(paths, path)
		}
	}
	return paths
}

// missingDirs lists the directories down to dir that are not there, the
// outermost first.
func missingDirs(dir string) []string {
	var missing []string
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			slices.Reverse(missing)
			return missing
		}
		missing = append(missing, dir)
		dir = filepath.Dir(dir)
	}
}

// Registered are the agent's events that call git brew in this work tree, by the person's
// own settings and by those that are shared.
func Registered(repo *gitstore.Repo) (local, shared []string, err error) {
	w := planner{repo: repo, top: repo.WorkTree}
	of := func(name string) (events []string) {
		data, rerr := w.read(filepath.Join(w.top, filepath.FromSlash(name)))
		if rerr == nil {
			events, rerr = settings.Registered(data)
		}
		if rerr != nil {
			err = fmt.Errorf("%s: %w", name, rerr)
		}
		return events
	}
	return of(localSettings), of(sharedSettings), err
}

// HooksMissing says what is missed of each of git's hooks that does not call git brew
// where init was run; nothing where nobody ran init.
func HooksMissing(ctx context.Context, repo *gitstore.Repo) ([]string, error) {
	w, err := newPlanner(repo, "")
	if err != nil || len(w.manifest.WorkTrees) == 0 {
		return nil, err
	}
	dir, err := w.hooksDir(ctx)
	if err != nil {
		return nil, err
	}
	var missing []string
	for _, hook := range gitHooks() {
		if !runsOurs(filepath.Join(dir, hook.name), hook.name) {
			missing = append(missing, hook.lost)
		}
	}
	return missing, nil
}

// AgentSettings are the files in which the agent's client may find git brew's
// hooks, or be told to leave them out, there or not: of each of the directories
// that it may have been started in, and of its user's (claude.Dir). Empty ones
// are passed over.
func AgentSettings(workTree, projectDir, client string) []string {
	var files []string
	for _, top := range []string{workTree, projectDir} {
		if top != "" {
			files = append(files, filepath.Join(top, localSettings), filepath.Join(top, sharedSettings))
		}
	}
	if client != "" {
		files = append(files, filepath.Join(client, filepath.Base(localSettings)),
			filepath.Join(client, filepath.Base(sharedSettings)))
	}
	return files
}

// HookRegistered reports that a client which was started in a directory finds one of git
// brew's hooks in its settings, or its user's: what a plugin registers is one too many then.
func HookRegistered(projectDir, client string) bool {
	return slices.ContainsFunc(AgentSettings("", projectDir, client), func(path string) bool {
		return hasHooks(path, settings.Registered)
	})
}

// ClientRegistered reports that the file of a client, by its name, has one of git brew's
// hooks in a work tree.
func ClientRegistered(top, name string) bool {
	return slices.ContainsFunc(settings.Clients(), func(c settings.Client) bool {
		return c.Name == name && hasHooks(filepath.Join(top, filepath.FromSlash(c.Local)), c.Registered)
	})
}

func hasHooks(path string, registered func([]byte) ([]string, error)) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return false
	}
	data, err := gitfile.ReadFile(path)
	if err != nil {
		return false
	}
	events, err := registered(data)
	return err == nil && len(events) > 0
}
