package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Every kind of repository is read, written, and seen as git sees it.
func TestKinds_S35(t *testing.T) {
	for _, kind := range gitstoretest.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.NewKind(t, kind)
			repo := f.Open()
			seesWhatGitSees(t, f, repo)
			readsAll(t, f, repo)
			writes(t, f, repo)
		})
	}
}

func seesWhatGitSees(t *testing.T, f *gitstoretest.Fixture, repo *gitstore.Repo) {
	t.Helper()
	equal(t, "git dir", repo.GitDir, f.Git("rev-parse", "--path-format=absolute", "--git-dir"))
	equal(t, "common dir", repo.CommonDir, f.Git("rev-parse", "--path-format=absolute", "--git-common-dir"))
	equal(t, "bare", repo.Bare(), f.Git("rev-parse", "--is-bare-repository") == "true")
	equal(t, "shallow", repo.Shallow(), f.Git("rev-parse", "--is-shallow-repository") == "true")
	if repo.Bare() {
		equal(t, "work tree", repo.WorkTree, "")
	} else {
		equal(t, "work tree", repo.WorkTree, f.Git("rev-parse", "--show-toplevel"))
	}
	head, err := repo.Refs.Head(t.Context())
	noError(t, err)
	equal(t, "HEAD", head.OID, f.OID("HEAD"))
	equal(t, "branch", "refs/heads/"+head.Branch, f.Git("symbolic-ref", "HEAD"))
}

func readsAll(t *testing.T, f *gitstoretest.Fixture, repo *gitstore.Repo) {
	t.Helper()
	ctx := t.Context()
	refs, err := repo.Refs.List(ctx, "refs/")
	noError(t, err)
	var lines []string
	for _, ref := range refs {
		noError(t, ref.Err)
		lines = append(lines, ref.OID.String()+" "+string(ref.Name))
	}
	equal(t, "refs", strings.Join(lines, "\n"), f.Git("for-each-ref", "--format=%(objectname) %(refname)"))

	var visited []string
	noError(t, repo.History.Walk(ctx, f.OID("HEAD"), func(id gitstore.OID, c gitstore.Commit) (bool, error) {
		visited = append(visited, id.String()+" "+strings.TrimSpace(c.Message))
		return true, nil
	}))
	equal(t, "history", strings.Join(visited, "\n"), f.Git("log", "--format=%H %s"))

	files, err := repo.Objects.Files(ctx, f.OID("HEAD"))
	noError(t, err)
	for _, file := range files {
		if file.Mode == plumbing.ModeModule {
			continue
		}
		data, err := repo.Objects.Blob(ctx, file.OID)
		noError(t, err)
		equal(t, file.Path, string(data), "three\n")
	}
}

func writes(t *testing.T, f *gitstoretest.Fixture, repo *gitstore.Repo) {
	t.Helper()
	ctx := t.Context()
	first := commitFiles(t, repo, gitstore.OID{}, map[string]string{"a": "1", "d/b": "2", "d.e": "3"})
	name := gitstore.RefName("refs/store/one")
	noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: name, New: first}))
	equal(t, "git reads", f.Git("show", "refs/store/one:d/b"), "2")
	second := commitFiles(t, repo, first, map[string]string{"a": "4"})
	noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: name, Old: first, New: second}))
	f.Git("pack-refs", "--all")
	id, err := repo.Refs.Get(ctx, name)
	noError(t, err)
	equal(t, "packed ref", id, second)
	if err := repo.Refs.Update(ctx, gitstore.Update{Ref: name, Old: first}); !errors.Is(err, gitstore.ErrRefMoved) {
		t.Errorf("delete with an old value: %v", err)
	}
	noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: name, Old: second}))
	if _, err := repo.Refs.Get(ctx, name); !errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("a deleted ref: %v", err)
	}
	if !repo.Bare() {
		equal(t, "untracked files", f.Git("ls-files", "--others"), "")
	}
}

func TestOpen_SHA256_refused(t *testing.T) {
	t.Parallel()
	f := gitstoretest.NewKind(t, gitstoretest.SHA256)
	_, err := f.TryOpen(gitstore.Options{})
	if !errors.Is(err, gitstore.ErrUnsupported) || !strings.Contains(err.Error(), "sha256") ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("want one line that names sha256, have %v", err)
	}
}

func TestOpen_none(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	if _, err := f.TryOpen(gitstore.Options{Dir: f.Home}); !errors.Is(err, gitstore.ErrNotRepository) {
		t.Errorf("outside of any repository: %v", err)
	}
	if err := os.WriteFile(filepath.Join(f.Home, ".git"), []byte("gitdir: nowhere\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := f.TryOpen(gitstore.Options{Dir: f.Home}); !errors.Is(err, gitstore.ErrNotRepository) {
		t.Errorf("a .git file that leads nowhere: %v", err)
	}
}
