package bench

import (
	"os"
	"path/filepath"
	"strings"
)

// shared is a copy of a repository that shares its state with a bare one, both
// beside it.
func (s *suite) shared(dir string) (desk, hub string) {
	desk, hub = dir+"-shared", dir+"-hub.git"
	s.done(s.command("", "cp", "-R", dir, desk))
	if dir == s.many { // its facts were made by nobody's operation, and a stranger's would be set aside
		s.git(desk, "update-ref", "refs/brew/knowledge", "refs/brew/knowledge~1")
	}
	s.git("", "init", "-q", "--bare", hub)
	s.git(desk, "remote", "add", "origin", hub)
	s.git(desk, "config", "brew.sync.auto", "false")
	s.git(desk, "push", "-q", "origin", "main")
	s.brewIn(desk, "sync")
	return desk, hub
}

// exchangeRows are those about other machines: a sync that finds nothing to do,
// against git's own fetch of the same refs, and what ten thousand tasks take at
// once.
func (s *suite) exchangeRows(add func(row) *row, in func(string) string) {
	fetch := []string{"fetch", "--quiet", "--prune", "--no-tags", "--refmap=", "--no-recurse-submodules", "origin"}
	for _, records := range []string{"tasks/*", "locks/*", "knowledge*", "config*", "notes*", "archive*"} {
		fetch = append(fetch, "+refs/brew/"+records+":refs/brew/remotes/origin/"+records)
	}
	var hub string
	for _, dir := range []string{s.small, s.many} {
		var desk string
		desk, hub = s.shared(dir)
		base := add(row{
			what: "git fetch, nothing to do", repo: in(dir), dir: desk, git: true,
			args: func(int) []string { return fetch }, every: 5,
		})
		add(row{
			what: "sync, nothing to do, against that", repo: in(dir), dir: desk, args: func(int) []string {
				return []string{"sync"}
			},
			against: base, must: 1.5, aim: 1.2, every: 5, wantMemory: true,
		})
	}
	from, fresh := s.many+"-shared", s.many+"-fresh"
	clone := func() error {
		if err := os.RemoveAll(fresh); err != nil {
			return err
		}
		s.git("", "clone", "-q", "--no-tags", hub, fresh)
		s.git(fresh, "config", "brew.sync.auto", "false")
		return nil
	}
	again := filepath.Join(s.work, "again.git")
	s.git(from, "remote", "add", "again", again)
	add(row{what: "sync, all of them new there", repo: in(s.many), dir: from, args: func(int) []string {
		return []string{"sync", "again"}
	}, limitMS: true, every: 100, before: func() error {
		if err := os.RemoveAll(again); err != nil {
			return err
		}
		s.git("", "init", "-q", "--bare", again)
		return nil
	}})
	add(row{what: "sync, the first of a fresh clone", repo: in(s.many), dir: fresh, args: func(int) []string {
		return []string{"sync"}
	}, limitMS: true, every: 100, before: clone})
	add(row{what: "list, right after it", repo: in(s.many), dir: fresh, args: func(int) []string {
		return []string{"list"}
	}, limitMS: true, every: 100, before: func() error {
		err := clone()
		if err == nil {
			s.brewIn(fresh, "sync")
		}
		return err
	}})
	if all := s.git(hub, "for-each-ref", "--format=x", "refs/brew/tasks"); strings.Count(all, "x") < manyTasks {
		s.t.Fatalf("the hub has %d tasks", strings.Count(all, "x"))
	}
}
