package worktree

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
)

// Target is where a path leads that an agent is about to write.
type Target struct {
	// Own says whose it is where it keeps the gate itself; "" where it does not.
	Own string
	// Allowed: it lies in this work tree and fits brew.gate.allowedPath.
	Allowed bool
}

// The owners of what keeps the gate.
const (
	ownGit      = "part of git's directory"
	ownConfig   = "git's configuration"
	ownSettings = "a settings file of the agent's, where git brew's hooks are registered"
)

// Target says where a path leads, whatever it is spelled like: through links and
// "..", in another case, from the home directory. Home is the user's, settings
// are files of the agent's that hold our hooks. A path that can't be followed
// leads nowhere: neither is it ours, nor is it allowed.
func (s *Place) Target(ctx context.Context, path, home string, settings []string) (Target, error) {
	files, err := readings(path, s.Clone.CallerDir(), home)
	if err != nil {
		return Target{}, ctx.Err()
	}
	conf, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return Target{}, err
	}
	for _, file := range files {
		if own := s.ownerOf(file, conf.Files(), settings); own != "" {
			return Target{Own: own}, nil
		}
	}
	if own := ownerByName(path); own != "" {
		return Target{Own: own}, nil
	}
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return Target{}, err
	}
	return Target{Allowed: s.allowedPath(files, set.List(config.KeyAllowedPath))}, nil
}

func (s *Place) ownerOf(path string, configs, settings []string) string {
	if own := ownerByName(path); own != "" {
		return own
	}
	is := oneOf(path)
	switch {
	case below(path, s.Clone.Repo.CommonDir, s.Clone.Repo.GitDir):
		return ownGit
	case slices.ContainsFunc(configs, is):
		return ownConfig
	case slices.ContainsFunc(settings, is):
		return ownSettings
	}
	return ""
}

// ownerByName says whose a path is by its name alone, there or not.
func ownerByName(path string) string {
	parts := SplitPath(path)
	if slices.ContainsFunc(parts, clone.GitsOwn) {
		return ownGit
	}
	if slices.ContainsFunc(strings.Fields(clientsFiles), func(file string) bool {
		names := strings.Split(file, "/")
		return len(parts) >= len(names) && slices.EqualFunc(parts[len(parts)-len(names):], names, strings.EqualFold)
	}) {
		return ownSettings
	}
	return ""
}

// clientsFiles are those in which agents' clients find hooks, or are told to leave them out.
const clientsFiles = ".claude/settings.json .claude/settings.local.json .codex/hooks.json .codex/config.toml " +
	".cursor/hooks.json .gemini/settings.json .github/hooks/git-brew.json .github/copilot/settings.json " +
	".github/copilot/settings.local.json .copilot/settings.json .opencode/plugins/git-brew.js .qwen/settings.json"

// allowedPath reports whether all that a path may mean lies in this work tree
// and fits one of the patterns.
func (s *Place) allowedPath(files, patterns []string) bool {
	top := s.Clone.Repo.WorkTree
	if top == "" || len(patterns) == 0 {
		return false
	}
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	for _, file := range files {
		rel, ok := Within(top, file)
		if !ok || !slices.ContainsFunc(patterns, func(p string) bool { return clone.MatchPath(p, rel) }) {
			return false
		}
	}
	return len(files) > 0
}
