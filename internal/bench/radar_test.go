package bench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The repository in which branches are compared: so many, each of which changed a line in some of
// the files, of those that everybody changes.
const (
	radarBranches = 20
	radarFiles    = 2000
	radarWanted   = 400
	radarChanges  = 20
	radarLines    = 100 // of a file, the first tenth of which is changed
)

// mustPair is what the comparison of a pair of branches may take, in ms.
const mustPair = 100

// radarsOwn measures what a pair of branches costs 'git brew list', where none was compared before,
// beside the merge of a pair by 'git merge-tree' alone, each as a process.
func (s *suite) radarsOwn() string {
	dir := filepath.Join(s.work, "radar")
	branches := s.radarRepo(dir)
	kept := filepath.Join(dir, ".git", "brew", "overlaps")
	seed := rand.New(rand.NewPCG(17, 0))
	var cold, alone []time.Duration
	conflicts := 0
	const all = radarBranches * (radarBranches - 1) / 2
	for range 10 {
		if err := os.RemoveAll(kept); err != nil {
			s.t.Fatal(err)
		}
		var took time.Duration
		looks := 0
		for looked := 0; looked < all; looks++ { // each look goes on where the one before had no patience any more
			began := time.Now()
			looked, conflicts = s.pairs(dir)
			took += time.Since(began)
		}
		began := time.Now()
		s.pairs(dir) // it has them from before
		cold = append(cold, took-time.Duration(looks)*time.Since(began))
		for range 10 {
			pair := seed.Perm(len(branches))
			began := time.Now()
			s.done(s.command(dir, "sh", "-c", "git merge-tree --write-tree \"$@\" || test $? = 1", "sh",
				branches[pair[0]], branches[pair[1]]))
			alone = append(alone, time.Since(began))
		}
	}
	if conflicts == 0 || conflicts == all {
		s.t.Fatalf("of %d pairs %d conflict: that says little", all, conflicts)
	}
	pair, git := middle(cold)/all, middle(alone)
	return fmt.Sprintf("Conflicts foretold by `git brew list`, %d branches that change %d files of %d: %.1f ms a pair (%d ms "+
		"must hold; %.2fx `git merge-tree` of a pair, %.1f ms); %d of %d pairs conflict.\n", radarBranches, radarChanges,
		radarFiles, millis(pair), mustPair, float64(pair)/float64(git), millis(git), conflicts, all)
}

// radarRepo makes a repository with a task that is in progress on each branch.
func (s *suite) radarRepo(dir string) (branches []string) {
	seed := rand.New(rand.NewPCG(17, 1))
	name := func(i int) string { return filepath.Join(dir, fmt.Sprintf("d%02d", i%40), fmt.Sprintf("f%d", i)) }
	text := make([]string, radarLines)
	for i := range text {
		text[i] = fmt.Sprintf("line %d", i)
	}
	s.git("", "init", "-q", "-b", "main", dir)
	for i := range radarFiles {
		if err := os.MkdirAll(filepath.Dir(name(i)), 0o777); err != nil {
			s.t.Fatal(err)
		}
		s.write(name(i), fmt.Sprintf("file %d\n%s\n", i, strings.Join(text, "\n")), 0o666)
	}
	s.git(dir, "add", "-A")
	s.git(dir, "commit", "-q", "-m", "Begin")
	for n := range radarBranches {
		s.git(dir, "checkout", "-q", "main")
		s.brewIn(dir, "create", fmt.Sprintf("Branch %d", n))
		for _, i := range seed.Perm(radarWanted)[:radarChanges] {
			changed := slices.Clone(text)
			changed[seed.IntN(radarLines/10)] = fmt.Sprintf("changed by branch %d", n)
			s.write(name(i), fmt.Sprintf("file %d\n%s\n", i, strings.Join(changed, "\n")), 0o666)
		}
		s.git(dir, "commit", "-q", "-a", "-m", "Change")
		s.brewIn(dir, "start")
		branches = append(branches, fmt.Sprintf("feature/branch-%d", n))
	}
	return branches
}

// pairs counts those that 'git brew list' has compared, and those that conflict.
func (s *suite) pairs(dir string) (looked, conflicts int) {
	lines := json.NewDecoder(strings.NewReader(s.done(s.command(dir, *program, "list", "--json"))))
	for lines.More() {
		var task struct {
			Conflicts []struct{} `json:"conflicts"`
			Unlooked  int        `json:"unlooked"`
		}
		if err := lines.Decode(&task); err != nil {
			s.t.Fatal(err)
		}
		looked += radarBranches - 1 - task.Unlooked
		conflicts += len(task.Conflicts)
	}
	return looked / 2, conflicts / 2 // each is told on both sides
}

// middle is the median of times.
func middle(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
