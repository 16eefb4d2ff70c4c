package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/task"
)

// How a run stands follows from its jobs: who works comes first, what waits last, and since when
// that is so counts from the change (BR-35). It is shown where it changed, and only there.
func TestStanding_BR35(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	r := (&Runs{Engine: &change.Engine{Clone: &clone.Clone{Now: func() time.Time { return now }}}}).newRun("", Options{})
	r.files.live = filepath.Join(t.TempDir(), "live")
	said := "Edit"
	for i, status := range []task.PhaseStatus{
		task.PhaseInProgress, task.PhaseInProgress, task.PhaseInProgress, task.PhaseInProgress, task.PhaseCompleted,
		task.PhaseFailed, task.PhaseDropped, task.PhasePending,
	} {
		p := task.Phase{UID: task.UID(fmt.Sprint(i)), ID: fmt.Sprint("P", i), Title: "T", Status: status}
		r.task.Phases = append(r.task.Phases, p)
		if status == task.PhaseInProgress {
			r.jobs[p.UID] = &job{phase: p, tier: task.TierJunior, client: "claude"}
		}
	}
	r.jobs["1"].asked, r.jobs["3"].working = &question{}, true
	r.jobs["3"].said.Store(&said)
	r.proving, r.jobs["2"].working = r.jobs["2"], true
	r.looking = &job{phase: r.task.Phases[4], tier: task.TierExecutive}
	var shown []Standing
	r.o.Show = func(s Standing) { shown = append(shown, s) }
	r.show()
	r.show()
	now = now.Add(time.Minute)
	r.jobs["0"].working = true
	r.show()
	if len(shown) != 2 {
		t.Fatalf("it was shown %d times", len(shown))
	}
	if at := shown[0]; at.Done != 1 || at.Failed != 1 || at.Total != 7 {
		t.Errorf("%d of %d, %d failed", at.Done, at.Total, at.Failed)
	}
	rows := func(at Standing) (all []string) {
		for _, row := range at.Rows {
			all = append(all, fmt.Sprintf("%s %s %s%s%s", row.Phase, row.Doing, row.Since.Format("15:04"), row.Said, row.After))
		}
		return all
	}
	want := []string{"P3 works 09:00Edit", "P2 checked 09:00", "P1 asks 09:00", " overview 09:00", "P0 waits 09:00P2"}
	if got := rows(shown[0]); !slices.Equal(got, want) {
		t.Errorf("the rows are %q, want %q", got, want)
	}
	want = []string{"P0 works 09:01", "P3 works 09:00Edit", "P2 checked 09:00", "P1 asks 09:00", " overview 09:00"}
	if got := rows(shown[1]); !slices.Equal(got, want) {
		t.Errorf("then the rows are %q, want %q", got, want)
	}
	r.close(task.Task{})
	if at := shown[len(shown)-1]; len(at.Rows) > 0 || at.Total != 7 {
		t.Errorf("in the end it stands so: %+v", at)
	}
	if _, err := os.Stat(r.files.live); err == nil {
		t.Error("the file says that it is at work")
	}
}

// A file that is none, or that nobody's run stands behind, says nothing (BR-32).
func TestStanding_BR32_hostile(t *testing.T) {
	repo := &gitstore.Repo{Place: &place.Place{CommonDir: t.TempDir()}}
	s := &Runs{Engine: &change.Engine{Clone: &clone.Clone{Repo: repo}}}
	file := s.standingFile("shop-1234567")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	held, err := repo.Lock(context.Background(), s.Clone.RunFile("shop-1234567"), 0)
	if err != nil {
		t.Fatal(err)
	}
	for text, is := range map[string]bool{
		`{"done":1}`: true, `{}`: true, ``: false, `[]`: false, `{"done":"x"}`: false, "\x00": false,
		`{"done":1` + string(make([]byte, maxStanding)) + `}`: false,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := s.Standing(context.Background(), "shop-1234567"); (got != nil) != is {
			t.Errorf("%.20q is read as %v", text, got)
		}
	}
	if err := os.WriteFile(file, []byte(`{"done":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = held.Close()
	if got := s.Standing(context.Background(), "shop-1234567"); got != nil {
		t.Errorf("of a run that is gone, %v", got)
	}
}
