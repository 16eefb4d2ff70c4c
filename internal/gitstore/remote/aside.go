package remote

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// RunScratch runs git as Run does, in a bare repository that is made for it and
// removed afterwards: it has r's objects and configuration, and these refs and
// no others. What git does to refs there is lost.
//
// It is for `git push`. What that looks for it compares with every ref of both
// sides, by six rules each: five hundred names beside ten thousand refs take
// minutes. With a pattern, and no refs but those that are meant, it takes none.
func (r *Client) RunScratch(ctx context.Context, p Patience, refs map[plumbing.RefName]plumbing.OID,
	args ...string,
) ([]byte, error) {
	config, err := r.config.Read(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := r.at.MakeScratch()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w", gitcmd.CommandName(args), err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what stays is among OldScratch
	if err := r.fillScratch(dir, config, refs); err != nil {
		return nil, fmt.Errorf("run git %s: %w", gitcmd.CommandName(args), err)
	}
	command := func(ctx context.Context, args []string) *exec.Cmd {
		cmd := r.at.Git.Command(ctx, args...)
		if gitfile.IsDir(r.at.WorkTree()) {
			cmd.Dir = r.at.WorkTree() // where git goes by itself: addresses may be relative
		}
		cmd.Env = scratchEnviron(gitcmd.Environ(cmd.Env)).With("GIT_DIR="+dir, "GIT_OBJECT_DIRECTORY="+r.at.ObjectDir(),
			"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
		return cmd
	}
	return r.online(ctx, p, args, command)
}

// fillScratch makes the directory a bare repository.
func (r *Client) fillScratch(dir string, config *config.Config, refs map[plumbing.RefName]plumbing.OID) error {
	var packed strings.Builder
	packed.WriteString("# pack-refs with: sorted \n")
	names := make([]plumbing.RefName, 0, len(refs))
	for name := range refs {
		if _, err := plumbing.ParseRefName(string(name)); err != nil {
			return err
		}
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		packed.WriteString(refs[name].String() + " " + string(name) + "\n")
	}
	for _, sub := range []string{"refs", "objects"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			return err
		}
	}
	files := map[string]string{
		"HEAD": "ref: refs/heads/none\n", "packed-refs": packed.String(),
		"config": scratchConfig(config), // nobody else may read it: it may hold secrets
	}
	// Where a clone is shallow, its objects end somewhere.
	if cut, err := gitfile.ReadFile(filepath.Join(r.at.CommonDir(), "shallow")); err == nil {
		files["shallow"] = string(cut)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// scratchConfig is the whole configuration in one file, but for what says where the
// repository's own refs and files are.
func scratchConfig(c *config.Config) string {
	var b strings.Builder
	for _, s := range c.Settings {
		section, rest, ok := strings.Cut(s.Key, ".")
		if !ok || ownPlace(s.Key, section) {
			continue
		}
		name := rest
		if dot := strings.LastIndexByte(rest, '.'); dot >= 0 {
			name = rest[dot+1:]
			section += ` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(rest[:dot]) + `"`
		}
		value := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s.Value)
		fmt.Fprintf(&b, "[%s]\n\t%s = \"%s\"\n", section, name, value)
	}
	b.WriteString("[core]\n\tbare = true\n")
	return b.String()
}

func ownPlace(key, section string) bool {
	switch section {
	case "include", "includeif":
		return true
	case "remote":
		return strings.HasSuffix(key, ".fetch") // there are no tracking refs
	}
	return slices.Contains([]string{"core.worktree", "core.bare", "extensions.refstorage", "extensions.worktreeconfig"},
		key)
}

// scratchEnviron is an environment that says nothing of a repository, nor of
// settings: those are in the file.
func scratchEnviron(env gitcmd.Environ) gitcmd.Environ {
	const alternates = "GIT_ALTERNATE_OBJECT_DIRECTORIES" // of the objects, that are the repository's
	aside := gitcmd.Environ(gitcmd.WithoutPlace(env, func(name string) bool {
		return strings.HasPrefix(name, "GIT_CONFIG_")
	}))
	if dirs := env.Get(alternates); dirs != "" {
		aside = aside.With(alternates + "=" + dirs)
	}
	return aside
}
