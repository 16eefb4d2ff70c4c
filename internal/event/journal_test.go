package event

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The test's own program, started again, is a writer: WRITER's number of
// events, under the name NAME, into the journal in DIR.
func TestMain(m *testing.M) {
	if n, err := strconv.Atoi(os.Getenv("EVENT_TEST_WRITER")); err == nil {
		for i := range n {
			e := Event{TS: int64(i + 1), Session: os.Getenv("EVENT_TEST_NAME"), Data: map[string]string{"n": strconv.Itoa(i)}}
			if _, err := (Journal{Dir: os.Getenv("EVENT_TEST_DIR"), MakeDir: makeDir}).Append(e); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	if store := os.Getenv("EVENT_TEST_STORE"); store != "" {
		for {
			if err := (Journal{Dir: os.Getenv("EVENT_TEST_DIR")}).Seal(files(store).store); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

// segments stores what is sealed as a store does: what it stored last it passes over.
type segments [][]byte

func (s *segments) store(lines []byte) error {
	if n := len(*s); n == 0 || !bytes.Equal((*s)[n-1], lines) {
		*s = append(*s, bytes.Clone(lines))
	}
	return nil
}

func makeDir(path string) error { return os.MkdirAll(path, 0o777) }

func add(t *testing.T, dir string, ts int64, tool string) {
	t.Helper()
	if _, err := (Journal{Dir: dir, MakeDir: makeDir}).Append(Event{TS: ts, Tool: tool}); err != nil {
		t.Fatal(err)
	}
}

func pending(t *testing.T, dir string) []byte {
	t.Helper()
	lines, err := Journal{Dir: dir}.Pending()
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// collect reads what a filter chooses, of segments and of what is pending beside the last.
func collect(f Filter, pending []byte, segments ...[]byte) (events []Event, bad int) {
	r := &Reader{Filter: f}
	if n := len(segments); n > 0 {
		pending = bytes.TrimPrefix(pending, segments[n-1])
	}
	for _, lines := range append(slices.Clip(segments), pending) {
		err := r.Lines(lines, func(e Event) error {
			events = append(events, e)
			return nil
		})
		if err != nil {
			panic(err)
		}
	}
	return events, r.Bad
}

func tools(t *testing.T, lines []byte, segments ...[]byte) string {
	t.Helper()
	events, bad := collect(Filter{}, lines, segments...)
	if bad != 0 {
		t.Errorf("%d bad lines", bad)
	}
	var all []string
	for _, e := range events {
		all = append(all, e.Tool)
	}
	return strings.Join(all, " ")
}

// files stores segments as files in a directory, whose names are numbers.
type files string

func (dir files) store(lines []byte) error {
	stored, err := dir.segments()
	if err != nil {
		return err
	}
	n := len(stored)
	if n > 0 && bytes.Equal(stored[n-1], lines) {
		return nil
	}
	path := filepath.Join(string(dir), fmt.Sprintf("%06d", n))
	if err := os.WriteFile(path+".new", lines, 0o666); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func (dir files) segments() (all segments, err error) {
	names, err := filepath.Glob(filepath.Join(string(dir), "??????"))
	for _, name := range names {
		lines, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, lines)
	}
	return all, err
}

// writers starts processes that append each events to dir.
func writers(t *testing.T, dir string, n, each int) (done <-chan error) {
	t.Helper()
	ended := make(chan error, n)
	for i := range n {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "EVENT_TEST_WRITER="+strconv.Itoa(each), "EVENT_TEST_DIR="+dir,
			fmt.Sprintf("EVENT_TEST_NAME=session-%d", i))
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		go func() { ended <- c.Wait() }()
	}
	return ended
}

// complete checks that every writer's events are there once, in its order.
func complete(t *testing.T, events []Event, bad, n, each int) {
	t.Helper()
	if bad != 0 || len(events) != n*each {
		t.Errorf("%d events of %d, %d bad lines", len(events), n*each, bad)
	}
	next := map[string]int{}
	for _, e := range events {
		if e.Data["n"] != strconv.Itoa(next[e.Session]) {
			t.Fatalf("%s: event %s comes where %d should", e.Session, e.Data["n"], next[e.Session])
		}
		next[e.Session]++
	}
}

// S-18 with processes: each event is recorded once, in its process's order,
// while another process's worth of sealing goes on beside.
func TestJournal_S18_eightProcessesAndASealer(t *testing.T) {
	const n, each = 8, 500
	dir := filepath.Join(t.TempDir(), "events")
	done := writers(t, dir, n, each)
	stored := segments{}
	failures := 0
	for running := n; running > 0; {
		err := Journal{Dir: dir}.Seal(func(lines []byte) error {
			if failures++; failures%3 == 0 {
				return errors.New("the store is not there")
			}
			return stored.store(lines)
		})
		if err != nil && !strings.Contains(err.Error(), "the store is not there") {
			t.Fatal(err)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running--
		default:
		}
	}
	events, bad := collect(Filter{}, pending(t, dir), stored...)
	complete(t, events, bad, n, each)
	if len(stored) < 3 {
		t.Errorf("%d segments: nothing was sealed meanwhile", len(stored))
	}
}

// S-22 for the journal: sealers that are killed at any moment, while others
// write, lose nothing and store nothing twice.
func TestSeal_S22_killedSealers(t *testing.T) {
	const n, each = 4, 500
	dir, store := filepath.Join(t.TempDir(), "events"), t.TempDir()
	done := writers(t, dir, n, each)
	for running := n; running > 0; {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "EVENT_TEST_STORE="+store, "EVENT_TEST_DIR="+dir)
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(3000+rand.IntN(9000)) * time.Microsecond)
		if err := c.Process.Kill(); err != nil {
			t.Fatalf("the sealer ended by itself: %v", err)
		}
		_ = c.Wait() // killed
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running--
		default:
		}
	}
	if err := (Journal{Dir: dir}).Seal(files(store).store); err != nil {
		t.Fatal(err)
	}
	stored, err := files(store).segments()
	if err != nil {
		t.Fatal(err)
	}
	events, bad := collect(Filter{}, nil, stored...)
	complete(t, events, bad, n, each)
}

func TestSeal_failedStoreLosesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	stored := segments{}
	if err := (Journal{Dir: dir}).Seal(stored.store); len(stored) != 0 || err != nil {
		t.Errorf("sealing nothing: %d, %v", len(stored), err)
	}
	add(t, dir, 100, "one")
	broken := errors.New("no space")
	var failed []byte
	err := Journal{Dir: dir}.Seal(func(lines []byte) error { failed = lines; return broken })
	if !errors.Is(err, broken) {
		t.Fatalf("Seal = %v", err)
	}
	add(t, dir, 90, "two") // a clock that goes back
	if got := tools(t, pending(t, dir)); got != "one two" {
		t.Errorf("pending: %s", got)
	}
	// The same comes again, and nothing before it.
	for range 3 {
		if err := (Journal{Dir: dir}).Seal(func(lines []byte) error {
			if !bytes.Equal(lines, failed) {
				t.Errorf("%s before %s", lines, failed)
			}
			return broken
		}); !errors.Is(err, broken) {
			t.Fatalf("Seal = %v", err)
		}
	}
	if err := (Journal{Dir: dir}).Seal(stored.store); err != nil {
		t.Fatalf("Seal = %v", err)
	}
	if got := tools(t, pending(t, dir), stored...); got != "one two" || len(stored) != 2 {
		t.Errorf("%d segments: %s", len(stored), got)
	}
	if left, err := os.ReadDir(dir); len(left) != 2 || err != nil {
		t.Errorf("left beside the locks: %v, %v", left, err)
	}
}

// S-22 for the journal: a kill at each step of sealing, made by hand.
func TestSeal_S22_killedBetweenSteps(t *testing.T) {
	for name, step := range map[string]func(t *testing.T, dir string, stored *segments){
		"closed, not stored": func(t *testing.T, dir string, _ *segments) {
			rename(t, filepath.Join(dir, journalName), filepath.Join(dir, sealingName))
		},
		"stored, not removed": func(t *testing.T, dir string, stored *segments) {
			rename(t, filepath.Join(dir, journalName), filepath.Join(dir, sealingName))
			if err := stored.store(pending(t, dir)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, stored := t.TempDir(), segments{}
			add(t, dir, 100, "one")
			add(t, dir, 101, "two")
			step(t, dir, &stored)
			add(t, dir, 102, "three")
			if got := tools(t, pending(t, dir), stored...); got != "one two three" {
				t.Errorf("before sealing: %s", got)
			}
			if err := (Journal{Dir: dir}).Seal(stored.store); err != nil {
				t.Fatal(err)
			}
			if got := tools(t, pending(t, dir), stored...); got != "one two three" {
				t.Errorf("after sealing: %s", got)
			}
		})
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func TestSeal_oneAtATime(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, 1, "one")
	stored := 0
	err := Journal{Dir: dir}.Seal(func([]byte) error {
		stored++
		err := Journal{Dir: dir}.Seal(func([]byte) error { return errors.New("called") })
		add(t, dir, 2, "two") // writers are not held up by a slow store
		return err
	})
	if err != nil || stored != 1 {
		t.Errorf("Seal = %v, stored %d times", err, stored)
	}
	if got := tools(t, pending(t, dir)); got != "two" {
		t.Errorf("pending: %s", got)
	}
}

func TestAppend_afterATornLine_S23(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, 1, "one")
	path := filepath.Join(dir, journalName)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	fmt.Fprint(w, `{"schema":"1.0.0","ts":2,"to`)
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	add(t, dir, 3, "three")
	events, bad := collect(Filter{}, pending(t, dir))
	if bad != 1 || len(events) != 2 || events[1].Tool != "three" {
		t.Errorf("%+v, %d bad", events, bad)
	}
}

func TestAppend_refusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Symlink(target, filepath.Join(dir, journalName)); err != nil {
		t.Skip(err)
	}
	if _, err := (Journal{Dir: dir, MakeDir: makeDir}).Append(Event{TS: 1}); err == nil {
		t.Error("a symbolic link is written through")
	}
	if _, err := os.Lstat(target); err == nil {
		t.Error("the link's target was made")
	}
	if _, err := (Journal{Dir: filepath.Join(dir, journalName), MakeDir: makeDir}).Append(Event{TS: 1}); err == nil {
		t.Error("a directory that is a link is made")
	}
}

