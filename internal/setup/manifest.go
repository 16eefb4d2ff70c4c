package setup

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

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
	// Unended: the configuration did not end in a newline.
	Unended bool `json:"unended,omitempty"`
	// Made are the directories and files, relative to the git directory, that
	// were not there.
	Made []string `json:"made,omitempty"`
	// WorkTrees says the same of each work tree, by its key.
	WorkTrees map[string]workTree `json:"worktrees,omitempty"`
}

type workTree struct {
	// Made is relative to the work tree.
	Made []string `json:"made,omitempty"`
	// Shared: the agent's hooks were put into the shared settings.
	Shared bool `json:"shared,omitempty"`
	// Allowed are the permission rules that were added to the agent's settings.
	Allowed []string `json:"allowed,omitempty"`
}

const manifestSchema = "1.0.0"

func (w place) manifestPath() string { return filepath.Join(w.repo.CacheDir(), ledger.SetupFile) }

func (w place) key() string {
	if id := w.repo.WorktreeID(); id != "" {
		return "linked-" + id
	}
	return "main"
}

// manifest reads it, and its bytes as they are; nil: there is none.
func (w place) manifest() (manifest, []byte, error) {
	m := manifest{Schema: manifestSchema, WorkTrees: map[string]workTree{}}
	data, err := w.read(w.manifestPath())
	if err != nil || data == nil {
		return m, nil, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		// What it told is lost; the files still tell most of it.
		empty := manifest{Schema: manifestSchema, WorkTrees: map[string]workTree{}}
		return empty, data, nil //nolint:nilerr // uninit does without it
	}
	if m.WorkTrees == nil {
		m.WorkTrees = map[string]workTree{}
	}
	return m, data, nil
}

func (m manifest) encode() ([]byte, error) {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the manifest: %w", err)
	}
	return append(data, '\n'), nil
}

// noteMade records a path and the directories above it that are not there yet.
func (m *manifest) noteMade(w place, path string, file bool) {
	missing := missingDirs(filepath.Dir(path))
	if file {
		missing = append(missing, path)
	}
	for _, p := range missing {
		if w.top != "" && within(w.top, p) && !within(w.repo.GitDir(), p) && !within(w.repo.CommonDir(), p) {
			t := m.WorkTrees[w.key()]
			t.Made = appendRel(t.Made, w.top, p)
			m.WorkTrees[w.key()] = t
			continue
		}
		m.Made = appendRel(m.Made, w.repo.CommonDir(), p)
	}
}

func appendRel(list []string, root, path string) []string {
	rel, err := filepath.Rel(root, path)
	if rel = filepath.ToSlash(rel); err != nil || slices.Contains(list, rel) {
		return list
	}
	return append(list, rel)
}

// made tells whether init made this path.
func (m manifest) made(w place, path string) bool {
	has := func(list []string, root string) bool {
		rel, err := filepath.Rel(root, path)
		return err == nil && slices.Contains(list, filepath.ToSlash(rel))
	}
	return has(m.Made, w.repo.CommonDir()) || w.top != "" && has(m.WorkTrees[w.key()].Made, w.top)
}

// madePaths are the paths that a list names, the innermost first; what leads
// out of root is none of ours.
func madePaths(root string, list []string) []string {
	var paths []string
	for _, rel := range slices.Backward(list) {
		if path := filepath.Join(root, filepath.FromSlash(rel)); filepath.IsLocal(filepath.FromSlash(rel)) && path != root {
			paths = append(paths, path)
		}
	}
	return paths
}
