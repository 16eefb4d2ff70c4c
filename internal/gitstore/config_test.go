package gitstore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// settle waits until the clock's grain has passed, so that a cache of what was
// just written can be believed.
func settle() { time.Sleep(30 * time.Millisecond) }

// processes counts the git processes that f starts, by git's own trace.
type processes struct {
	t    testing.TB
	path string
}

func traceProcesses(f *gitstoretest.Fixture) processes {
	path := filepath.Join(f.Root, "trace")
	f.Setenv("GIT_TRACE", path)
	return processes{t: f.T, path: path}
}

func (p processes) reset() { _ = os.Remove(p.path) }

func (p processes) count(command string) int {
	p.t.Helper()
	data, err := os.ReadFile(p.path)
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	noError(p.t, err)
	return strings.Count(string(data), "trace: built-in: git "+command)
}

func value(t testing.TB, f *gitstoretest.Fixture, key string) string {
	t.Helper()
	config, err := f.Open().Config.Read(t.Context())
	noError(t, err)
	v, _ := config.Get(key)
	return v
}

func TestConfig_asGitPrintsIt(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("config", "Remote.My.Fork.URL", "https://example.com/x")
	f.Git("config", "--add", "a.list", "one")
	f.Git("config", "--add", "a.list", "two\nlines \"quoted\"")
	f.Write(".git/config", readFile(t, filepath.Join(f.Dir, ".git", "config"))+"[a]\n\tBare\n")
	config, err := f.Open().Config.Read(t.Context())
	noError(t, err)
	url, ok := config.Get("remote.My.Fork.url")
	equal(t, "url", url, "https://example.com/x")
	equal(t, "found", ok, true)
	equal(t, "list", strings.Join(config.All("a.list"), "|"), "one|two\nlines \"quoted\"")
	equal(t, "no value", config.Bool("a.bare", false), true)
	equal(t, "with prefix", len(config.WithPrefix("a.")), 2)
	_, ok = config.Get("not.there")
	equal(t, "absent", ok, false)
}

// Whatever may change git's answer is seen at once; nothing else starts git.
func TestConfig_S27_cache(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Setenv("GIT_CONFIG_NOSYSTEM", "")
	f.Setenv("GIT_CONFIG_SYSTEM", filepath.Join(f.Root, "system"))
	f.Git("config", "store.x", "first")
	f.Git("config", "include.path", "more")
	f.Git("config", "includeIf.onbranch:side.path", "side")
	f.Write(".git/side", "[store]\n\tx = side\n")
	trace := traceProcesses(f)

	step := func(what, want string) {
		t.Helper()
		settle()
		equal(t, what, value(t, f, "store.x"), want)
		trace.reset()
		equal(t, what+", cached", value(t, f, "store.x"), want)
		if n := trace.count("config"); n != 0 {
			t.Errorf("%s: the cache was not used: %d processes", what, n)
		}
	}
	step("at first", "first")
	f.Git("config", "store.x", "other")
	step("repository's file changed", "other")
	f.Write(".git/more", "[store]\n\tx = included\n")
	step("an included file appeared", "included")
	f.Write(".git/more", "[store]\n\tx = INCLUDED\n")
	step("an included file changed, same size", "INCLUDED")
	f.Git("checkout", "-q", "-b", "side")
	step("another branch is checked out", "side")
	f.Git("checkout", "-q", "main")
	noError(t, os.Remove(filepath.Join(f.Dir, ".git", "more")))
	step("an included file vanished", "other")
	f.Git("config", "--unset", "store.x")
	step("unset", "")
	noError(t, os.WriteFile(filepath.Join(f.Home, ".gitconfig"),
		[]byte("[store]\n\tx = personal\n[user]\n\tname = A\n\temail = a@b\n"), 0o666))
	step("person's file changed", "personal")
	noError(t, os.Remove(filepath.Join(f.Home, ".gitconfig")))
	noError(t, os.WriteFile(filepath.Join(f.Root, "system"), []byte("[store]\n\tx = system\n"), 0o666))
	step("system's file appeared", "system")
	noError(t, os.MkdirAll(filepath.Join(f.Home, ".config", "git"), 0o777))
	noError(t, os.WriteFile(filepath.Join(f.Home, ".config", "git", "config"), []byte("[store]\n\tx = xdg\n"), 0o666))
	step("XDG file appeared", "xdg")
	f.Setenv("GIT_CONFIG_COUNT", "1")
	f.Setenv("GIT_CONFIG_KEY_0", "store.x")
	f.Setenv("GIT_CONFIG_VALUE_0", "environment")
	step("environment", "environment")
}

