package event

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
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
			if err := (Journal{Dir: os.Getenv("EVENT_TEST_DIR")}).Append(e); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	if store := os.Getenv("EVENT_TEST_STORE"); store != "" {
		for {
			if _, err := (Journal{Dir: os.Getenv("EVENT_TEST_DIR")}).Seal(files(store).store); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

// segments stores generations as a store does that names them by number.
type segments map[uint64][]byte

func (s segments) store(generation uint64, lines []byte) error {
	s[generation] = bytes.Clone(lines)
	return nil
}

func (s segments) sorted() [][]byte {
	var all [][]byte
	for _, n := range slices.Sorted(maps.Keys(s)) {
		all = append(all, s[n])
	}
	return all
}

func add(t *testing.T, dir string, ts int64, tool string) {
	t.Helper()
	if err := (Journal{Dir: dir}).Append(Event{TS: ts, Tool: tool}); err != nil {
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

// collect reads what a filter chooses, of segments whose generations count from 1.
func collect(f Filter, pending []byte, segments ...[]byte) (events []Event, bad int) {
	r := NewReader(f, pending)
	r.from = 0
	err := r.All(func(yield func(Segment, error) bool) {
		for i, lines := range segments {
			if !yield(Segment{uint64(i + 1), lines}, nil) {
				return
			}
		}
	}, func(e Event) error {
		events = append(events, e)
		return nil
	})
	if err != nil {
		panic(err)
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

// files stores generations as files in a directory.
type files string

func (dir files) store(generation uint64, lines []byte) error {
	path := filepath.Join(string(dir), strconv.FormatUint(generation, 10))
	if old, err := os.ReadFile(path); err == nil && !bytes.Equal(old, lines) {
		return fmt.Errorf("generation %d comes again with other lines", generation)
	}
	if err := os.WriteFile(path+".new", lines, 0o666); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
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
	sealed, failures := 0, 0
	for running := n; running > 0; {
		lines, err := Journal{Dir: dir}.Seal(func(g uint64, lines []byte) error {
			if failures++; failures%3 == 0 {
				return errors.New("the store is not there")
			}
			if _, there := stored[g]; there {
				t.Errorf("generation %d comes twice", g)
			}
			return stored.store(g, lines)
		})
		sealed += lines
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
	events, bad := collect(Filter{}, pending(t, dir), stored.sorted()...)
	complete(t, events, bad, n, each)
	if len(stored) < 3 || sealed == 0 {
		t.Errorf("%d segments with %d lines: nothing was sealed meanwhile", len(stored), sealed)
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
	if _, err := (Journal{Dir: dir}).Seal(files(store).store); err != nil {
		t.Fatal(err)
	}
	stored := segments{}
	entries, err := os.ReadDir(store)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if g, err := strconv.ParseUint(e.Name(), 10, 64); err == nil {
			if stored[g], err = os.ReadFile(filepath.Join(store, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	events, bad := collect(Filter{}, nil, stored.sorted()...)
	complete(t, events, bad, n, each)
}

func TestSeal_failedStoreLosesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if n, err := (Journal{Dir: dir}).Seal(segments{}.store); n != 0 || err != nil {
		t.Errorf("sealing nothing: %d, %v", n, err)
	}
	add(t, dir, 100, "one")
	broken := errors.New("no space")
	var failed uint64
	n, err := Journal{Dir: dir}.Seal(func(g uint64, _ []byte) error { failed = g; return broken })
	if n != 0 || !errors.Is(err, broken) {
		t.Fatalf("Seal = %d, %v", n, err)
	}
	add(t, dir, 90, "two") // a clock that goes back
	if got := tools(t, pending(t, dir)); got != "one two" {
		t.Errorf("pending: %s", got)
	}
	// It is the same generation again, and no second one is made before.
	for range 3 {
		if n, err := (Journal{Dir: dir}).Seal(func(g uint64, _ []byte) error {
			if g != failed {
				t.Errorf("generation %d before %d", g, failed)
			}
			return broken
		}); n != 0 || !errors.Is(err, broken) {
			t.Fatalf("Seal = %d, %v", n, err)
		}
	}
	stored := segments{}
	if n, err := (Journal{Dir: dir}).Seal(stored.store); n != 2 || err != nil {
		t.Fatalf("Seal = %d, %v", n, err)
	}
	if _, ok := stored[100]; !ok || len(stored) != 2 {
		t.Errorf("segments: %v", stored)
	}
	if got := tools(t, pending(t, dir), stored.sorted()...); got != "one two" {
		t.Errorf("events: %s", got)
	}
	if left, err := (Journal{Dir: dir}).generations(); len(left) != 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}

// S-22 for the journal: a kill at each step of sealing, made by hand.
func TestSeal_S22_killedBetweenSteps(t *testing.T) {
	for name, step := range map[string]func(t *testing.T, dir string, stored segments){
		"number kept, journal not closed": func(t *testing.T, dir string, _ segments) {
			write(t, filepath.Join(dir, generationName), "100\n")
		},
		"closed, not stored": func(t *testing.T, dir string, _ segments) {
			write(t, filepath.Join(dir, generationName), "100\n")
			rename(t, filepath.Join(dir, journalName), filepath.Join(dir, generationFile(100)))
		},
		"stored, not removed": func(t *testing.T, dir string, stored segments) {
			write(t, filepath.Join(dir, generationName), "100\n")
			rename(t, filepath.Join(dir, journalName), filepath.Join(dir, generationFile(100)))
			stored[100] = pending(t, dir)
		},
		"the number's file is broken": func(t *testing.T, dir string, _ segments) {
			write(t, filepath.Join(dir, generationName), "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, stored := t.TempDir(), segments{}
			add(t, dir, 100, "one")
			add(t, dir, 101, "two")
			step(t, dir, stored)
			add(t, dir, 102, "three")
			if got := tools(t, pending(t, dir), stored.sorted()...); got != "one two three" {
				t.Errorf("before sealing: %s", got)
			}
			if _, err := (Journal{Dir: dir}).Seal(stored.store); err != nil {
				t.Fatal(err)
			}
			if got := tools(t, pending(t, dir), stored.sorted()...); got != "one two three" {
				t.Errorf("after sealing: %s", got)
			}
		})
	}
}

func write(t *testing.T, path, data string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func TestSeal_numbersNeverComeAgain(t *testing.T) {
	dir := t.TempDir()
	stored := segments{}
	for i, ts := range []int64{50, 50, 7, 1000, -1, 0} {
		add(t, dir, ts, fmt.Sprint(i))
		if n, err := (Journal{Dir: dir}).Seal(stored.store); n != 1 || err != nil {
			t.Fatalf("Seal = %d, %v", n, err)
		}
	}
	if len(stored) != 6 || stored[50] == nil || stored[1000] == nil {
		t.Errorf("segments: %v", stored)
	}
	if got := tools(t, nil, stored.sorted()...); got != "0 1 2 3 4 5" {
		t.Errorf("order: %s", got)
	}
}

func TestSeal_oneAtATime(t *testing.T) {
	dir := t.TempDir()
	add(t, dir, 1, "one")
	inner := -1
	n, err := Journal{Dir: dir}.Seal(func(uint64, []byte) error {
		var err error
		inner, err = Journal{Dir: dir}.Seal(func(uint64, []byte) error { return errors.New("called") })
		add(t, dir, 2, "two") // writers are not held up by a slow store
		return err
	})
	if n != 1 || err != nil || inner != 0 {
		t.Errorf("Seal = %d, %v, inside %d", n, err, inner)
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
	if err := (Journal{Dir: dir}).Append(Event{TS: 1}); err == nil {
		t.Error("a symbolic link is written through")
	}
	if _, err := os.Lstat(target); err == nil {
		t.Error("the link's target was made")
	}
	if err := (Journal{Dir: filepath.Join(dir, journalName)}).Append(Event{TS: 1}); err == nil {
		t.Error("a directory that is a link is made")
	}
}

func TestPending_ignoresStrangeNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"journal.x", "journal.-1", "journal.007", "journal.1.old",
		"journal.99999999999999999999",
	} {
		write(t, filepath.Join(dir, name), `{"schema":"1.0.0","ts":1}`)
	}
	if err := os.Mkdir(filepath.Join(dir, "journal.5"), 0o777); err != nil {
		t.Fatal(err)
	}
	if lines := pending(t, dir); len(lines) != 0 {
		t.Errorf("pending: %s", lines)
	}
	if lines := pending(t, filepath.Join(dir, "none")); len(lines) != 0 {
		t.Errorf("pending of nothing: %s", lines)
	}
}

func TestFull_everyHundredEvents(t *testing.T) {
	dir := t.TempDir()
	full := func() bool {
		t.Helper()
		got, err := Journal{Dir: dir}.Full(100)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if full() {
		t.Error("no journal is full")
	}
	for i := range 100 {
		if full() {
			t.Fatalf("full with %d events", i)
		}
		add(t, dir, int64(i), "tool")
	}
	if !full() {
		t.Error("not full with 100 events")
	}
	write(t, filepath.Join(dir, journalName), strings.Repeat("x", 100*MaxLine))
	if !full() {
		t.Error("not full at the size of 100 events")
	}
}

func TestReader_dropsDoublesAndFilters(t *testing.T) {
	line := func(ts int64, tool string) []byte {
		l, err := Encode(Event{TS: ts, Tool: tool, Hook: "Stop"})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	// Sealed between the reading of the journal and of the segments.
	waiting := bytes.Join([][]byte{line(2, "two"), line(3, "three")}, nil)
	got, bad := collect(Filter{Since: 2}, waiting, line(1, "one"), line(2, "two"), []byte("garbage\n"))
	want := []Event{
		{Schema: Schema, TS: 2, Tool: "two", Hook: "Stop"},
		{Schema: Schema, TS: 3, Tool: "three", Hook: "Stop"},
	}
	if bad != 1 || !reflect.DeepEqual(got, want) {
		t.Errorf("Reader: %+v, %d bad", got, bad)
	}
}
