package place

import (
	"path/filepath"
	"slices"
	"strings"
)

// harmlessKeys are keys of a repository's own configuration that can name no program,
// as clones, submodules and git's own commands write them. A star stands for a
// subsection, or for the last part.
const harmlessKeys = `
	core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase
	core.precomposeunicode core.symlinks core.autocrlf core.eol core.safecrlf core.longpaths
	core.protecthfs core.protectntfs core.sharedrepository core.hidedotfiles core.quotepath core.abbrev
	core.sparsecheckout core.sparsecheckoutcone core.commitgraph core.multipackindex core.splitindex
	core.untrackedcache core.preloadindex core.fscache core.compression core.bigfilethreshold
	extensions.objectformat extensions.refstorage extensions.worktreeconfig extensions.partialclone
	extensions.relativeworktrees extensions.preciousobjects extensions.noop
	remote.*.fetch remote.*.push remote.*.tagopt remote.*.mirror remote.*.prune remote.*.promisor
	remote.*.partialclonefilter remote.*.skipdefaultupdate remote.*.gh-resolved remote.pushdefault
	branch.*.remote branch.*.pushremote branch.*.merge branch.*.rebase branch.*.description
	branch.*.vscode-merge-base branch.*.gh-merge-base branch.autosetuprebase branch.autosetupmerge
	user.name user.email user.signingkey
	submodule.*.active submodule.*.branch submodule.*.ignore submodule.*.shallow
	submodule.*.fetchrecursesubmodules submodule.active
	advice.* color.* gc.auto gc.autodetach gc.autopacklimit gc.pruneexpire
	maintenance.auto maintenance.strategy index.version index.sparse fetch.prune fetch.prunetags
	pull.rebase pull.ff push.default push.autosetupremote push.followtags merge.ff merge.conflictstyle
	diff.algorithm diff.renames rebase.autostash rebase.autosquash rerere.enabled
	status.showuntrackedfiles commit.gpgsign tag.gpgsign lfs.repositoryformatversion
	gui.geometry gui.wmstate
`

// harmless reports whether a setting can name no program, in the configuration of a
// git directory that was found for the work tree at top.
func (s Setting) harmless(gitDir, top string) bool {
	pattern := s.pattern()
	switch pattern {
	case "remote.*.url", "remote.*.pushurl", "submodule.*.url":
		// A transport can be a program of that name.
		return !strings.Contains(s.Value, "::") && !strings.HasPrefix(s.Value, "-")
	case "submodule.*.update":
		return slices.Contains([]string{"none", "checkout", "rebase", "merge"}, s.Value)
	case "core.worktree":
		// Of a submodule: what points back to where its .git is.
		tree, err := filepath.EvalSymlinks(AbsFrom(gitDir, s.Value))
		return err == nil && top != "" && tree == top
	}
	section, _, _ := strings.Cut(pattern, ".")
	whole := strings.Count(pattern, ".") == 1
	for key := range strings.FieldsSeq(harmlessKeys) {
		if key == pattern || whole && key == section+".*" {
			return true
		}
	}
	return false
}

// pattern is the key with a star in place of its subsection.
func (s Setting) pattern() string {
	first, last := strings.IndexByte(s.Key, '.'), strings.LastIndexByte(s.Key, '.')
	if first < 0 || first == last {
		return s.Key
	}
	return s.Key[:first] + ".*" + s.Key[last:]
}