// Where one stands within the work tree is nothing that git's answer depends
// on, unless a file is named from there.
// S-27: a path may be any bytes; a memo that watched another one would hold for ever.
func TestConfig_S27_cacheOfAPathThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	home := filepath.Join(f.Root, "h\xff")
	if err := os.MkdirAll(home, 0o777); err != nil {
		t.Skip("this system has no such names: ", err)
	}
	f.Setenv("GIT_CONFIG_GLOBAL", "")
	f.Setenv("XDG_CONFIG_HOME", "")
	f.Setenv("HOME", home)
	settle()
	if got := value(t, f, "brew.mode.default"); got != "" {
		t.Fatalf("at first it is %q", got)
	}
	noError(t, os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[brew \"mode\"]\n\tdefault = discussion\n"), 0o666))
	if got := value(t, f, "brew.mode.default"); got != "discussion" {
		t.Errorf("once the file is made it is %q", got)
	}
	settle()
	value(t, f, "brew.mode.default")
	trace := traceProcesses(f)
	if got := value(t, f, "brew.mode.default"); got != "discussion" || trace.count("config") != 0 {
		t.Errorf("it is %q, and git was asked %d times", got, trace.count("config"))
	}
}

func TestConfig_S27_oneCacheForAllDirectories(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("config", "store.x", "here")
	var dirs []string
	for i := range 20 {
		dir := fmt.Sprint("d", i)
		f.Write(dir+"/conf", "[store]\n\tx = "+dir+"\n")
		dirs = append(dirs, dir)
	}
	settle()
	equal(t, "at first", value(t, f, "store.x"), "here")
	trace := traceProcesses(f)
	for _, dir := range dirs {
		equal(t, dir, value(t, f.In(filepath.Join(f.Dir, dir)), "store.x"), "here")
	}
	equal(t, "processes", trace.count("config"), 0)
	f.Git("config", "--unset", "store.x")
	f.Setenv("GIT_CONFIG_GLOBAL", "conf")
	f.Write("conf", "[store]\n\tx = top\n")
	settle()
	for _, dir := range append(dirs, ".") {
		at := f.In(filepath.Join(f.Dir, dir))
		equal(t, dir+", a file named from here", value(t, at, "store.x"), at.Git("config", "store.x"))
	}
}

func TestConfig_S27_brokenCache(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("config", "store.x", "true value")
	settle()
	equal(t, "at first", value(t, f, "store.x"), "true value")
	caches, err := filepath.Glob(filepath.Join(f.Dir, ".git", gitstoretest.Name, "config-*"))
	noError(t, err)
	equal(t, "caches", len(caches), 1)
	whole := readFile(t, caches[0])
	for what, text := range map[string]string{
		"empty":        "",
		"cut off":      whole[:len(whole)-5],
		"changed":      strings.Replace(whole, "true value", "fake value", 1),
		"other format": strings.Replace(whole, " 1 ", " 2 ", 1),
		"garbage":      "\x00\xff\n\n",
	} {
		noError(t, os.WriteFile(caches[0], []byte(text), 0o666))
		equal(t, what, value(t, f, "store.x"), "true value")
		equal(t, what+": written anew", readFile(t, caches[0]), whole)
	}
	noError(t, os.RemoveAll(filepath.Dir(caches[0])))
	equal(t, "deleted", value(t, f, "store.x"), "true value")
}

// Where nothing can be written, the configuration is read all the same.
func TestConfig_S23_noCache(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("config", "store.x", "y")
	f.Write(".git/"+gitstoretest.Name, "a file where the directory would be")
	settle()
	equal(t, "value", value(t, f, "store.x"), "y")
}

func TestConfig_write(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	ctx := t.Context()
	noError(t, repo.Config.Set(ctx, "store.x", "-one"))
	noError(t, repo.Config.Add(ctx, "store.x", "two"))
	noError(t, repo.Config.Add(ctx, "store.x", "t.o"))
	noError(t, repo.Config.UnsetValue(ctx, "store.x", "t.o"))
	noError(t, repo.Config.UnsetValue(ctx, "store.x", "not there"))
	all := func() string {
		config, err := repo.Config.Read(t.Context())
		noError(t, err)
		return strings.Join(config.All("store.x"), " ")
	}
	equal(t, "values", all(), "-one two")
	noError(t, repo.Config.Set(ctx, "store.x", "three"))
	equal(t, "replaced", all(), "three")
	for _, want := range []bool{true, false} {
		was, err := repo.Config.Unset(ctx, "store.x")
		noError(t, err)
		equal(t, "was set", was, want)
	}
	equal(t, "unset", all(), "")
	for _, key := range []string{"", "nodot", "--global", "-x.y"} {
		if err := repo.Config.Set(ctx, key, "v"); err == nil {
			t.Errorf("key %q was taken", key)
		}
	}
	f.Write(".git/config.lock", "")
	if err := repo.Config.Set(ctx, "store.x", "y"); !errors.Is(err, gitstore.ErrLocked) {
		t.Errorf("a stale lock: %v", err)
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	noError(t, err)
	return string(data)
}
