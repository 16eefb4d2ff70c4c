package gitstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/gitstore/remote"
)

// In whatever form a repository comes, git reads its objects and its settings
// aside, and sees no other refs than those it was given.
func TestRunScratch_everyKind(t *testing.T) {
	for _, kind := range gitstoretest.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			f := gitstoretest.NewKind(t, kind)
			repo := f.Open()
			tip := f.OID("HEAD")
			refs := map[gitstore.RefName]gitstore.OID{"refs/some/b": tip, "refs/some/a": tip}
			out, err := repo.Remote.RunScratch(t.Context(), remote.Patience{}, refs, "for-each-ref", "--format=%(refname)")
			noError(t, err)
			equal(t, "refs", string(out), "refs/some/a\nrefs/some/b\n")
			out, err = repo.Remote.RunScratch(t.Context(), remote.Patience{}, refs, "rev-list", "--count", "refs/some/a")
			noError(t, err)
			equal(t, "commits", strings.TrimSpace(string(out)), f.Git("rev-list", "--count", "HEAD"))
			before := f.Git("for-each-ref")
			_, err = repo.Remote.RunScratch(t.Context(), remote.Patience{}, refs, "update-ref", "refs/heads/other", tip.String())
			noError(t, err)
			equal(t, "refs of the repository", f.Git("for-each-ref"), before)
		})
	}
}

// The settings are those that count here, each as often as it is set, wherever
// they come from.
func TestRunScratch_settings(t *testing.T) {
	f := gitstoretest.New(t)
	f.Write("../work.config", "[core]\n\tsshCommand = ssh -i \"my key\"\n")
	f.Git("config", "includeIf.gitdir:"+f.Dir+"/.git.path", filepath.Join(f.Root, "work.config"))
	f.Git("config", "http.https://example.com/.extraHeader", `X: "a\b" # ; c`)
	f.Git("config", "--add", "credential.helper", "")
	f.Git("config", "--add", "credential.helper", "store --file='a b'")
	f.Git("config", "url.x\"y.insteadOf", "line\none")
	f.Setenv("GIT_CONFIG_COUNT", "1")
	f.Setenv("GIT_CONFIG_KEY_0", "http.extraHeader")
	f.Setenv("GIT_CONFIG_VALUE_0", "once")
	repo := f.Open()
	for _, key := range []string{
		"core.sshCommand", "http.https://example.com/.extraHeader", "credential.helper",
		"url.x\"y.insteadOf", "http.extraHeader", "user.name",
	} {
		out, err := repo.Remote.RunScratch(t.Context(), remote.Patience{}, nil, "config", "--get-all", key)
		noError(t, err)
		equal(t, key, strings.TrimSuffix(string(out), "\n"), f.Git("config", "--get-all", key))
	}
}

// An address that is relative leads to where it does for git itself, and
// nothing is left behind.
func TestRunScratch_pushes(t *testing.T) {
	f := gitstoretest.New(t)
	f.In(f.Root).Git("init", "-q", "--bare", "hub.git")
	f.Git("remote", "add", "origin", "../hub.git")
	f.Write("deep/er/file", "")
	repo, err := f.TryOpen(gitstore.Options{Dir: filepath.Join(f.Dir, "deep", "er")})
	noError(t, err)
	tip := f.OID("HEAD")
	_, err = repo.Remote.RunScratch(t.Context(), remote.Patience{}, map[gitstore.RefName]gitstore.OID{"refs/some/a": tip},
		"push", "--", "origin", "refs/some/*:refs/other/*")
	noError(t, err)
	equal(t, "the hub's", f.In(filepath.Join(f.Root, "hub.git")).OID("refs/other/a"), tip)
	left, err := filepath.Glob(filepath.Join(repo.CacheDir(), "aside-*"))
	noError(t, err)
	equal(t, "left", len(left), 0)
}

// The copy of the configuration, with what secrets it has, lies in the git
// directory, for its owner's eyes alone. What a process that was killed left
// there goes with the next push.
func TestRunScratch_secrets(t *testing.T) {
	f := gitstoretest.New(t)
	f.Git("config", "http.extraHeader", "a secret")
	f.Git("config", "alias.where", `!ls -ld "$GIT_DIR" | cut -c1-10 && ls -l "$GIT_DIR/config" | cut -c1-10 && echo "$GIT_DIR"`)
	t.Setenv("TMPDIR", filepath.Join(f.Root, "nowhere"))
	repo := f.Open()
	cache := repo.CacheDir()
	ages := map[string]time.Duration{"aside-old": 25 * time.Hour, "aside-new": time.Hour, "snapshots": 25 * time.Hour}
	for name, age := range ages {
		noError(t, os.MkdirAll(filepath.Join(cache, name), 0o700))
		noError(t, os.WriteFile(filepath.Join(cache, name, "config"), nil, 0o600))
		then := time.Now().Add(-age)
		noError(t, os.Chtimes(filepath.Join(cache, name), then, then))
	}
	out, err := repo.Remote.RunScratch(t.Context(), remote.Patience{}, nil, "where")
	noError(t, err)
	said := strings.Fields(string(out))
	if len(said) != 3 || said[0] != "drwx------" || said[1] != "-rw-------" || filepath.Dir(said[2]) != cache {
		t.Errorf("it is at %q; want it private, in %s", said, cache)
	}
	entries, err := os.ReadDir(cache)
	noError(t, err)
	var left []string
	for _, e := range entries {
		if e.IsDir() {
			left = append(left, e.Name())
		}
	}
	equal(t, "left", strings.Join(left, " "), "aside-new snapshots")
}
