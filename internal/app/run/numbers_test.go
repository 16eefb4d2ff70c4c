package run

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

// Whatever numbers and times a client says, the turn that is recorded of it is one that the
// record takes, and waits no longer than a limit lasts (BR-9).
func TestNumbers_BR9_anyEvents(t *testing.T) {
	cat, err := exec.LookPath("cat")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no cat to speak as the client")
	}
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	r := (&Runs{Engine: &change.Engine{Clone: &clone.Clone{Now: func() time.Time { return now }}}}).newRun("", Options{})
	dir := t.TempDir()
	client, events := filepath.Join(dir, "claude"), filepath.Join(dir, "events.json")
	if err := os.Symlink(cat, client); err != nil {
		t.Skip(err)
	}
	numbers := []string{
		"0", "-1", "1e300", "-1e300", "9e18", "-9e18", "1e17", "253402300799", "1767605400", "1767603600000", "1e-300",
		"9223372036854775807", `"x"`, "null", "[]", "0.25", "1e400", "{}", "1767605401.5", "4102444800",
	}
	random := rand.New(rand.NewPCG(16, 9)) //nolint:gosec // the same events each time
	n := func() string { return numbers[random.IntN(len(numbers))] }
	for range 150 {
		var text strings.Builder
		for range 1 + random.IntN(3) {
			fmt.Fprintf(&text, `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%s}}`+"\n", n())
			fmt.Fprintf(&text, `{"type":"result","subtype":"success","is_error":%t,"api_error_status":%s,"num_turns":%s,`+
				`"result":"limit","total_cost_usd":%s,"usage":{"input_tokens":%s,"cache_read_input_tokens":%s,`+
				`"cache_creation_input_tokens":%s,"output_tokens":%s}}`+"\n",
				random.IntN(2) == 0, n(), n(), n(), n(), n(), n(), n())
		}
		if err := os.WriteFile(events, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		as := worker.Turn{Args: []string{client, events}, Dir: dir, Env: os.Environ()}
		e, err := worker.Run(t.Context(), as, r.s.Clone.Now)
		if err != nil {
			t.Fatal(err)
		}
		turn := task.Turn{By: task.ByJunior, Client: "claude", Cost: costOf(e)}
		if turn.Outcome, turn.Reason = outcomeOf(e); turn.Outcome == task.TurnLimited {
			r.limited(&turn, e.LimitedUntil)
		}
		until, _ := clone.ParseTime(turn.Until)
		if err := task.Check(turn); err != nil || !turn.Valid() || turn.Until != task.CleanTime(turn.Until) ||
			until.Sub(now) > 9*24*time.Hour || turn.MicroUSD > 1e10 || turn.Input > 1e10 || turn.Output > 1e10 {
			t.Fatalf("of\n%s\ncame %+v: %v", text.String(), turn, err)
		}
	}
}

// Of a client whose sums grow with each event, each one counts within what a turn can have taken.
func TestNumbers_BR9_sums(t *testing.T) {
	s := worker.NewStream("opencode")
	for range 100 {
		fmt.Fprintln(s, `{"type":"step_finish","part":{"cost":1e300,"tokens":{"input":9e18,"output":9e18,"cache":{"read":9e18}}}}`)
		fmt.Fprintln(s, `{"type":"step_finish","part":{"cost":-1e300,"tokens":{"input":-9e18,"output":-1}}}`)
	}
	if u := s.Report().Usage; u.CostUSD != 10_000 || u.Input != 1e10 || u.Output != 1e10 {
		t.Errorf("it took %+v", u)
	}
}