func TestPending_ofNothing(t *testing.T) {
	if lines := pending(t, filepath.Join(t.TempDir(), "none")); len(lines) != 0 {
		t.Errorf("pending of nothing: %s", lines)
	}
}

func TestAppend_saysHowLargeTheJournalIs(t *testing.T) {
	j := Journal{Dir: t.TempDir()}
	for i := range 3 {
		size, err := j.Append(Event{TS: int64(i), Tool: "tool"})
		if info, serr := os.Stat(j.path(journalName)); err != nil || serr != nil || info.Size() != size {
			t.Errorf("%d bytes, %v; %v, %v", size, err, info, serr)
		}
	}
}

func TestReader_filters(t *testing.T) {
	line := func(ts int64, tool string) []byte {
		l, err := Encode(Event{TS: ts, Tool: tool, Hook: "Stop"})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	got, bad := collect(Filter{Since: 2}, line(3, "three"), line(1, "one"), line(2, "two"), []byte("garbage\n"))
	want := []Event{
		{Schema: Schema, TS: 2, Tool: "two", Hook: "Stop"},
		{Schema: Schema, TS: 3, Tool: "three", Hook: "Stop"},
	}
	if bad != 1 || !reflect.DeepEqual(got, want) {
		t.Errorf("Reader: %+v, %d bad", got, bad)
	}
}
